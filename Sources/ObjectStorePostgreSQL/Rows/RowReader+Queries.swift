internal import CivilTime
internal import ObjectStore
internal import PostgreSQLDriver

extension RowReader {
    /// Returns the statement for a query with one row for each object, and the types of its columns, or `nil` if the rows have to
    /// be made in memory.
    private func statement(
        _ query: StoreQuery
    ) throws -> (statement: SelectTranslator.Statement, types: [AttributeType])? {
        guard !query.isAggregate, !query.isDistinct else { return nil }
        let columns = try query.checkedColumns(in: layout.model)
        var translator = try SelectTranslator(query.request, layout)
        return try translator.rows(of: columns).map { ($0, columns.map(\.type)) }
    }

    func rows(_ query: StoreQuery) throws -> FetchedRows {
        guard let (statement, types) = try statement(query) else {
            return try RowQuery.rows(query, in: self, model: layout.model)
        }
        var rows = FetchedRows(columns: query.columns)
        try forEach(statement, limit: query.request.rowLimit) { row in
            rows.append { row.value($0, types[$0]) }
            return true
        }
        return rows
    }

    func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        let isDone = try forEachRow(fetch, with: values) { row, types in
            try body(ResultRow(row: row, types: types))
        }
        if !isDone { try forEachRow(fetch.query(values), body) }
    }

    func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws {
        guard let (statement, types) = try statement(query) else {
            for row in try rows(query) { try body(row) }
            return
        }
        try forEach(statement, limit: query.request.rowLimit) { row in
            try body(ResultRow(row: row, types: types))
            return true
        }
    }

    /// Returns a cursor over the rows of a query. The transaction of the connection has to be open as long as the cursor.
    func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        guard let (statement, types) = try statement(query) else {
            return FetchedRowsCursor(try RowQuery.rows(query, in: self, model: layout.model))
        }
        return ResultCursor(
            try PostgreSQLCursor(
                on: connection, statement.sql, statement.bindings.parameters), types)
    }

    /// Returns a cursor over the pairs of a many-to-many relationship, sorted.
    func pairs(_ link: Entity.Link) throws -> any StoreCursor {
        let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
        let cursor = try PostgreSQLCursor(
            on: connection,
            "SELECT \"\(near)\", \"\(far)\" FROM \(layout.links[link.index].name) ORDER BY 1, 2")
        return ResultCursor(cursor, [.integer64, .integer64])
    }
}

/// A row of a result.
private struct ResultRow: StoreRow {
    let row: PostgreSQLRow
    let types: [AttributeType]

    func value(at column: Int) -> AttributeValue {
        row.value(column, types[column])
    }

    func integer(at column: Int) -> Int64? {
        guard !row.isNull(column) else { return nil }
        switch types[column] {
        case .integer16, .integer32, .integer64: return row.integer(column)
        case .boolean: return row.boolean(column) ? 1 : 0
        default: return nil
        }
    }

    func date(at column: Int) -> Timestamp? {
        guard types[column] == .date, !row.isNull(column) else { return nil }
        return Timestamp(secondsSince1970: row.real(column))
    }
}

/// A cursor over rows of the server.
private final class ResultCursor: StoreCursor {
    private let cursor: PostgreSQLCursor
    private let types: [AttributeType]

    init(_ cursor: PostgreSQLCursor, _ types: [AttributeType]) {
        self.cursor = cursor
        self.types = types
    }

    func next() throws -> [AttributeValue]? {
        try cursor.next().map { row in
            types.indices.map { row.value($0, types[$0]) }
        }
    }

    func nextInPlace() throws -> (any StoreRow)? {
        try cursor.next().map { ResultRow(row: $0, types: types) }
    }
}
