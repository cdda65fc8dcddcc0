public import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore {
    public func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        try reading {
            guard let row = try reader.row(id, of: entity) else { return nil }
            return known(row, id, of: entity)
        }
    }

    /// Returns a row without its version, which is remembered for the next write of the row.
    private func known(_ row: RowValues, _ id: Int64, of entity: Entity) -> RowValues {
        versions.read(id, entity: entity.index, version: row.version)
        return row.withoutVersion
    }

    public func fetch(
        _ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void
    ) throws {
        try readingRows { willPassRow in
            var translator = try SelectTranslator(request, layout)
            guard let statement = try translator.objects() else {
                return try RowQuery(request, model: model).forEach(in: reader) { id, row in
                    willPassRow()
                    try body(id) { known(row, id, of: request.entity) }
                }
            }
            let table = layout.table(of: request.entity)
            try reader.forEach(statement, limit: request.rowLimit) { row in
                willPassRow()
                let id = row.integer(0)
                try body(id) {
                    versions.read(id, entity: request.entity.index, version: row.integer(1))
                    return try reader.values(row, table, hasVersion: false)
                }
                return true
            }
        }
    }

    public func ids(_ request: StoreRequest) throws -> [Int64] {
        try reading {
            var translator = try SelectTranslator(request, layout)
            guard let statement = try translator.ids() else {
                return try RowQuery(request, model: model).ids(in: reader)
            }
            return reader.ids(try reader.run(statement))
        }
    }

    public func ids(
        of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?
    ) throws -> [Int64] {
        try reading {
            guard let ids = try reader.ids(of: entity, at: column, equal: value, options: []) else {
                return try self.ids(of: entity, with: [value], inColumns: [column], limit: limit)
            }
            return limit.map { Array(ids.prefix($0)) } ?? ids
        }
    }

    public func count(_ request: StoreRequest) throws -> Int {
        try reading {
            var translator = try SelectTranslator(request, layout)
            guard let statement = try translator.count() else {
                return try RowQuery(request, model: model).count(in: reader)
            }
            return Int(try reader.run(statement)[0].integer(0))
        }
    }

    public func rows(_ query: StoreQuery) throws -> FetchedRows {
        try reading { try reader.rows(query) }
    }

    public func rows(_ fetch: PreparedFetch, with values: [String: AttributeValue]) throws -> FetchedRows {
        var rows = FetchedRows(columns: fetch.query.columns)
        try forEachRow(fetch, with: values) { row in rows.append { row.value(at: $0) } }
        return rows
    }

    public func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws {
        try readingRows { willPassRow in
            try reader.forEachRow(query) {
                willPassRow()
                try body($0)
            }
        }
    }

    public func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        try readingRows { willPassRow in
            try reader.forEachRow(fetch, with: values) {
                willPassRow()
                try body($0)
            }
        }
    }

    public func explanation(of request: StoreRequest) throws -> FetchExplanation {
        try reading {
            var translator = try SelectTranslator(request, layout)
            let whole = try translator.objects()
            let statement = whole ?? translator.candidates()
            let steps = try reader.connection.query(
                "EXPLAIN \(statement.sql)", statement.bindings.parameters)
            var plan = (0..<steps.count).map { steps[$0].text(0) ?? "" }
            if whole == nil { plan += try RowQuery(request, model: model).explanation().plan.dropFirst() }
            return FetchExplanation(
                statement: statement.sql, bindings: statement.bindings.values, plan: plan)
        }
    }

    public func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        try reading { try reader.linkedIDs(link, of: id) }
    }

    public func forEachPair(
        _ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void
    ) throws {
        try readingRows { willPassRow in
            try reader.forEachPair(link, of: ids) {
                willPassRow()
                body($0, $1)
            }
        }
    }

    // MARK: - Saved states

    public func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        try reading {
            isInMigration ? try reader.cursor(query) : try SavedState(of: self).cursor(query)
        }
    }

    public func cursor(_ query: StoreQuery, beside other: any StoreCursor) throws -> any StoreCursor {
        guard let other = other as? SavedStateCursor else { return try cursor(query) }
        return try other.state.cursor(query)
    }

    public func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor
    {
        guard let other = other as? SavedStateCursor else {
            return FetchedRowsCursor(try allPairs(link, of: entity))
        }
        return try other.state.pairs(link)
    }
}
