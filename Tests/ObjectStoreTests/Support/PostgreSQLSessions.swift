import PostgreSQLDriver

/// The connections of the programs that have a store in PostgreSQL open for writing, as the server lists them.
struct PostgreSQLSessions {
    let connection: PostgreSQLConnection
    let schema: String

    /// - Parameter server: A connection string.
    init(of schema: String, on server: String) throws {
        connection = try PostgreSQLConnection(server, program: "tests")
        self.schema = schema
    }

    /// They have the advisory lock of the schema.
    private var condition: String {
        """
        a.pid IN (SELECT l.pid FROM pg_locks AS l JOIN pg_namespace AS n \
        ON l.objid::bigint = (n.oid::bigint + 2147483648) % 4294967296 \
        WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND n.nspname = '\(schema)')
        """
    }

    /// The states of the connections, such as `idle in transaction`.
    func states() throws -> [String] {
        try connection.query("SELECT a.state FROM pg_stat_activity AS a WHERE \(condition)").rows.map {
            $0.text(0) ?? ""
        }
    }

    /// Ends the connections.
    ///
    /// - Returns: Their number.
    @discardableResult
    func terminate() throws -> Int {
        let ended = try connection.query(
            "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a WHERE \(condition)")
        // Until then, they have their locks.
        while try connection.query("SELECT FROM pg_stat_activity AS a WHERE \(condition)").count > 0 {}
        return ended.count
    }
}
