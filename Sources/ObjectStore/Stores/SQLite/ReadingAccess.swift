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
        let log = try FileStamp(of: path + "-wal")
        mode = log?.isEmpty ?? true ? .unchanging : .untouched
        if mode == .untouched, !FileSystem.exists(path + "-shm") {
            throw StoreError(
                .unreachable,
                "the last changes are in its log still, which only opening it for writing brings in; do that once",
                path: path)
        }
    }
}
