/// A fetch of rows that a store executes.
public struct StoreQuery: Sendable {
    public var request: StoreRequest
    public var columns: [FetchColumn]
    /// The keys that group the objects. Without keys, an aggregate covers all objects.
    public var groupedBy: [String]
    /// Whether duplicate rows are omitted.
    public var isDistinct: Bool

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
