import PostgreSQLDriver
import TestServers

/// Tests that look at the tables of a store as another program does.
protocol PostgreSQLSuite {
    var directory: TemporaryStore { get }
}

extension PostgreSQLSuite {
    var schema: String { directory.schema }

    /// A connection of another program.
    func connection() throws -> PostgreSQLConnection { try Self.connection(schema) }

    static func connection(_ schema: String) throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(PostgreSQLServer.sharedConnection, program: "tests")
        try connection.execute("SET search_path TO \(PostgreSQLName.quoted(schema))")
        return connection
    }

    /// The rows of a statement of another program, with the columns separated by `|`.
    func rows(_ sql: String, columns: Int = 1) throws -> [String] {
        try connection().query(sql).rows.map { row in
            (0..<columns).map { row.text($0) ?? "NULL" }.joined(separator: "|")
        }
    }
}
