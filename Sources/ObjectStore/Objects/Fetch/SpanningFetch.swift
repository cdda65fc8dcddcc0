/// A request and the stores that it searches.
struct RoutedRequest {
    let request: StoreRequest
    let places: [AddedStore]

    /// The only store of the request, or `nil` if there are several or none.
    var onlyStore: (any PersistentStore)? { places.count == 1 ? places[0].store : nil }

    /// Returns the request for one of the stores.
    func request(at place: AddedStore) -> StoreRequest {
        // With one store, the request is for it already.
        places.count == 1 ? request : request.inStore(place.objectIdentifier)
    }
}

/// A fetch from several stores. Each store returns its rows in order, and this type merges them.
///
/// Rows that are equal in the order of the request are ordered by ID. Rows with the same ID are ordered by store.
struct SpanningFetch {
    private let request: StoreRequest
    private let places: [AddedStore]
    private let model: ManagedObjectModel

    init(_ routed: RoutedRequest, _ model: ManagedObjectModel) {
        request = routed.request
        places = routed.places
        self.model = model
    }

    // MARK: - Answers

    func count() throws -> Int {
        let part = part
        let found = try places.reduce(0) { $0 + (try $1.store.count(part.inStore($1.objectIdentifier))) }
        let left = max(found - request.rowOffset, 0)
        return request.rowLimit.map { min(left, $0) } ?? left
    }

    /// Calls `body` for each row, including unsaved changes.
    func forEachRow(
        of columns: [FetchColumn], _ body: (AddedStore, ArraySlice<AttributeValue>) throws -> Void
    ) throws {
        let rows = try merged(columns, Self.presentRows)
        while let (source, row) = try rows.nextRow() { try body(places[source], row) }
    }

    /// Returns the rows in their saved state.
    func savedRows(of columns: [FetchColumn]) throws -> MergedRows {
        try merged(columns, Self.savedRows)
    }

    func rows(_ query: StoreQuery) throws -> FetchedRows {
        if query.isAggregate { return try groups(query, Self.presentRows) }
        if query.isDistinct { return try distinctRows(query, Self.presentRows) }
        let merged = try merged(query.columns, Self.presentRows)
        var rows = FetchedRows(columns: query.columns)
        while let (_, row) = try merged.nextRow() { rows.append { row[row.startIndex + $0] } }
        return rows
    }

    /// Returns a cursor. Aggregates and distinct rows are computed at once, and other rows when they are read.
    func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        if query.isAggregate { return FetchedRowsCursor(try groups(query, Self.savedRows)) }
        if query.isDistinct { return FetchedRowsCursor(try distinctRows(query, Self.savedRows)) }
        return try merged(query.columns, Self.savedRows)
    }

    func explanation() throws -> FetchExplanation {
        let parts = try places.map { place in
            (place.name, try place.store.explanation(of: part.inStore(place.objectIdentifier)))
        }
        return FetchExplanation(
            statement: parts.map(\.1.statement).joined(separator: ";\n"),
            bindings: parts.flatMap(\.1.bindings),
            plan: parts.flatMap { name, part in ["in \(name)"] + part.plan.map { "  " + $0 } })
    }

    // MARK: - Parts

    private typealias Source = @Sendable (any PersistentStore, StoreQuery) throws -> any StoreCursor

    private static let presentRows: Source = { FetchedRowsCursor(try $0.rows($1)) }
    private static let savedRows: Source = { try $0.cursor($1) }

    /// The request for each store. It has no offset, because any of the stores may have the first rows.
    private var part: StoreRequest {
        var part = request
        part.offset = 0
        part.limit = request.rowLimit.flatMap { limit in
            let (end, isBeyond) = limit.addingReportingOverflow(request.rowOffset)
            return isBeyond ? nil : end
        }
        return part
    }

    private var unlimited: SpanningFetch {
        var whole = request
        whole.limit = nil
        whole.offset = 0
        return SpanningFetch(RoutedRequest(request: whole, places: places), model)
    }

    private func merged(_ columns: [FetchColumn], _ source: Source) throws -> MergedRows {
        guard places.count > 1, request.isOrdered else {
            let query = StoreQuery(request: request, columns: columns)
            return MergedRows(try cursors(query, source), width: columns.count)
        }
        let isByID = request.order.contains { $0.key == "id" }
        let terms = request.order + (isByID ? [] : [FetchOrder("id")])
        // A store returns its rows in any order if the request has neither an order nor a limit.
        var part = part
        part.order = terms
        let query = StoreQuery(request: part, columns: columns + terms.map { .key($0.key) })
        return MergedRows(
            try cursors(query, source), width: columns.count,
            order: try RowOrder(terms, of: request.entity, in: model), offset: request.rowOffset,
            limit: request.rowLimit)
    }

    /// Returns the cursors of the stores.
    private func cursors(_ query: StoreQuery, _ source: Source) throws -> [any StoreCursor] {
        try places.map { place in
            guard places.count > 1 else { return try source(place.store, query) }
            var part = query
            part.request = query.request.inStore(place.objectIdentifier)
            return try source(place.store, part)
        }
    }

    /// Returns the distinct rows. Limit and offset only count rows that differ.
    private func distinctRows(_ query: StoreQuery, _ source: Source) throws -> FetchedRows {
        let merged = try unlimited.merged(query.columns, source)
        var rows = RowCollector(query)
        while let row = try merged.next() { rows.add(row) }
        return rows.fetched(cutBy: request)
    }

    /// Returns the aggregates, computed from the values of all stores. Averages of single stores cannot be merged.
    private func groups(_ query: StoreQuery, _ source: Source) throws -> FetchedRows {
        var groups = try RowGroups(query, in: model)
        var whole = unlimited.request
        whole.order = []
        // A query needs at least one column, and a count has no key.
        let columns = [FetchColumn.key("id")] + groups.keys.map { .key($0.path) }
        for place in places {
            let request = whole.inStore(place.objectIdentifier)
            let rows = try source(place.store, StoreQuery(request: request, columns: columns))
            while let row = try rows.next() { groups.add { row[$0 + 1] } }
        }
        return try groups.rows()
    }
}

extension Entity {
    /// The columns from which an object is made: its ID, then its values.
    package var objectColumns: [FetchColumn] {
        [.key("id")] + columns.map { .key($0.name) }
    }
}
