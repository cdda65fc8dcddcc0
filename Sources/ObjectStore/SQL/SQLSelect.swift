/// Turns a request into the SELECT that answers it.
///
///     SELECT t0."id", t0."title" FROM "Book" AS t0 WHERE t0."pages" > ? ORDER BY t0."title", t0."id" LIMIT ?
struct SQLSelect {
    private let model: ManagedObjectModel
    private let request: StoreRequest
    private let scope: SQLScope

    init(_ request: StoreRequest, model: ManagedObjectModel) {
        self.model = model
        self.request = request
        scope = SQLScope(model: model, entity: request.entity)
    }

    /// The id and every column.
    func objects() throws -> SQLFragment {
        var columns = "\(scope.alias).\"id\""
        for column in request.entity.columns {
            columns += ", \(scope.alias).\(SQLFragment.quoted(column.name))"
        }
        return try select(columns, order: objectOrder())
    }

    /// The ids alone.
    func ids() throws -> SQLFragment {
        try select("\(scope.alias).\"id\"", order: objectOrder())
    }

    /// One row with the number of objects.
    func count() throws -> SQLFragment {
        if request.limit != nil || request.offset > 0 {
            return try "SELECT count(*) FROM (" + ids() + ")"
        }
        let condition = try condition()
        return "SELECT count(*) FROM \(scope.tables)" + condition
    }

    /// The columns of a query, and the types of their values.
    func rows(_ query: StoreQuery) throws -> (sql: SQLFragment, types: [AttributeType]) {
        guard !query.columns.isEmpty else { throw FetchError(.unsupported, "rows need at least one column") }
        let columns = try query.columns.map(column)
        let groups = try query.groupedBy.map { try scope.column(Self.keys($0)).sql }
        if query.isAggregate {
            for case .key(let key) in query.columns where !query.groupedBy.contains(key) {
                throw FetchError(
                    .unsupported, "\(key) differs within a group; group by it or take an aggregate of it")
            }
        }
        let text = (query.isDistinct ? "DISTINCT " : "") + columns.map(\.sql).joined(separator: ", ")
        let grouping = groups.isEmpty ? "" : " GROUP BY " + groups.joined(separator: ", ")
        // A group has no id of its own to decide between equals; its keys do.
        let order =
            query.isAggregate || query.isDistinct
            ? try request.order.map(key) + (request.order.isEmpty ? groups : []) : try objectOrder()
        return (try select(text, grouping: grouping, order: order), columns.map(\.type))
    }

    // MARK: - Parts

    private func select(_ columns: String, grouping: String = "", order: [String]) throws -> SQLFragment {
        // The condition comes before the tables: it finds out which have to be joined.
        let condition = try condition()
        var statement = SQLFragment("SELECT \(columns) FROM \(scope.tables)")
        statement.append(condition)
        statement.append(grouping)
        if !order.isEmpty { statement.append(" ORDER BY " + order.joined(separator: ", ")) }
        if let limit = request.limit {
            statement.append(" LIMIT " + .bound(.integer(Int64(limit))))
        } else if request.offset > 0 {
            statement.append(" LIMIT -1")
        }
        if request.offset > 0 {
            statement.append(" OFFSET " + .bound(.integer(Int64(request.offset))))
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
        let keys = try request.order.map(key)
        return request.order.contains { $0.key == "id" } ? keys : keys + ["\(scope.alias).\"id\""]
    }

    private func key(_ order: FetchOrder) throws -> String {
        let column = try scope.column(Self.keys(order.key))
        let isFolded = !order.options.isEmpty && column.type == .string
        let sql = isFolded ? "folded(\(column.sql), \(order.options.rawValue))" : column.sql
        return order.isAscending ? sql : sql + " DESC"
    }

    private func column(_ column: FetchColumn) throws -> (sql: String, type: AttributeType) {
        switch column {
        case .key(let key): return try scope.column(Self.keys(key))
        case .count: return ("count(*)", .integer64)
        case .min(let key):
            let value = try ordered(key, column)
            return ("min(\(value.sql))", value.type)
        case .max(let key):
            let value = try ordered(key, column)
            return ("max(\(value.sql))", value.type)
        case .sum(let key):
            let value = try number(key, column)
            return ("sum(\(value.sql))", value.type == .double ? .double : .integer64)
        case .average(let key): return ("avg(\(try number(key, column).sql))", .double)
        }
    }

    private func number(_ key: String, _ column: FetchColumn) throws -> (sql: String, type: AttributeType) {
        let value = try scope.column(Self.keys(key))
        guard [.integer16, .integer32, .integer64, .double, .boolean].contains(value.type) else {
            throw FetchError(
                .unsupported, "\(column.name) needs a number; \(key) is of the type \(value.type.rawValue)")
        }
        return value
    }

    private func ordered(_ key: String, _ column: FetchColumn) throws -> (sql: String, type: AttributeType) {
        let value = try scope.column(Self.keys(key))
        guard value.type.isOrdered else {
            throw FetchError(
                .unsupported, "\(column.name) needs an order, which \(value.type.rawValue) does not have")
        }
        return value
    }

    private static func keys(_ path: String) -> [String] {
        path.split(separator: ".").map(String.init)
    }
}
