internal import ObjectStore
internal import PostgreSQLDriver

/// The place of a store: a connection string of libpq, and the schema in the database.
///
///     schema=reminders service=todod
///     schema=reminders host=/run/postgresql dbname=home
///     service=todod                               the schema "objectstore"
struct StorePlace {
    static let defaultSchema = "objectstore"
    private static let keyword = "schema="

    let schema: String
    let connection: String

    /// Reads the path of a configuration. The schema is at its beginning, because libpq does not know this keyword.
    init(path: String) {
        guard path.hasPrefix(Self.keyword) else {
            (schema, connection) = (Self.defaultSchema, path)
            return
        }
        let parts = path.dropFirst(Self.keyword.count).split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        schema = String(parts[0])
        connection = parts.count > 1 ? String(parts[1]) : ""
    }

    /// Returns the path of a configuration.
    static func path(connection: String, schema: String) -> String {
        "\(keyword)\(schema) \(connection)"
    }

    /// Returns the store in messages. The connection string may have a password, so it is not part of it.
    func description(_ connection: PostgreSQLConnection) -> String {
        "the schema \(schema) of \(connection.place)"
    }
}
