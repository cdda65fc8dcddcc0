internal import ObjectStore
internal import PostgreSQLDriver

/// The prepared statements that were used last, by their text.
final class StatementCache {
    private static let capacity = 128

    private let connection: PostgreSQLConnection
    /// The generation of the connection that has the statements.
    private var generation = 0
    private var statements = RecentlyUsed<String, PostgreSQLStatement>(capacity: capacity)

    init(_ connection: PostgreSQLConnection) {
        self.connection = connection
    }

    /// Runs a statement. Its text determines the types of its parameters.
    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        if generation != connection.generation {
            statements.removeAll()
            generation = connection.generation
        }
        if let known = statements[sql] { return try known.run(parameters) }
        let statement = try connection.prepare(sql, parameters.types)
        statements.insert(statement, for: sql)
        return try statement.run(parameters)
    }

    func removeAll() {
        statements.removeAll()
    }
}
