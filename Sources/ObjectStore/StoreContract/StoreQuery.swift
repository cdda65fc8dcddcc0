/// A fetch of rows that a store executes.
public struct StoreQuery: Sendable {
    /// The objects of the rows.
    public var request: StoreRequest
    /// The columns of each row.
    public var columns: [FetchColumn]
    /// The keys that group the objects. Without keys, an aggregate covers all objects.
    public var groupedBy: [String]
    /// Whether duplicate rows are omitted.
    public var isDistinct: Bool

    /// Creates a query.
    public init(
        request: StoreRequest, columns: [FetchColumn], groupedBy: [String] = [], isDistinct: Bool = false
    ) {
        self.request = request
        self.columns = columns
        self.groupedBy = groupedBy
        self.isDistinct = isDistinct
    }

    /// Whether a row describes a group of objects instead of one object.
    public var isAggregate: Bool {
        !groupedBy.isEmpty
            || columns.contains { column in
                if case .key = column { false } else { true }
            }
    }
}
