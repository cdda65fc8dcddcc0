internal import SQLiteDriver

/// Compiled statements by their text, the ones used last.
final class StatementCache {
    private let connection: SQLiteConnection
    private var statements = RecentlyUsed<String, SQLiteStatement>(capacity: 128)

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// The statement of that text, ready to be bound.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let statement = try connection.prepare(sql, isKept: true)
        statements.insert(statement, for: sql)
        return statement
    }

    func removeAll() {
        statements.removeAll()
    }
}
