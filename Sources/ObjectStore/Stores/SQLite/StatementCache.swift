internal import SQLiteDriver

/// The compiled statements that were used last. Statements of requests are found by the numbers of their
/// translations, other statements by their text.
final class StatementCache {
    private let connection: SQLiteConnection
    private var translated = RecentlyUsed<Int, SQLiteStatement>(capacity: TranslationCache.capacity)
    private var others = RecentlyUsed<String, SQLiteStatement>(capacity: 64)

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Returns the statement with a text, ready to be bound.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let known = others[sql] { return known }
        let statement = try connection.prepare(sql, isKept: true)
        others.insert(statement, for: sql)
        return statement
    }

    /// Returns the statement of a request, ready to be bound.
    func statement(_ request: TranslatedRequest) throws -> SQLiteStatement {
        guard let number = request.number else { return try statement(request.text) }
        if let known = translated[number] { return known }
        let statement = try connection.prepare(request.text, isKept: true)
        translated.insert(statement, for: number)
        return statement
    }

    func removeAll() {
        translated.removeAll()
        others.removeAll()
    }
}
