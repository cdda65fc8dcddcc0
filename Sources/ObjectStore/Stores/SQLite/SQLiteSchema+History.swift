internal import CivilTime
internal import SQLiteDriver

extension SQLiteSchema {
    /// Whether the database records its history, by its header.
    static func hasHistory(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.integer("PRAGMA user_version") == historyVersion
    }

    /// Creates the tables of the history in the open transaction. The row 0 is the beginning of the history.
    static func makeHistory(_ connection: SQLiteConnection, writer: Int64) throws(SQLiteError) {
        try makeHistoryTables(connection)
        let beginning = try connection.prepare(
            "INSERT INTO \"_transactions\" (\"number\", \"time\", \"writer\") VALUES (0, 0, ?)")
        beginning.bind(writer, at: 1)
        try beginning.run()
    }

    private static func makeHistoryTables(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE "_transactions" ("number" INTEGER PRIMARY KEY, "time" REAL NOT NULL, \
            "writer" INTEGER NOT NULL, "author" TEXT, "context" TEXT, "model" TEXT) STRICT;
            CREATE TABLE "_changes" ("number" INTEGER NOT NULL, "position" INTEGER NOT NULL, "kind" TEXT NOT NULL, \
            "entity" TEXT NOT NULL, "first" INTEGER NOT NULL, "last" INTEGER NOT NULL, "properties" TEXT, \
            PRIMARY KEY ("number", "position")) STRICT, WITHOUT ROWID;
            CREATE TABLE "_preserved" ("number" INTEGER NOT NULL, "position" INTEGER NOT NULL, \
            "property" TEXT NOT NULL, "type" TEXT NOT NULL, "value" ANY, \
            PRIMARY KEY ("number", "position", "property")) STRICT, WITHOUT ROWID;
            PRAGMA user_version=\(historyVersion)
            """)
    }

    /// Removes the history in the open transaction.
    static func removeHistory(_ connection: SQLiteConnection) throws(SQLiteError) {
        let drops = historyTables.map { "DROP TABLE \"\($0)\"" }.joined(separator: ";")
        try connection.execute("\(drops); PRAGMA user_version=\(plainVersion)")
    }

    private static let historyTables = ["_preserved", "_changes", "_transactions"]

    /// Copies the history of the database at `path`, if it has one, into a database that has none.
    static func copyHistory(from path: String, to connection: SQLiteConnection) throws {
        guard try !hasHistory(connection) else { return }
        let attach = try connection.prepare("ATTACH ? AS \"old\"")
        attach.bind(path, at: 1)
        try attach.run()
        if try connection.integer("PRAGMA old.user_version") == historyVersion {
            try connection.execute("BEGIN")
            try makeHistoryTables(connection)
            for table in historyTables {
                try connection.execute("INSERT INTO main.\"\(table)\" SELECT * FROM old.\"\(table)\"")
            }
            try connection.execute("COMMIT")
        }
        try connection.execute("DETACH \"old\"")
    }

    /// Records a migration in the open transaction, if the database has a history.
    static func recordMigration(_ connection: SQLiteConnection, to model: ManagedObjectModel)
        throws(SQLiteError)
    {
        guard try hasHistory(connection) else { return }
        let statement = try connection.prepare(
            "INSERT INTO \"_transactions\" (\"time\", \"writer\", \"model\") VALUES (?, ?, ?)")
        statement.bind(Timestamp.now.secondsSince1970, at: 1)
        statement.bind(Int64.random(in: .min ... .max), at: 2)
        statement.bind(model.versionHash, at: 3)
        try statement.run()
    }
}
