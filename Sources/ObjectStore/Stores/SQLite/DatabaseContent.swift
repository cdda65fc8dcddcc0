internal import Platform

/// The content of an open database file, which shows whether another program writes to it.
///
/// While a database with a log is open, SQLite changes its file only in a checkpoint, and records each
/// checkpoint in the index of the log. A program that copies another file into this one, or truncates it,
/// changes the file without a checkpoint. The name and the inode of the file stay the same.
struct DatabaseContent: Sendable {
    /// The largest number of bytes that are read after a checkpoint. Another file that was copied into this
    /// one differs in the first pages.
    private static let bytesLimit = 4 << 20

    private let file: OpenFile
    /// The index of the log.
    let index: OpenFile
    private var last: (stamp: FileStamp, digest: UInt64, checkpoint: LogCheckpoint)
    /// Whether the file system counts the names of the file.
    private let countsNames: Bool

    /// Reads an open database, or returns `nil` if its log has no index file that connections share.
    ///
    /// Keep the result until all connections are closed. Releasing it closes the files, and SQLite then loses its locks
    /// on them in this process.
    init?(of path: String) {
        guard let file = OpenFile(path), let index = OpenFile(path + "-shm"), let status = file.status,
            let checkpoint = LogIndexReading(index)?.checkpoint
        else { return nil }
        self.file = file
        self.index = index
        last = (status.stamp, file.digest(bytesLimit: Self.bytesLimit), checkpoint)
        countsNames = status.nameCount > 0
    }

    enum Loss { case removed, overwritten }

    /// Returns how the file was lost, or `nil` if it has a name and has only changed by checkpoints since the last call.
    /// A file with a new time and the same bytes has not changed.
    ///
    /// - Parameter reading: the index as it was just before the call, or `nil` if it cannot be read.
    mutating func loss(_ reading: LogIndexReading?) -> Loss? {
        guard let before = reading?.checkpoint, let status = file.status else { return nil }
        if countsNames, status.nameCount == 0 { return .removed }
        let stamp = status.stamp
        guard stamp != last.stamp else {
            if !before.isInProgress { last.checkpoint = before }
            return nil
        }
        let digest = file.digest(bytesLimit: Self.bytesLimit)
        guard let after = LogIndexReading(index)?.checkpoint else { return nil }
        if after == last.checkpoint {
            guard digest == last.digest else { return .overwritten }
            last.stamp = stamp
        } else if before == after, !after.isInProgress {
            last = (stamp, digest, after)
        }
        return nil
    }
}
