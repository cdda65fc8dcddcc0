internal import Synchronization

/// A fetch of rows that is made once and run again and again, each time with other values for its `$variables`.
///
///     let late = try context.prepare(
///         FetchRequest<Book>(matching: try FetchPredicate("published < $year")), of: ["id", "title"])
///     let rows = try context.rows(late, ["year": .date(moment)])
///
/// A store that knows it from before looks at nothing but the values. It belongs to the model of the context that has
/// made it, and serves every context of that model.
public struct PreparedFetch: Sendable {
    private static let lastNumber = Atomic(0)

    /// No other fetch of the process has it.
    public let number: Int
    /// With the variables in it.
    public let query: StoreQuery
    let affectedStores: [UUIDValue]?

    init(_ query: StoreQuery, affectedStores: [UUIDValue]?) {
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        self.query = query
        self.affectedStores = affectedStores
    }

    /// The query with values in the place of the variables.
    public func query(_ values: [String: AttributeValue]) -> StoreQuery {
        var bound = query
        bound.request.predicate = query.request.predicate.binding(values)
        return bound
    }
}

extension ManagedObjectContext {
    /// A fetch of rows to be run many times; it takes what `rows` takes.
    public func prepare<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false
    ) throws -> PreparedFetch {
        PreparedFetch(
            StoreQuery(
                request: try storeRequest(request), columns: columns, groupedBy: groups, isDistinct: distinct),
            affectedStores: request.affectedStores)
    }

    /// The rows of a prepared fetch, unsaved changes included. A variable that gets no value is an error.
    public func rows(_ fetch: PreparedFetch, _ values: [String: AttributeValue] = [:]) throws -> FetchedRows {
        try writeChanges()
        if let store = try onlyStore(of: fetch) { return try store.rows(fetch, values) }
        return try spanningRows(fetch, values)
    }

    /// Calls `body` with each of these rows where it lies: it is good until `body` returns, and costs no memory.
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
