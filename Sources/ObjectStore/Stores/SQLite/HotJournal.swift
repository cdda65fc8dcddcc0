internal import Platform
internal import SQLiteDriver

/// The rollback journal that a crash in the middle of a transaction leaves beside a database.
///
/// Until the journal is rolled back, the database may be half changed and cannot be read. SQLite rolls it
/// back only on a connection that can write.
enum HotJournal {
    /// Whether the database at `path` has such a journal. No other program may have the database open for writing.
    static func exists(beside path: String) throws(StoreError) -> Bool {
        let path = FileSystem.target(path)
        guard let database = try FileStamp(of: path), !database.isEmpty else { return false }
        // SQLite clears the first byte of a journal that it keeps after its transaction.
        let first = try StoreFiles.beginning(of: path + "-journal", count: 1)?.first ?? 0
        return first != 0
    }

    /// Rolls back the journal of the database at `path`, durably. Does nothing if there is none.
    static func rollBack(_ path: String) throws {
        guard try exists(beside: path) else { return }
        try SQLiteStore.translating(path) {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            // The first read rolls the journal back.
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        }
        try StoreFiles.synchronizeDirectory(of: FileSystem.target(path))
    }

    /// Calls `body` with the path of a private copy of the database in which the journal is rolled back.
    static func withRolledBackCopy<Result>(
        of path: String, _ body: (_ copy: String) throws -> Result
    ) throws -> Result {
        let directory = try StoreFiles.makeTemporaryDirectory()
        defer { FileSystem.removeDirectory(directory) }
        let copy = directory + "/store"
        for suffix in ["", "-journal"] {
            try FileBackup.copyBytes(of: FileSystem.target(path) + suffix, to: copy + suffix)
        }
        try rollBack(copy)
        return try body(copy)
    }
}
