/// A store that executes statements in SQL that a program has written.
///
/// Each entity is a table with the columns `id`, those of its attributes, and those of its to-one relationships, which have
/// the IDs of their targets.
public protocol SQLExecuting: PersistentStore {
    /// Calls `body` with each row of a statement that reads. The row is valid until `body` returns.
    ///
    /// - Throws: An ``SQLError`` if the statement is not one query, or would change the store.
    func query(
        _ statement: String, with values: [AttributeValue], _ body: (any SQLRow) throws -> Void) throws

    /// Executes an INSERT, UPDATE or DELETE in the open transaction, and returns the number of changed rows.
    ///
    /// - Throws: An ``SQLError`` if the statement is not one of these.
    func change(_ statement: String, with values: [AttributeValue]) throws -> Int
}

/// A row of a statement in SQL.
public protocol SQLRow {
    /// The names of the columns.
    var columnNames: [String] { get }

    /// Returns the value of a column as that of an attribute of one of these types, or `nil` if it is none.
    func value(at column: Int, as types: [AttributeType]) -> AttributeValue?
}

/// An error in a statement in SQL that a program has written.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The statement, with `?` for each value.
    public let statement: String
    /// The problem.
    public let message: String
    /// The position of the problem in the UTF-8 of the statement, or `nil` if it concerns all of it.
    public let offset: Int?

    /// Creates an error, for a store that you implement.
    public init(in statement: String, _ message: String, offset: Int? = nil) {
        self.statement = statement
        self.message = message
        self.offset = offset
    }

    /// `no such column: titel, at 7 of: SELECT titel FROM Book`
    public var description: String {
        "\(message), \(offset.map { "at \($0) of" } ?? "in"): \(statement)"
    }
}
