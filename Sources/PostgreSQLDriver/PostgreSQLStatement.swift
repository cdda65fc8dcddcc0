/// A prepared statement. The server plans it once and executes it many times.
package final class PostgreSQLStatement {
    let name: String
    let sql: String
    private let connection: PostgreSQLConnection
    /// The generation of the connection that has the statement.
    private let generation: Int

    init(name: String, sql: String, connection: PostgreSQLConnection) {
        self.name = name
        self.sql = sql
        self.connection = connection
        generation = connection.generation
    }

    deinit {
        connection.discard(name, generation: generation)
    }

    /// Executes the statement and returns all of its rows.
    @discardableResult
    package func run(
        _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        try connection.execute(self, parameters)
    }
}
