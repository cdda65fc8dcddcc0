internal import ObjectStore
internal import PostgreSQLDriver

/// The statement of a prepared fetch, for all values of its variables that have the types of their attributes.
///
///     completed == NO AND dueDate >= $now AND dueDate <= $end
///
/// A fetch has such a statement if its predicate consists of comparisons of attributes with values and variables, joined by
/// AND. Then neither its text nor the number of its parameters depends on the values.
struct PreparedStatement {
    private enum Source {
        case fixed(AttributeValue)
        case variable(String, AttributeType)
    }

    let sql: String
    /// The types of the columns.
    let types: [AttributeType]
    private let sources: [(source: Source, type: PostgreSQLType)]

    /// Translates a fetch, or returns `nil` if its statement may depend on the values.
    init?(_ fetch: PreparedFetch, _ layout: Layout) throws {
        let query = fetch.query
        var search = VariableSearch(entity: query.request.entity)
        guard !query.isAggregate, !query.isDistinct, search.visit(query.request.predicate.root) else {
            return nil
        }
        // A value that is in the predicate for no other reason shows the parameter of each variable.
        var markers: [String: AttributeValue] = [:]
        for (number, variable) in search.variables.enumerated() {
            guard let marker = variable.type.marker(number), markers[variable.name] == nil else { return nil }
            markers[variable.name] = marker
        }
        let columns = try query.checkedColumns(in: layout.model)
        var translator = try SelectTranslator(fetch.query(markers).request, layout)
        guard let statement = try translator.rows(of: columns) else { return nil }
        let values = statement.bindings.values
        let parameterTypes = statement.bindings.parameters.types
        guard values.count == parameterTypes.count else { return nil }
        sql = statement.sql
        types = columns.map(\.type)
        var sources: [(Source, PostgreSQLType)] = []
        for (value, type) in zip(values, parameterTypes) {
            let variable = search.variables.first { markers[$0.name] == value }
            sources.append((variable.map { .variable($0.name, $0.type) } ?? .fixed(value), type))
        }
        self.sources = sources
        let found = sources.count { if case .variable = $0.0 { true } else { false } }
        guard found == search.variables.count else { return nil }
    }

    /// Returns the parameters, or `nil` if a value is missing or has another type than its attribute.
    func parameters(_ values: [String: AttributeValue]) throws(PostgreSQLError) -> PostgreSQLParameters? {
        var parameters = PostgreSQLParameters()
        for (source, type) in sources {
            let value: AttributeValue
            switch source {
            case .fixed(let fixed): value = fixed
            case .variable(let name, let attribute):
                guard let given = values[name], attribute.isTypeOfParameter(given) else { return nil }
                value = given
            }
            guard let stored = ColumnValue(value, type) else { return nil }
            if case .null = stored { return nil }
            try parameters.append(stored, type)
        }
        return parameters
    }
}

/// A search for the variables in a predicate.
private struct VariableSearch {
    let entity: Entity
    private(set) var variables: [(name: String, type: AttributeType)] = []

    init(entity: Entity) {
        self.entity = entity
    }

    /// Returns whether the node has only comparisons of attributes, joined by AND.
    mutating func visit(_ node: FetchPredicate.Node) -> Bool {
        switch node {
        case .constant: return true
        case .and(let nodes): return nodes.allSatisfy { visit($0) }
        case .comparison(let comparison):
            guard comparison.quantifier == .single, comparison.options.isEmpty,
                [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparison.comparator),
                let type = type(of: comparison.left)
            else { return false }
            switch comparison.right {
            case .constant: return true
            case .path(let path):
                guard case .variable(let name) = path.root, path.keys.isEmpty else { return false }
                variables.append((name, type))
                return true
            default: return false
            }
        case .or, .not: return false
        }
    }

    /// Returns the type of an attribute of the entity, or `nil` for another expression.
    private func type(of expression: FetchPredicate.Expression) -> AttributeType? {
        guard case .path(let path) = expression, case .object = path.root, path.keys.count == 1,
            let column = entity.columns.firstIndex(where: { $0.name == path.keys[0] }),
            column < entity.firstToOne
        else { return nil }
        return entity.columns[column].type
    }
}

extension AttributeType {
    /// Returns a value for a variable that is compared with an attribute of the type, or `nil` if the statement depends on the
    /// values of such variables.
    fileprivate func marker(_ number: Int) -> AttributeValue? {
        let unusual: Int64 = 0x5EED_0000_0000
        switch self {
        case .date: return .date(.init(secondsSince1970: Double(unusual + Int64(number)) + 0.5))
        case .double: return .double(Double(unusual + Int64(number)) + 0.5)
        case .integer16, .integer32, .integer64: return .integer(unusual + Int64(number))
        case .uuid: return .uuid(UUIDValue(high: UInt64(unusual), low: UInt64(number)))
        case .string, .uri, .boolean, .decimal, .binary: return nil
        }
    }

    /// Whether a value is one for which `marker` stands.
    fileprivate func isTypeOfParameter(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.date, .date), (.double, .double), (.uuid, .uuid), (.integer16, .integer),
            (.integer32, .integer), (.integer64, .integer):
            true
        default: false
        }
    }
}
