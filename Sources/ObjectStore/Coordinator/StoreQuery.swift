/// A fetch of rows as a store sees it.
public struct StoreQuery: Sendable {
    public var request: StoreRequest
    public var columns: [FetchColumn]
    /// The keys whose equal values make a group; with none of them, an aggregate is one of all objects.
    public var groupedBy: [String]
    /// Whether a row that equals another is left out.
    public var isDistinct: Bool

    public init(
        request: StoreRequest, columns: [FetchColumn], groupedBy: [String] = [], isDistinct: Bool = false
    ) {
        self.request = request
        self.columns = columns
        self.groupedBy = groupedBy
        self.isDistinct = isDistinct
    }

    /// Whether a row stands for a group of objects instead of one.
    public var isAggregate: Bool {
        !groupedBy.isEmpty
            || columns.contains { column in
                if case .key = column { false } else { true }
            }
    }
}
