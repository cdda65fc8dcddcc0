internal import SQLiteDriver

/// How to read the database at a path without leaving a trace beside it.
struct ReadingAccess {
    let mode: SQLiteConnection.Mode
    /// Keeps those away who would write; nil where somebody writes already, or nobody ever did.
    let lock: LockFile?

    init(_ path: String) throws(StoreError) {
        guard let stamp = try FileStamp(of: path), !stamp.isEmpty else {
            throw StoreError.nothingToRead(path)
        }
        guard let sharing = LockFile.share(path) else {
            // It may be this process that writes, and would lose its locks if the file were opened and closed here.
            (mode, lock) = (.untouched, nil)
            return
        }
        lock = sharing.lock
        try SQLiteSchema.examine(path)
        // What a crash left in the log belongs to the store, and only the file beside the log leads to it.
        mode = try Self.isLogEmpty(path) ? .unchanging : .untouched
        if mode == .untouched, !FileSystem.exists(path + "-shm") {
            throw StoreError(
                .unreachable,
                "the last changes are in its log still, which only opening it for writing brings in; do that once",
                path: path)
        }
    }

    /// Runs `body` with a connection that reads the database at a path, whoever has it open. Where nobody has, and its log
    /// is empty, nothing is made beside it.
    static func connection<Result>(
        to path: String, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let sharing = LockFile.share(path)
        return try withExtendedLifetime(sharing) {
            let isAlone = try sharing != nil && isLogEmpty(path)
            let connection = try SQLiteConnection(path: path, mode: isAlone ? .unchanging : .readOnly)
            connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            return try body(connection)
        }
    }

    private static func isLogEmpty(_ path: String) throws(StoreError) -> Bool {
        try FileStamp(of: path + "-wal")?.isEmpty ?? true
    }
}
