/// A fetch of rows that a store executes.
public struct StoreQuery: Sendable {
    /// The objects of the rows.
    public var request: StoreRequest
    /// The columns of each row.
    public var columns: [FetchColumn]
    /// The keys that group the objects. Without keys, an aggregate covers all objects.
    public var groupedBy: [String]
    /// The condition for the groups. It compares aggregates of the objects of a group, and the keys of the group.
    public var having: FetchPredicate
    /// Whether duplicate rows are omitted.
    public var isDistinct: Bool

    /// Creates a query.
    public init(
        request: StoreRequest, columns: [FetchColumn], groupedBy: [String] = [],
        having: FetchPredicate = .all, isDistinct: Bool = false
    ) {
        self.request = request
        self.columns = columns
        self.groupedBy = groupedBy
        self.having = having
        self.isDistinct = isDistinct
    }

    /// Whether a row describes a group of objects instead of one object.
    public var isAggregate: Bool {
        !groupedBy.isEmpty
            || columns.contains { $0.operation != nil }
    }
}
