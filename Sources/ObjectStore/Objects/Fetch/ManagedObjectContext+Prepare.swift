extension ManagedObjectContext {
    /// Prepares a fetch of rows to run it many times. The parameters are those of `rows`.
    public func prepare<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        having: FetchPredicate = .all, distinct: Bool = false
    ) throws -> PreparedFetch {
        PreparedFetch(
            StoreQuery(
                request: try routed(request).request, columns: columns, groupedBy: groups, having: having,
                isDistinct: distinct),
            affectedStores: request.affectedStores)
    }

    /// Returns the rows of a prepared fetch, including unsaved changes. Throws if a variable has no value.
    public func rows(_ fetch: PreparedFetch, with values: [String: AttributeValue] = [:]) throws
        -> FetchedRows
    {
        try beginReading()
        defer { endReading() }
        try deriveValues(usedBy: fetch.query)
        if let store = try onlyStore(of: fetch) { return try store.rows(fetch, with: values) }
        return try spanningRows(fetch, values)
    }

    /// Calls `body` with each row in place, without copying it. The row is valid until `body` returns.
    public func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue] = [:],
        _ body: (any StoreRow) throws -> Void
    ) throws {
        try beginReading()
        defer { endReading() }
        try deriveValues(usedBy: fetch.query)
        if let store = try onlyStore(of: fetch) { return try store.forEachRow(fetch, with: values, body) }
        for row in try spanningRows(fetch, values) { try body(row) }
    }

    private func onlyStore(of fetch: PreparedFetch) throws -> (any PersistentStore)? {
        let places = try places(of: fetch)
        return places.count == 1 ? places[0].store : nil
    }

    private func places(of fetch: PreparedFetch) throws -> [AddedStore] {
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
