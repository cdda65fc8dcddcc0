internal import SQLiteDriver

extension SQLiteSchema {
    /// Opens a connection that can change the schema of a store. References are not checked until the end.
    static func connect(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        connection.setBusyTimeout(milliseconds: busyTimeout)
        try SQLFunctions.define(on: connection)
        // Sorting the indexes of a large store in a temporary file limits the use of memory.
        try connection.execute(
            "PRAGMA foreign_keys=OFF; PRAGMA trusted_schema=OFF; PRAGMA temp_store=FILE; PRAGMA synchronous=EXTRA"
        )
        return connection
    }

    /// Opens a connection to a temporary file, which is deleted if anything fails. Nothing has to be durable
    /// yet.
    ///
    /// - Parameter canRollBack: whether transactions can be rolled back. If so, a transaction keeps the
    ///   original of every page it changes in memory, so it has to be small.
    static func connectToWork(_ path: String, canRollBack: Bool) throws -> SQLiteConnection {
        let connection = try connect(path)
        let journal = canRollBack ? "MEMORY" : "OFF"
        try connection.execute("PRAGMA journal_mode=\(journal); PRAGMA synchronous=OFF")
        return connection
    }
}

extension SQLiteStore {
    /// Reads the metadata of the store at `path` without writing anything.
    static func metadata(of path: String) throws -> StoreMetadata {
        try translating(path) {
            try ReadingAccess.connection(to: path) { connection in
                try SQLiteSchema.check(connection, path: path)
                return try SQLiteSchema.readMetadata(connection, path: path)
            }
        }
    }

    /// Runs `body` and converts errors of SQLite to errors of the store at `path`.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw storeError(error, path: path)
        }
    }

    /// Ensures that no new object of the entity gets an id up to `id`.
    func recordLargestID(_ id: Int64, of entity: Entity) throws {
        try translating {
            let statement = try connection.prepare(
                "INSERT INTO \"_largestIDs\" VALUES (?, ?) "
                    + "ON CONFLICT (\"entity\") DO UPDATE SET \"id\" = max(\"id\", excluded.\"id\")")
            statement.bind(entity.name, at: 1)
            statement.bind(id, at: 2)
            try statement.run()
        }
    }
}
