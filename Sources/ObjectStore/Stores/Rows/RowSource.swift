/// A source of rows in memory, on which a `RowQuery` evaluates requests.
///
/// A custom store that implements this protocol supports every predicate, order and aggregate.
/// `PersistentStore` requires two of the four functions anyway.
public protocol RowSource {
    /// Returns the values of one object, or `nil` if there is no object with this ID.
    func row(_ id: Int64, of entity: Entity) throws -> RowValues?

    /// Calls `body` for each object of the entity, in ascending order of the IDs, until it returns false.
    func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Bool) throws

    /// Returns the IDs at the other end of a many-to-many relationship, sorted.
    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64]

    /// Returns the IDs of the objects that have a value in a column, in any order.
    ///
    /// - Returns: the IDs, or `nil` if the source has no index of the column that compares as `options` say.
    ///   Every row of the entity is then evaluated.
    func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue,
        options: StringOptions
    ) throws -> [Int64]?

    /// Returns the IDs of the objects that have these values in columns that are unique together, in any order.
    ///
    /// - Returns: the IDs, or `nil` if the source has no index of these columns.
    func ids(of entity: Entity, at columns: [Int], equal values: [AttributeValue]) throws -> [Int64]?
}

/// A source of rows that can omit most of the rows for which a predicate is false.
package protocol NarrowingRowSource: RowSource {
    /// Calls `body` for each object for which the predicate may be true, in ascending order of the IDs, until it returns false.
    func forEachCandidate(of predicate: ResolvedPredicate, _ body: (Int64, RowValues) throws -> Bool) throws
}

extension RowSource {
    public func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue,
        options: StringOptions
    ) throws -> [Int64]? {
        nil
    }

    public func ids(of entity: Entity, at columns: [Int], equal values: [AttributeValue]) throws -> [Int64]? {
        nil
    }
}
