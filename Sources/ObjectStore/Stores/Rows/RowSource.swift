/// A store that has its rows at hand in memory, and leaves it to a `RowQuery` to answer requests from them.
///
/// It is all that a store of your own kind has to offer to understand every predicate, order and aggregate:
/// `PersistentStore` asks for two of the four functions anyway.
public protocol RowSource {
    /// The values of one object; nil when there is none of this id.
    func row(_ id: Int64, of entity: Entity) throws -> RowValues?

    /// Calls `body` for each object of the entity by ascending ids, until it returns false.
    func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Bool) throws

    /// The ids at the far end of a many-to-many relationship, sorted.
    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64]

    /// The ids of the objects that have a value in a column, in any order, if the source keeps an index that
    /// compares as `options` say; nil when it does not, and every row has to be looked at.
    func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue,
        options: FetchPredicate.StringOptions
    ) throws -> [Int64]?
}

extension RowSource {
    public func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue,
        options: FetchPredicate.StringOptions
    ) throws -> [Int64]? {
        nil
    }
}
