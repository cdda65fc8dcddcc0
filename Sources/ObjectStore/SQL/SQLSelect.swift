/// Turns a request into the SELECT that answers it.
struct SQLSelect {
    let model: ManagedObjectModel
    let request: StoreRequest
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
        return try select(columns)
    }

    /// The ids alone.
    func ids() throws -> SQLFragment {
        try select("\(scope.alias).\"id\"")
    }

    /// One row with the number of objects.
    func count() throws -> SQLFragment {
        if request.limit != nil || request.offset > 0 {
            return try "SELECT count(*) FROM (" + ids() + ")"
        }
        let condition = try condition()
        return "SELECT count(*) FROM \(scope.tables)" + condition
    }

    private func select(_ columns: String) throws -> SQLFragment {
        // The condition and the order come first: they find out which tables have to be joined.
        let condition = try condition()
        let order = try order()
        var statement = SQLFragment("SELECT \(columns) FROM \(scope.tables)")
        statement.append(condition)
        statement.append(order)
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
        guard let predicate = request.predicate, predicate.root != .constant(true) else {
            return SQLFragment()
        }
        return try " WHERE " + SQLPredicate(scope: scope).condition(predicate)
    }

    private func order() throws -> SQLFragment {
        let isCut = request.limit != nil || request.offset > 0
        guard isCut || !request.order.isEmpty else { return SQLFragment() }
        var keys = try request.order.map { order in
            try scope.column(order.key.split(separator: ".").map(String.init)).sql
                + (order.isAscending ? "" : " DESC")
        }
        if !request.order.contains(where: { $0.key == "id" }) { keys.append("\(scope.alias).\"id\"") }
        return SQLFragment(" ORDER BY " + keys.joined(separator: ", "))
    }
}
