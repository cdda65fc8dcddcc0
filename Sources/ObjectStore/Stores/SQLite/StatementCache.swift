internal import SQLiteDriver

/// Compiled statements by their text, the ones used last.
final class StatementCache {
    private static let capacity = 128
    private let connection: SQLiteConnection
    private var statements: [String: (statement: SQLiteStatement, used: Int)] = [:]
    private var clock = 0

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// The statement of that text, ready to be bound.
    func statement(_ sql: String) throws -> SQLiteStatement {
        clock += 1
        if let index = statements.index(forKey: sql) {
            statements.values[index].used = clock
            return statements.values[index].statement
        }
        let statement = try connection.prepare(sql, isKept: true)
        if statements.count >= Self.capacity,
            let oldest = statements.min(by: { $0.value.used < $1.value.used })
        {
            statements.removeValue(forKey: oldest.key)
        }
        statements[sql] = (statement, clock)
        return statement
    }

    func removeAll() {
        statements = [:]
    }
}
