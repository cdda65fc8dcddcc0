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
    private var last: (stamp: FileStamp, digest: UInt64, checkpoint: Checkpoint)

    /// Reads an open database, or returns `nil` if its log has no index file that connections share.
    ///
    /// Keep the result until all connections are closed. Releasing it closes the files, and SQLite then loses its locks
    /// on them in this process.
    init?(of path: String) {
        guard let file = OpenFile(path), let index = OpenFile(path + "-shm"), let stamp = file.stamp,
            let checkpoint = Checkpoint(index.logIndex())
        else { return nil }
        self.file = file
        self.index = index
        last = (stamp, file.digest(bytesLimit: Self.bytesLimit), checkpoint)
    }

    /// Whether the file has changed without a checkpoint since the last call. A file with a new time and the
    /// same bytes has not changed.
    ///
    /// - Parameter beginning: the bytes at the beginning of the index.
    mutating func isOverwritten(_ beginning: [UInt8]) -> Bool {
        guard let before = Checkpoint(beginning), let stamp = file.stamp else { return false }
        guard stamp != last.stamp else {
            if !before.isInProgress { last.checkpoint = before }
            return false
        }
        let digest = file.digest(bytesLimit: Self.bytesLimit)
        guard let after = Checkpoint(index.logIndex()) else { return false }
        if after == last.checkpoint {
            guard digest == last.digest else { return true }
            last.stamp = stamp
        } else if before == after, !after.isInProgress {
            last = (stamp, digest, after)
        }
        return false
    }
}

extension DatabaseContent {
    /// The fields of the index that change with each checkpoint; see "WAL-Index Format" in SQLite's documentation.
    private struct Checkpoint: Equatable {
        private let salts: [UInt8]
        /// The number of frames of the log that are in the database.
        private let done: [UInt8]
        /// The number of frames that the last checkpoint tried to write into the database.
        private let attempted: [UInt8]

        /// Reads the fields from the beginning of the index.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == LogIndex.beginningSize else { return nil }
            salts = Array(bytes[32..<40])
            done = Array(bytes[96..<100])
            attempted = Array(bytes[128..<132])
        }

        /// Whether a checkpoint is writing pages or has failed.
        var isInProgress: Bool { done != attempted }
    }
}
