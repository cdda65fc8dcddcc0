/// A column of a query with its resolved key.
package struct QueryColumn {
    let column: FetchColumn
    /// The key, or `nil` for the number of objects.
    package let key: FetchKey?
    /// The type of the values.
    package let type: AttributeType
}

extension StoreQuery {
    /// Returns the columns after checking that their keys exist and that the aggregates support the types of the keys.
    package func checkedColumns(in model: ManagedObjectModel) throws(FetchError) -> [QueryColumn] {
        guard !columns.isEmpty else { throw FetchError(.unsupported, "rows need at least one column") }
        if isAggregate {
            for case .key(let key) in columns where !groupedBy.contains(key) {
                throw FetchError(
                    .unsupported, "\(key) differs within a group; group by it or take an aggregate of it")
            }
            for case .values(let key) in columns {
                throw FetchError(
                    .unsupported, "the values of \(key) differ within a group; read them without groups")
            }
        } else if having.root != .constant(true) {
            throw FetchError(
                .unsupported, "a condition for groups needs keys that group the objects, or an aggregate")
        }
        var checked: [QueryColumn] = []
        for column in columns { checked.append(try check(column, model)) }
        return checked
    }

    /// Returns a column after checking that its key exists and that the aggregate supports its type.
    func check(_ column: FetchColumn, _ model: ManagedObjectModel) throws(FetchError) -> QueryColumn {
        guard let path = column.key else { return QueryColumn(column: column, key: nil, type: .integer64) }
        if case .values = column {
            let key = try FetchKey(path, of: request.entity, in: model, isOfValues: true)
            return QueryColumn(column: column, key: key, type: .string)
        }
        let key = try FetchKey(path, of: request.entity, in: model)
        let type: AttributeType
        switch column {
        case .key, .values, .count:
            type = key.type
        case .min, .max:
            guard key.type.isOrdered else {
                throw FetchError(
                    .unsupported,
                    "\(column.name) needs an order, which \(key.type.rawValue) does not have")
            }
            type = key.type
        case .sum:
            try requireNumber(key, column)
            type = key.type == .double || key.type == .decimal ? key.type : .integer64
        case .average:
            try requireNumber(key, column)
            type = .double
        }
        return QueryColumn(column: column, key: key, type: type)
    }

    private func requireNumber(_ key: FetchKey, _ column: FetchColumn) throws(FetchError) {
        guard [.integer16, .integer32, .integer64, .double, .decimal, .boolean].contains(key.type) else {
            throw FetchError(
                .unsupported,
                "\(column.name) needs a number; \(key.path) is of the type \(key.type.rawValue)")
        }
    }
}
