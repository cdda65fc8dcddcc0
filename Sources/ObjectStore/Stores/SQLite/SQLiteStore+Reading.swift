internal import SQLiteDriver

extension SQLiteStore {
    /// Returns SQLite's `data_version` if another program may write to the store, or `nil` if none can.
    ///
    /// Unless it is shared, only the program that has opened the store for writing saves in it. Without that program, no
    /// version is needed.
    public func externalVersion() throws -> Int64? {
        guard isShared || isReadOnly && readingMode == .untouched else { return nil }
        return try translating {
            let statement = try statements.statement("PRAGMA data_version")
            defer { statement.reset() }
            return try statement.step() ? statement.integer(0) : nil
        }
    }

    public func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        try translating {
            let statement = try entities[entity.index].row(connection)
            statement.bind(id, at: 1)
            defer { statement.reset() }
            return try statement.step() ? try statement.values(of: entity) : nil
        }
    }

    public func fetch(
        _ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void
    ) throws {
        try searching { isBegun in
            let sql = try translations.statement(.objects, request)
            try translating {
                let statement = try statements.statement(sql)
                // Loaded here, so that the closure does not retain them for each row.
                let (entity, types, columnsToCheck) = (
                    request.entity, request.entity.columnTypes, request.entity.columnsToCheck
                )
                var rows = RowAllocator(columns: types.count, limit: request.limit)
                try run(statement, sql.bindings) { statement in
                    isBegun = true
                    try body(statement.integer(0)) {
                        var nulls = ColumnSet.none
                        let row = rows.makeRow { nulls = statement.appendValues(of: types, from: 1, to: &$0) }
                        if nulls.intersects(columnsToCheck) { try statement.checkNulls(row, of: entity) }
                        return row
                    }
                }
            }
        }
    }

    public func ids(_ request: StoreRequest) throws -> [Int64] {
        try searching { _ in
            var ids: [Int64] = []
            let sql = try translations.statement(.ids, request)
            try run(sql) { ids.append($0.integer(0)) }
            return ids
        }
    }

    /// Returns the IDs of the objects that have a value in a column, up to `limit`.
    ///
    /// This runs at every save of a unique attribute and for every relationship. No request is translated for
    /// a value that has only one form.
    public func ids(
        of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?
    ) throws -> [Int64] {
        switch value {
        case .integer, .string, .uuid: break
        default: return try ids(.init(entity: entity, with: value, inColumn: column, limit: limit))
        }
        var ids: [Int64] = []
        try translating {
            let statement = try entities[entity.index].ids(byColumn: column, connection)
            statement.bind(value, at: 1)
            statement.bind(Int64(limit ?? -1), at: 2)
            defer {
                statement.reset()
                statement.clearBindings()
            }
            while try statement.step() { ids.append(statement.integer(0)) }
        }
        return ids
    }

    /// Returns the IDs of the objects that have these values in these columns, up to `limit`.
    ///
    /// This runs at every save of an object with properties that are unique together.
    public func ids(
        of entity: Entity, with values: [AttributeValue], inColumns columns: [Int], limit: Int?
    ) throws -> [Int64] {
        let haveOneForm = values.allSatisfy { value in
            switch value {
            case .integer, .boolean, .string, .uuid: true
            default: false
            }
        }
        guard haveOneForm else {
            return try ids(StoreRequest(entity: entity, with: values, inColumns: columns, limit: limit))
        }
        var ids: [Int64] = []
        try translating {
            let statement = try entities[entity.index].ids(byColumns: columns, connection)
            statement.bind(values)
            statement.bind(Int64(limit ?? -1), at: Int32(values.count + 1))
            defer {
                statement.reset()
                statement.clearBindings()
            }
            while try statement.step() { ids.append(statement.integer(0)) }
        }
        return ids
    }

    public func count(_ request: StoreRequest) throws -> Int {
        try searching { _ in
            var count = 0
            let sql = try translations.statement(.count, request)
            try run(sql) { count = Int($0.integer(0)) }
            return count
        }
    }

    public func rows(_ query: StoreQuery) throws -> FetchedRows {
        try searching { _ in try rows(of: query.columns, translation(of: query)) }
    }

    public func rows(_ fetch: PreparedFetch, with values: [String: AttributeValue]) throws -> FetchedRows {
        try searching { _ in try rows(of: fetch.query.columns, translations.statement(fetch, values)) }
    }

    public func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        try searching { try forEachRow(translations.statement(fetch, values), &$0, body) }
    }

    public func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws {
        try searching { try forEachRow(translation(of: query), &$0, body) }
    }

    private func translation(of query: StoreQuery) throws -> TranslatedRequest {
        try translations.statement(
            .rows(of: query.columns, groupedBy: query.groupedBy, isDistinct: query.isDistinct), query.request,
            having: query.having)
    }

    private func forEachRow(
        _ sql: TranslatedRequest, _ isBegun: inout Bool, _ body: (any StoreRow) throws -> Void
    ) throws {
        try run(sql) { statement in
            isBegun = true
            try body(SQLiteRow(statement: statement, types: sql.types))
        }
    }

    private func rows(of columns: [FetchColumn], _ sql: TranslatedRequest) throws -> FetchedRows {
        var rows = FetchedRows(columns: columns)
        let types = sql.types
        try run(sql) { statement in
            rows.appendRow { statement.appendValues(of: types, from: 0, to: &$0) }
        }
        return rows
    }

    public func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        let (near, far) = Self.ends(of: link)
        let table = SQLFragment.quoted(link.table)
        let sql = SQLFragment("SELECT \(far) FROM \(table) WHERE \(near) = ? ORDER BY \(far)", [.integer(id)])
        var ids: [Int64] = []
        try run(sql) { ids.append($0.integer(0)) }
        return ids
    }

    public func forEachPair(
        _ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void
    ) throws {
        let (near, far) = Self.ends(of: link)
        let sql = SQLFragment(
            "SELECT \(near), \(far) FROM \(SQLFragment.quoted(link.table)) "
                + "WHERE \(near) IN (SELECT \"value\" FROM json_each(?)) ORDER BY \(near), \(far)",
            [.string("[" + ids.map(String.init).joined(separator: ",") + "]")])
        try run(sql) { body($0.integer(0), $0.integer(1)) }
    }

    public func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor
    {
        guard let other = other as? SQLiteCursor else {
            return FetchedRowsCursor(try allPairs(link, of: entity))
        }
        let (near, far) = Self.ends(of: link)
        let sql = SQLFragment(
            "SELECT \(near), \(far) FROM \(SQLFragment.quoted(link.table)) ORDER BY \(near), \(far)")
        return try SQLiteCursor(beside: other, sql: sql, types: [.integer64, .integer64])
    }

    /// Returns the columns of a many-to-many relationship, as seen from one end.
    private static func ends(of link: Entity.Link) -> (near: String, far: String) {
        link.isOwner ? (#""owner""#, #""other""#) : (#""other""#, #""owner""#)
    }

    func run(_ sql: SQLFragment, _ body: (SQLiteStatement) throws -> Void) throws {
        try translating { try run(statements.statement(sql.text), sql.bindings, body) }
    }

    // Inlined, because each row would pass through a closure more.
    @inline(__always)
    private func run(_ request: TranslatedRequest, _ body: (SQLiteStatement) throws -> Void) throws {
        try translating { try run(statements.statement(request), request.bindings, body) }
    }

    @inline(__always)
    private func run(
        _ statement: SQLiteStatement, _ bindings: [AttributeValue],
        _ body: (SQLiteStatement) throws -> Void
    ) throws {
        statement.bind(bindings)
        defer {
            statement.reset()
            statement.clearBindings()
        }
        while try statement.step() { try body(statement) }
    }
}
