internal import ObjectStore
internal import PostgreSQLDriver

/// A translator of one request into a SELECT statement.
///
///     SELECT t0."id" FROM "Book" AS t0 WHERE t0."pages" > $1 ORDER BY t0."title" NULLS FIRST, t0."id" LIMIT $2
///
/// Each of its functions is called at most once.
struct SelectTranslator {
    /// A statement with its parameters.
    struct Statement {
        let sql: String
        let bindings: StatementBindings
    }

    private let layout: Layout
    private let request: StoreRequest
    private let scope: TableScope
    private var translator: ConditionTranslator
    private let condition: ConditionTranslator.Condition

    /// Translates the predicate of a request.
    init(_ request: StoreRequest, _ layout: Layout) throws {
        let predicate =
            request.predicate.root == .constant(true)
            ? nil : try request.predicate.resolved(against: request.entity, in: layout.model)
        try self.init(request, predicate, layout)
    }

    /// Translates a predicate without a limit and an order.
    init(_ predicate: ResolvedPredicate, _ layout: Layout) throws {
        try self.init(StoreRequest(entity: predicate.entity), predicate, layout)
    }

    private init(_ request: StoreRequest, _ predicate: ResolvedPredicate?, _ layout: Layout) throws {
        self.layout = layout
        self.request = request
        scope = TableScope(layout.table(of: request.entity), layout)
        var translator = ConditionTranslator(scope)
        condition = if let predicate { try translator.condition(of: predicate) } else { .all }
        self.translator = translator
    }

    // MARK: - Statements

    /// Returns the statement for all rows for which the predicate may be true, in the order of their IDs.
    func candidates() -> Statement {
        Statement(
            sql: "SELECT \(scope.selection) FROM \(scope.tables)\(selection) ORDER BY \(scope.alias).\"id\"",
            bindings: translator.bindings)
    }

    /// Returns the statement for the rows of the request, or `nil` if not all of the request can be translated.
    mutating func objects() throws -> Statement? {
        try statement(scope.selection)
    }

    /// Returns the statement for the IDs, or `nil`.
    mutating func ids() throws -> Statement? {
        try statement("\(scope.alias).\"id\"")
    }

    /// Returns the statement for the number of objects, or `nil`.
    mutating func count() throws -> Statement? {
        // An order that does not exist is an error, and does not change the number.
        _ = try order()
        guard condition.isExact else { return nil }
        guard request.rowLimit != nil || request.rowOffset > 0 else {
            return Statement(
                sql: "SELECT count(*) FROM \(scope.tables)\(selection)", bindings: translator.bindings)
        }
        let limit = try limit()
        return Statement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM \(scope.tables)\(selection)\(limit)) AS found",
            bindings: translator.bindings)
    }

    /// Returns the statement for the rows of a query that has one row for each object, or `nil`.
    mutating func rows(of columns: [QueryColumn]) throws -> Statement? {
        var values: [String] = []
        for column in columns {
            guard let key = column.key, let value = value(of: key) else { return nil }
            values.append(value.sql)
        }
        return try statement(values.joined(separator: ", "))
    }

    private mutating func statement(_ columns: String) throws -> Statement? {
        guard let order = try order(), condition.isExact else { return nil }
        let limit = try limit()
        return Statement(
            sql: "SELECT \(columns) FROM \(scope.tables)\(selection) ORDER BY \(order)\(limit)",
            bindings: translator.bindings)
    }

    // MARK: - Parts

    private var selection: String {
        condition.sql == ConditionTranslator.Condition.all.sql ? "" : " WHERE \(condition.sql)"
    }

    private mutating func limit() throws -> String {
        var text = ""
        if let limit = request.rowLimit { text += " LIMIT \(try translator.bind(limit))" }
        if request.rowOffset > 0 { text += " OFFSET \(try translator.bind(request.rowOffset))" }
        return text
    }

    /// Returns the terms of the order, or `nil` if one of them cannot be translated. The IDs decide between equal objects.
    private func order() throws(FetchError) -> String? {
        var terms: [String] = []
        var isTranslated = true
        for order in request.order {
            let key = try FetchKey(order.key, of: request.entity, in: layout.model)
            guard let value = value(of: key, order) else {
                isTranslated = false
                continue
            }
            let nilIsFirst = order.isAscending && !order.nilIsLast
            terms.append(
                value + (order.isAscending ? " ASC" : " DESC") + " NULLS "
                    + (nilIsFirst ? "FIRST" : "LAST"))
        }
        if !request.order.contains(where: { $0.key == "id" }) { terms.append("\(scope.alias).\"id\"") }
        return isTranslated ? terms.joined(separator: ", ") : nil
    }

    private func value(of key: FetchKey, _ order: FetchOrder) -> String? {
        guard let value = value(of: key) else { return nil }
        var sql = value.sql
        if !order.options.isEmpty, key.type == .string {
            guard let column = key.column,
                let folded = value.table.foldedColumn(of: column, order.options)
            else { return nil }
            sql = "\(value.alias).\(folded.name)"
        }
        guard order.zeroIsNil else { return sql }
        switch value.type {
        case .integer, .double, .numeric: return "nullif(\(sql), 0)"
        case .boolean: return "nullif(\(sql), FALSE)"
        case .text, .bytes, .uuid, .array: return sql
        }
    }

    /// Returns the expression of a key, or `nil` for a count or the values of a collection.
    private func value(
        of key: FetchKey
    ) -> (sql: String, alias: String, table: TableLayout, type: PostgreSQLType)? {
        guard key.collection == nil, key.listed == nil else { return nil }
        let (alias, table) = scope.end(of: key.hops)
        guard let column = key.column else { return ("\(alias).\"id\"", alias, table, .integer) }
        return ("\(alias).\(table.columns[column].name)", alias, table, table.columns[column].type)
    }
}
