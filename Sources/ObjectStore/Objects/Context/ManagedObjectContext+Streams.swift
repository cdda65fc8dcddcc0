extension ManagedObjectContext {
    /// Returns a stream of the rows that `rows` would return for the saved state. It can be sent to another queue.
    ///
    /// - Parameters:
    ///   - request: The objects of the rows.
    ///   - columns: The columns of each row.
    ///   - groups: The keys that group the objects.
    ///   - having: The condition for the groups, as in `rows`.
    ///   - distinct: Whether equal rows are omitted.
    public func stream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        having: FetchPredicate = .all, distinct: Bool = false
    ) throws -> sending RowStream {
        // The cursor of a store works without the store, and no other stream is beside it.
        nonisolated(unsafe) let stream = try makeStream(
            request, of: columns, groupedBy: groups, having, isDistinct: distinct, beside: nil)
        return stream
    }

    /// Returns a stream of the rows that `rows` would return for the state of another stream.
    ///
    /// Both streams belong to one queue and are interrupted together.
    ///
    /// - Parameters:
    ///   - request: The objects of the rows.
    ///   - columns: The columns of each row.
    ///   - groups: The keys that group the objects.
    ///   - having: The condition for the groups, as in `rows`.
    ///   - distinct: Whether equal rows are omitted.
    ///   - other: A stream of the state that the new stream is to read. With several stores, it is ignored.
    public func stream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        having: FetchPredicate = .all, distinct: Bool = false, beside other: RowStream
    ) throws -> RowStream {
        try makeStream(request, of: columns, groupedBy: groups, having, isDistinct: distinct, beside: other)
    }

    /// Returns the rows of a typed stream.
    @usableFromInline
    func rowStream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], beside other: RowStream?
    ) throws -> RowStream {
        try makeStream(request, of: columns, groupedBy: [], .all, isDistinct: false, beside: other)
    }

    private func makeStream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String],
        _ having: FetchPredicate, isDistinct: Bool, beside other: RowStream?
    ) throws -> RowStream {
        try refuseInChild("streams, which read the saved state")
        let request = try routed(request)
        let query = StoreQuery(
            request: request.request, columns: columns, groupedBy: groups, having: having,
            isDistinct: isDistinct)
        // A store with one connection shows the saved state only without a transaction.
        let isAlone = request.places.contains { place in
            (place.store as? any ParallelReadable).map { $0.readerOpening() == nil } ?? false
        }
        if isAlone, coordinator.batch == nil { coordinator.abandonWriter() }
        if let store = request.onlyStore {
            let cursor =
                try other.map { try store.cursor(query, beside: $0.cursor) } ?? store.cursor(query)
            return RowStream(columns: columns, cursor: cursor)
        }
        return RowStream(columns: columns, cursor: try SpanningFetch(request, model).cursor(query))
    }

    /// Returns a stream of the objects that match a request in the state that is saved now.
    ///
    /// That state determines the objects and their order, but each object has its current values. Only one object is
    /// in memory at a time, unless the program keeps them.
    public func stream<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> ObjectStream<Object>
    {
        try refuseInChild("streams, which read the saved state")
        let request = try routed(request)
        let entity = request.request.entity
        let rows = try SpanningFetch(request, model).savedRows(of: entity.objectColumns)
        let registries = request.places.map { registry(of: entity, at: $0.position) }
        return ObjectStream(context: self, registries: registries, rows: rows)
    }
}
