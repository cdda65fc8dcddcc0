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
        return bound
    }
}

extension ManagedObjectContext {
    /// Prepares a fetch of rows to run it many times. The parameters are those of `rows`.
    public func prepare<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false
    ) throws -> PreparedFetch {
        PreparedFetch(
            StoreQuery(
                request: try storeRequest(request), columns: columns, groupedBy: groups, isDistinct: distinct),
            affectedStores: request.affectedStores)
    }

    /// Returns the rows of a prepared fetch, including unsaved changes. Throws if a variable has no value.
    public func rows(_ fetch: PreparedFetch, _ values: [String: AttributeValue] = [:]) throws -> FetchedRows {
        try writeChanges()
        if let store = try onlyStore(of: fetch) { return try store.rows(fetch, values) }
        return try spanningRows(fetch, values)
    }

    /// Calls `body` with each row in place, without copying it. The row is valid until `body` returns.
    public func forEachRow(
        _ fetch: PreparedFetch, _ values: [String: AttributeValue] = [:],
        _ body: (any StoreRow) throws -> Void
    ) throws {
        try writeChanges()
        if let store = try onlyStore(of: fetch) { return try store.forEachRow(fetch, values, body) }
        for row in try spanningRows(fetch, values) { try body(row) }
    }

    private func onlyStore(of fetch: PreparedFetch) throws -> (any PersistentStore)? {
        let places = try places(of: fetch)
        return places.count == 1 ? places[0].store : nil
    }

    private func places(of fetch: PreparedFetch) throws -> [StorePlace] {
        try coordinator.places(of: fetch.query.request.entity, among: fetch.affectedStores)
    }

    private func spanningRows(
        _ fetch: PreparedFetch, _ values: [String: AttributeValue]
    ) throws -> FetchedRows {
        let query = fetch.query(values)
        let request = RoutedRequest(request: query.request, places: try places(of: fetch))
        return try SpanningFetch(request, model).rows(query)
    }
}
