import SQLiteDriver

/// A second connection that has the database locked for writing until it is released.
final class Blocker {
    private let connection: SQLiteConnection

    init(path: String) throws {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
    }

    func release() { try? connection.execute("ROLLBACK") }
}
