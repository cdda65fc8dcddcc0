internal import Synchronization

/// A fetch of rows that is prepared once and can run many times, with different values for its `$variables`.
///
///     let late = try context.prepare(
///         FetchRequest<Book>(matching: try FetchPredicate("published < $year")), of: ["id", "title"])
///     let rows = try context.rows(late, ["year": .date(moment)])
///
/// A store that has already run the fetch only has to bind the values. Every context with
/// the same model can run it.
public struct PreparedFetch: Sendable {
    private static let lastNumber = Atomic(0)

    /// A number that no other fetch of the process has.
    public let number: Int
    /// The query, with its variables.
    public let query: StoreQuery
    let affectedStores: [UUIDValue]?

    init(_ query: StoreQuery, affectedStores: [UUIDValue]?) {
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        self.query = query
        self.affectedStores = affectedStores
    }

    /// Returns the query with values instead of the variables.
    public func query(_ values: [String: AttributeValue]) -> StoreQuery {
        var bound = query
        bound.request.predicate = query.request.predicate.binding(values)
        bound.having = query.having.binding(values)
        return bound
    }
}
