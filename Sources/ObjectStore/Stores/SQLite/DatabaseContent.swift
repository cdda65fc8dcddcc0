/// The content of an open database file, to notice that another program writes to it.
///
/// While a database with a log is open, SQLite changes its file only in a checkpoint, and records each checkpoint in the
/// index of the log. A program that copies another file into this one, or truncates it, changes the file without one. Its
/// name and its inode stay.
struct DatabaseContent: Sendable {
    /// A copy of another file differs in the first pages. A larger file is not read to its end after each checkpoint.
    private static let bytesLimit = 4 << 20

    private let file: OpenFile
    private let index: OpenFile
    private var last: (stamp: FileStamp, digest: Int, checkpoint: Checkpoint)

    /// Reads an open database; `nil` if it has no index of the log that all connections share.
    ///
    /// SQLite loses its locks in this process if the result is released while a connection is open.
    init?(of path: String) {
        guard let file = OpenFile(path), let index = OpenFile(path + "-shm"), let stamp = file.stamp,
            let checkpoint = Checkpoint(index)
        else { return nil }
        self.file = file
        self.index = index
        last = (stamp, file.digest(bytesLimit: Self.bytesLimit), checkpoint)
    }

    /// Whether the file changed without a checkpoint since the last call. A file with a new time and the same bytes did not
    /// change.
    mutating func isOverwritten() -> Bool {
        guard let before = Checkpoint(index), let stamp = file.stamp else { return false }
        guard stamp != last.stamp else {
            if !before.isInProgress { last.checkpoint = before }
            return false
        }
        let digest = file.digest(bytesLimit: Self.bytesLimit)
        guard let after = Checkpoint(index) else { return false }
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
    /// The fields of the index that change with each checkpoint: see "WAL-Index Format" in SQLite's documentation.
    private struct Checkpoint: Equatable {
        private static let size = 136

        private let salts: [UInt8]
        /// How many frames of the log are in the database.
        private let done: [UInt8]
        /// How many frames the last checkpoint was to bring there.
        private let attempted: [UInt8]

        init?(_ index: OpenFile) {
            let bytes = index.beginning(count: Self.size)
            guard bytes.count == Self.size else { return nil }
            salts = Array(bytes[32..<40])
            done = Array(bytes[96..<100])
            attempted = Array(bytes[128..<132])
        }

        /// Whether pages are still being written, or a checkpoint has failed.
        var isInProgress: Bool { done != attempted }
    }
}
