/// A request and the stores that it is asked of.
struct RoutedRequest {
    let request: StoreRequest
    let places: [StorePlace]

    /// Nil when there are several stores, or none.
    var onlyStore: (any PersistentStore)? { places.count == 1 ? places[0].store : nil }
}

/// A fetch from several stores: each finds its rows in order, and here they are merged.
///
/// What one store leaves equal comes by ids, and what has the same id by the order of the stores.
struct SpanningFetch {
    private let request: StoreRequest
    private let places: [StorePlace]
    private let model: ManagedObjectModel

    init(_ routed: RoutedRequest, _ model: ManagedObjectModel) {
        request = routed.request
        places = routed.places
        self.model = model
    }

    // MARK: - Answers

    func count() throws -> Int {
        let part = part
        let found = try places.reduce(0) { $0 + (try $1.store.count(part)) }
        let left = max(found - request.rowOffset, 0)
        return request.rowLimit.map { min(left, $0) } ?? left
    }

    /// Calls `body` for each row of the columns, unsaved changes included.
    func forEachRow(
        of columns: [FetchColumn], _ body: (StorePlace, ArraySlice<AttributeValue>) throws -> Void
    ) throws {
        let rows = try merged(columns, Self.presentRows)
        while let (source, row) = try rows.nextRow() { try body(places[source], row) }
    }

    /// The rows of the columns as they are saved now.
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

    /// Rows that are added up or have to differ are found when the cursor is made, others as they are wanted.
    func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        if query.isAggregate { return FetchedRowsCursor(try groups(query, Self.savedRows)) }
        if query.isDistinct { return FetchedRowsCursor(try distinctRows(query, Self.savedRows)) }
        return try merged(query.columns, Self.savedRows)
    }

    func explanation() throws -> FetchExplanation {
        let parts = try places.map { ($0.name, try $0.store.explanation(of: part)) }
        return FetchExplanation(
            statement: parts.map(\.1.statement).joined(separator: ";\n"),
            bindings: parts.flatMap(\.1.bindings),
            plan: parts.flatMap { name, part in ["in \(name)"] + part.plan.map { "  " + $0 } })
    }

    // MARK: - Parts

    private typealias Source = @Sendable (any PersistentStore, StoreQuery) throws -> any StoreCursor

    private static let presentRows: Source = { FetchedRowsCursor(try $0.rows($1)) }
    private static let savedRows: Source = { try $0.cursor($1) }

    /// What each store is asked for: of the whole, any of them may have the first rows.
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
            return MergedRows(try places.map { try source($0.store, query) }, width: columns.count)
        }
        let isByID = request.order.contains { $0.key == "id" }
        let terms = request.order + (isByID ? [] : [FetchOrder("id")])
        let query = StoreQuery(request: part, columns: columns + terms.map { .key($0.key) })
        return MergedRows(
            try places.map { try source($0.store, query) }, width: columns.count,
            order: try RowOrder(terms, of: request.entity, in: model), offset: request.rowOffset,
            limit: request.rowLimit)
    }

    /// Only rows that differ count against a limit.
    private func distinctRows(_ query: StoreQuery, _ source: Source) throws -> FetchedRows {
        let merged = try unlimited.merged(query.columns, source)
        var rows = RowCollector(query)
        while let row = try merged.next() { rows.add(row) }
        return rows.fetched(cutBy: request)
    }

    /// Averages cannot be merged, so what is added up is the values themselves.
    private func groups(_ query: StoreQuery, _ source: Source) throws -> FetchedRows {
        var groups = try RowGroups(query, in: model)
        var whole = unlimited.request
        whole.order = []
        // Rows need a column, and the number of objects is none.
        let columns = [FetchColumn.key("id")] + groups.keys.map { .key($0.path) }
        for place in places {
            let rows = try source(place.store, StoreQuery(request: whole, columns: columns))
            while let row = try rows.next() { groups.add { row[$0 + 1] } }
        }
        return try groups.rows()
    }
}

extension Entity {
    /// What a row has to hold for an object to be made of it: its id, then its values.
    var objectColumns: [FetchColumn] {
        [.key("id")] + columns.map { .key($0.name) }
    }
}
