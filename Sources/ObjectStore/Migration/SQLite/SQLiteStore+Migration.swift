internal import SQLiteDriver

extension SQLiteSchema {
    /// A connection for changing the schema of a store: references are checked at the end, all at once.
    static func connect(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        connection.setBusyTimeout(milliseconds: busyTimeout)
        try SQLFunctions.define(on: connection)
        // Indexes of a large store are sorted in a temporary file, so that memory stays the same.
        try connection.execute(
            "PRAGMA foreign_keys=OFF; PRAGMA trusted_schema=OFF; PRAGMA temp_store=FILE; PRAGMA synchronous=EXTRA"
        )
        return connection
    }

    /// The same for a file that is thrown away when anything goes wrong: nothing has to be durable yet.
    ///
    /// - Parameter canRollBack: whether a transaction may be taken back; it then keeps every page that it
    ///   changes in memory, so it has to be small.
    static func connectToWork(_ path: String, canRollBack: Bool) throws -> SQLiteConnection {
        let connection = try connect(path)
        let journal = canRollBack ? "MEMORY" : "OFF"
        try connection.execute("PRAGMA journal_mode=\(journal); PRAGMA synchronous=OFF")
        return connection
    }
}

extension SQLiteStore {
    /// The description that the store at `path` has of itself. Nothing is written.
    static func metadata(of path: String) throws -> StoreMetadata {
        try translating(path) {
            try ReadingAccess.connection(to: path) { connection in
                try SQLiteSchema.check(connection, path: path)
                return try SQLiteSchema.readMetadata(connection, path: path)
            }
        }
    }

    /// Runs `body` and makes what SQLite says an error of the store at `path`.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw storeError(error, path: path)
        }
    }

    /// Sees to it that no object of the entity gets an id up to that one.
    func noteLargestID(_ id: Int64, of entity: Entity) throws {
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
