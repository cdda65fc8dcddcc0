extension RowQuery {
    /// Returns the rows of a query, in order.
    public static func rows(
        _ query: StoreQuery, in source: some RowSource, model: ManagedObjectModel
    ) throws -> FetchedRows {
        query.isAggregate
            ? try groups(query, in: source, model: model) : try objects(query, in: source, model: model)
    }

    /// Returns one row for each object.
    private static func objects(
        _ query: StoreQuery, in source: some RowSource, model: ManagedObjectModel
    ) throws -> FetchedRows {
        let columns = try query.checkedColumns(in: model)
        let request = try RowQuery(query.request, model: model)
        // Duplicates do not count towards the limit, so the limit is applied after they are removed.
        let unlimited = query.isDistinct ? try request.withoutLimit() : request
        var rows = RowCollector(query)
        try unlimited.forEachSubject(in: source) { subject in
            rows.add(try columns.map { try $0.key.map(subject.value) ?? .null })
        }
        return rows.fetched(cutBy: query.isDistinct ? request.request : nil)
    }

    private func withoutLimit() throws -> RowQuery {
        var request = request
        request.limit = nil
        request.offset = 0
        return try RowQuery(request, model: model)
    }

    /// Returns one row for each group.
    private static func groups(
        _ query: StoreQuery, in source: some RowSource, model: ManagedObjectModel
    ) throws -> FetchedRows {
        var groups = try RowGroups(query, in: model)
        let keys = groups.keys
        // The order is that of the groups.
        var request = query.request
        request.order = []
        try RowQuery(request, model: model).forEachMatch(in: source) { subject in
            try groups.add { try subject.value(of: keys[$0]) }
            return true
        }
        return try groups.rows()
    }
}
