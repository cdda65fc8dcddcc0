/// A translator of one request into a SELECT statement.
///
///     SELECT t0."id", t0."title" FROM "Book" AS t0 WHERE t0."pages" > ? ORDER BY t0."title", t0."id" LIMIT ?
struct SQLSelect {
    private let model: ManagedObjectModel
    private let request: StoreRequest
    private let scope: SQLScope

    init(_ request: StoreRequest, model: ManagedObjectModel, hasSearchTables: Bool = true) {
        self.model = model
        self.request = request
        scope = SQLScope(model: model, entity: request.entity, hasSearchTables: hasSearchTables)
    }

    /// The kind of result a statement returns.
    enum Subject: Hashable {
        case objects, ids, count
        case rows(of: [FetchColumn], groupedBy: [String], isDistinct: Bool)
    }

    /// Returns the statement for a subject and, for `rows`, the types of the result columns.
    func statement(
        _ subject: Subject, having: FetchPredicate
    ) throws -> (sql: SQLFragment, types: [AttributeType]) {
        switch subject {
        case .objects: return (try objects(), [])
        case .ids: return (try ids(), [])
        case .count: return (try count(), [])
        case .rows(let columns, let groups, let isDistinct):
            return try rows(
                StoreQuery(
                    request: request, columns: columns, groupedBy: groups, having: having,
                    isDistinct: isDistinct))
        }
    }

    /// Returns a statement that selects the id and every column.
    func objects() throws -> SQLFragment {
        let columns = (["id"] + request.entity.columns.map(\.name)).map { "t0." + SQLFragment.quoted($0) }
        return try select(columns.joined(separator: ", "), order: objectOrder())
    }

    /// Returns a statement that selects only the ids.
    func ids() throws -> SQLFragment {
        try select("\(scope.alias).\"id\"", order: objectOrder())
    }

    /// Returns a statement that selects the number of objects as one row.
    func count() throws -> SQLFragment {
        if request.limit != nil || request.offset > 0 {
            return try "SELECT count(*) FROM (" + ids() + ")"
        }
        let condition = try condition()
        return "SELECT count(*) FROM \(scope.tables)" + condition
    }

    /// Returns a statement that selects the columns of a query, and the types of their values.
    func rows(_ query: StoreQuery) throws -> (sql: SQLFragment, types: [AttributeType]) {
        if query.isAggregate { return try groups(query) }
        let columns = try query.checkedColumns(in: model).map { column($0, in: scope) }
        let text = (query.isDistinct ? "DISTINCT " : "") + columns.map(\.sql).joined(separator: ", ")
        let order = query.isDistinct ? try request.order.map { try term($0, in: scope) } : try objectOrder()
        return (try select(text, order: order), columns.map(\.type))
    }

    /// Returns a statement that selects one row for each group.
    ///
    ///     SELECT t0."genre" FROM "Book" AS t0 GROUP BY t0."genre" HAVING count(*) > ? ORDER BY sum(t0."pages") DESC
    private func groups(_ query: StoreQuery) throws -> (sql: SQLFragment, types: [AttributeType]) {
        let groups = try QueryGroups(query, in: model)
        let columns = groups.columns.map { column($0, in: scope) }
        let computed = SQLScope(computing: columns.map(\.sql), of: groups.entity, model: groups.model)
        let keys = try query.groupedBy.map {
            scope.column(try FetchKey($0, of: request.entity, in: model)).sql
        }
        var grouping = SQLFragment(keys.isEmpty ? "" : " GROUP BY " + keys.joined(separator: ", "))
        if query.having.root != .constant(true) {
            grouping.append(try " HAVING " + SQLPredicate(scope: computed).condition(groups.having))
        }
        // Distinct rows can only be ordered by their own columns.
        let terms =
            query.isDistinct && !request.order.isEmpty
            ? groups.order.prefix(request.order.count) : groups.order[...]
        let order = try terms.map { try term($0, in: computed) }
        let selected = columns.prefix(query.columns.count)
        let text = (query.isDistinct ? "DISTINCT " : "") + selected.map(\.sql).joined(separator: ", ")
        return (try select(text, grouping: grouping, order: order), selected.map(\.type))
    }

    // MARK: - Parts

    private func select(_ columns: String, grouping: SQLFragment = SQLFragment(), order: [String]) throws
        -> SQLFragment
    {
        // The condition is built before the list of tables because it determines the joins.
        let condition = try condition()
        var statement = SQLFragment("SELECT \(columns) FROM \(scope.tables)")
        statement.append(condition)
        statement.append(grouping)
        if !order.isEmpty { statement.append(" ORDER BY " + order.joined(separator: ", ")) }
        if let limit = request.limit {
            statement.append(" LIMIT " + .bound(.integer(Int64(limit)), .limit))
        } else if request.offset > 0 {
            statement.append(" LIMIT -1")
        }
        if request.offset > 0 {
            statement.append(" OFFSET " + .bound(.integer(Int64(request.offset)), .offset))
        }
        return statement
    }

    private func condition() throws -> SQLFragment {
        guard request.predicate.root != .constant(true) else { return SQLFragment() }
        return try " WHERE " + SQLPredicate(scope: scope).condition(request.predicate)
    }

    private func objectOrder() throws -> [String] {
        let isCut = request.limit != nil || request.offset > 0
        guard isCut || !request.order.isEmpty else { return [] }
        let keys = try request.order.map { try term($0, in: scope) }
        return request.order.contains { $0.key == "id" } ? keys : keys + ["\(scope.alias).\"id\""]
    }

    private func term(_ order: FetchOrder, in scope: SQLScope) throws -> String {
        let column = scope.column(try FetchKey(order.key, of: scope.entity, in: scope.model))
        let isFolded = !order.options.isEmpty && column.type == .string
        var sql = isFolded ? "folded(\(column.sql), \(order.options.rawValue))" : Self.ordered(column)
        if order.zeroIsNil { sql = "nullif(\(sql), \(column.type == .decimal ? "decimal_rank('0')" : "0"))" }
        guard order.isAscending else { return sql + " DESC" }
        return order.nilIsLast ? sql + " NULLS LAST" : sql
    }

    /// Returns the SQL expression that orders rows by a column.
    private static func ordered(_ column: (sql: String, type: AttributeType)) -> String {
        column.type == .decimal ? "decimal_rank(\(column.sql))" : column.sql
    }

    private func column(_ checked: QueryColumn, in scope: SQLScope) -> (sql: String, type: AttributeType) {
        let value = checked.key.map { scope.column($0).sql } ?? "*"
        guard let operation = checked.column.operation else { return (value, checked.type) }
        let function =
            switch (operation, checked.key?.type) {
            case (_, .decimal): SQLFunctions.decimalName(of: operation)
            // SQLite's `sum` fails if an intermediate sum exceeds 64 bits, even if the result fits.
            case (.sum, .integer64): "integer_sum"
            default: operation.rawValue
            }
        return ("\(function)(\(value))", checked.type)
    }
}
