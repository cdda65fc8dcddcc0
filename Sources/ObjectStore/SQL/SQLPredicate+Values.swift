extension SQLPredicate {
    /// Translates a value into an SQL expression that needs no parentheses around it.
    func value(_ value: ResolvedValue) throws -> SQLFragment {
        switch value {
        case .constant(let constant, let source):
            return self.constant(constant, source, folded: [])
        case .column(let path, let column):
            let alias = table(of: path)
            return SQLFragment(scope(path.frame).name(ofColumn: column, of: path.entity, in: alias))
        case .identity(let frame):
            return SQLFragment(name("id", in: scope(frame).alias))
        case .element(let step, let position, let value): return try element(of: step, position, value)
        case .aggregate(let operation, let collection, let element, let isDistinct):
            return try aggregate(operation, collection: collection, element: element, isDistinct: isDistinct)
        case .arithmetic(.power, let left, let right):
            try requireQuery()
            return try "power(" + self.value(left) + ", " + self.value(right) + ")"
        case .arithmetic(let sign, let left, let right):
            return try "(" + self.value(left) + " \(sign.sql) " + self.value(right) + ")"
        case .negation(let operand):
            return try "(0 - " + self.value(operand) + ")"
        case .function(let function, let operands):
            try requireQuery()
            let operands = try operands.map { operand in try self.value(operand) }
            return SQLFunctions.name(of: function) + "(" + .joined(operands, by: ", ") + ")"
        case .cast(let operand, let type, let target):
            try requireQuery()
            let name = type.attributeType?.rawValue ?? AttributeType.string.rawValue
            return try "cast_value(" + self.value(operand) + ", '\(name)', '\(target.rawValue)')"
        case .conditional(let test, let first, let second):
            try requireQuery()
            return try "CASE WHEN " + condition(test) + " THEN " + self.value(first) + " ELSE "
                + self.value(second) + " END"
        }
    }

    /// Returns the alias of the table that contains the object at the end of a path. Each hop is a join.
    private func table(of path: ResolvedPath) -> String {
        let scope = scope(path.frame)
        var alias = scope.alias
        var entity = path.start
        for hop in path.hops {
            alias = scope.join(entity.columns[hop.column].name, of: alias, to: hop.destination)
            entity = hop.destination
        }
        return alias
    }

    /// Returns the ID of the object at the end of a path, in the table that has its other columns, or `nil` if the
    /// statement cannot use search indexes.
    func identity(ofTable path: ResolvedPath) -> String? {
        let scope = scope(path.frame)
        guard scope.hasSearchTables else { return nil }
        return name("id", in: table(of: path))
    }

    private func name(_ column: String, in alias: String) -> String {
        SQLScope.name(column, in: alias)
    }

    /// Returns the id of the object at the end of a path. The column of the last hop contains it, without a
    /// join.
    private func identity(of path: ResolvedPath) -> String {
        var owner = path
        guard let last = owner.hops.popLast() else { return name("id", in: scope(path.frame).alias) }
        return name(owner.entity.columns[last.column].name, in: table(of: owner))
    }

    // MARK: - Collections

    /// Translates an aggregate, such as `(SELECT count(*) FROM "Book" AS t1 WHERE t1."publisher" = t0."id")`.
    private func aggregate(
        _ operation: FetchPredicate.CollectionOperator, collection: ResolvedCollection,
        element: ResolvedValue, isDistinct: Bool
    ) throws -> SQLFragment {
        let distinct = isDistinct ? "DISTINCT " : ""
        let function =
            element.isDecimal && operation != .count
            ? SQLFunctions.decimalName(of: operation)
            : operation == .sum || operation == .avg ? "exact_\(operation.rawValue)" : operation.rawValue
        return try subselect(collection, where: nil) { inner in
            if case .identity = element, operation == .count, !isDistinct { return SQLFragment("count(*)") }
            let result = try "\(function)(\(distinct)" + inner.value(element) + ")"
            return element.isDecimal && operation == .sum ? "ifnull(" + result + ", '0')" : result
        }
    }

    /// Translates a value of the object at a position.
    ///
    ///     (SELECT t1."title" FROM "Song" AS t1 WHERE t1."album" = t0."id" ORDER BY t1."place" NULLS LAST, t1."id" LIMIT 1)
    private func element(
        of step: ResolvedCollection.Step, _ position: PredicatePosition, _ value: ResolvedValue
    ) throws -> SQLFragment {
        try subselect(ResolvedCollection(steps: [step]), where: nil, at: position) { try $0.value(value) }
    }

    private func order(of step: ResolvedCollection.Step, alias: String, _ position: PredicatePosition)
        -> String
    {
        if step.list != nil {
            return switch position {
            case .index(let index): " ORDER BY \(alias).key LIMIT 1 OFFSET \(index)"
            case .last: " ORDER BY \(alias).key DESC LIMIT 1"
            }
        }
        guard let column = step.order else { return "" }
        let (place, id) = (name(step.destination.columns[column].name, in: alias), name("id", in: alias))
        return switch position {
        case .index(let index):
            " ORDER BY \(place) NULLS LAST, \(id) LIMIT 1" + (index == 0 ? "" : " OFFSET \(index)")
        case .last: " ORDER BY \(place) DESC NULLS FIRST, \(id) DESC LIMIT 1"
        }
    }

    /// Returns a subselect over the objects of a collection that satisfy a condition, or over the object at a position of
    /// its last step.
    func subselect(
        _ collection: ResolvedCollection, where condition: ResolvedCondition?,
        at position: PredicatePosition? = nil, _ column: (SQLPredicate) throws -> SQLFragment
    ) throws -> SQLFragment {
        try requireQuery()
        var inner = self
        var scopes: [SQLScope] = []
        var conditions: [SQLFragment] = []
        for step in collection.steps {
            let scope = inner.newScope(for: step)
            scopes.append(scope)
            if step.list == nil {
                conditions.append(SQLFragment(inner.membership(of: step, alias: scope.alias)))
            }
            inner = inner.viewing(step.frame, in: scope)
            if let filter = step.filter { conditions.append(try inner.operand(filter)) }
        }
        if let condition { conditions.append(try inner.operand(condition)) }
        let result = try column(inner)
        // The tables come last because the conditions determine the joins.
        let tables = scopes.map(\.tables).joined(separator: ", ")
        var order = ""
        if let position, let step = collection.steps.last, let scope = scopes.last {
            order = self.order(of: step, alias: scope.alias, position)
        }
        let selection =
            conditions.isEmpty ? SQLFragment() : " WHERE " + .joined(conditions, by: " AND ")
        return "(SELECT " + result + " FROM \(tables)" + selection + order + ")"
    }

    /// Translates the condition that a many-to-many relationship contains one object, so that the index of its table finds
    /// the owners, or returns `nil` for other conditions.
    ///
    ///     tags CONTAINS %@    t0."id" IN (SELECT "other" FROM "Tag_toDos" WHERE "owner" = ?)
    func linkedObject(
        _ collection: ResolvedCollection, _ condition: ResolvedCondition
    ) -> SQLFragment? {
        guard isForQuery, collection.steps.count == 1, let step = collection.steps.first,
            // At the end of a path there may be no object, whose ID would be NULL.
            step.filter == nil, step.source.hops.isEmpty, case .toMany(let position) = step.relationship,
            let link = step.source.entity.toMany[position].link,
            case .constant(let object, let source)? = condition.value(equalToObjectIn: step.frame)
        else { return nil }
        let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
        let table = SQLFragment.quoted(link.table)
        return "\(identity(of: step.source)) IN (SELECT \"\(near)\" FROM \(table) WHERE \"\(far)\" = "
            + constant(object, source) + ")"
    }

    /// Returns the scope for the objects of a step, or for the elements of its list.
    private func newScope(for step: ResolvedCollection.Step) -> SQLScope {
        guard let list = step.list else { return SQLScope(entity: step.destination, inside: scope) }
        return SQLScope(
            elementsOf: list, named: name(list.name, in: table(of: step.source)), entity: step.destination,
            inside: scope)
    }

    private func membership(of step: ResolvedCollection.Step, alias: String) -> String {
        let owner = identity(of: step.source)
        let key = name("id", in: alias)
        switch step.relationship {
        case .toMany(let position):
            let relationship = step.source.entity.toMany[position]
            guard let link = relationship.link else {
                return "\(name(relationship.description.inverse, in: alias)) = \(owner)"
            }
            let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
            let table = SQLFragment.quoted(link.table)
            return "\(key) IN (SELECT \"\(far)\" FROM \(table) WHERE \"\(near)\" = \(owner))"
        case .toOne(let column), .attribute(let column):
            let reference = name(step.source.entity.columns[column].name, in: table(of: step.source))
            return "\(key) = \(reference)"
        }
    }
}

extension FetchPredicate.ArithmeticOperator {
    fileprivate var sql: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide, .power: "/"
        }
    }
}

extension ValueType {
    /// The attribute type that is stored in the same form as values of this type.
    fileprivate var attributeType: AttributeType? {
        switch self {
        case .null: nil
        case .boolean: .boolean
        case .integer, .object: .integer64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .binary: .binary
        case .uuid: .uuid
        case .uri: .uri
        }
    }
}

extension ResolvedCondition {
    /// Returns the value that the condition compares with the ID of the object in a frame, or `nil` for other conditions.
    fileprivate func value(equalToObjectIn frame: Int) -> ResolvedValue? {
        let pair: (ResolvedValue, ResolvedValue)
        switch self {
        case .compare(let left, .equal, let right, []): pair = (left, right)
        case .member(let value, let members, []) where members.count == 1: pair = (value, members[0])
        default: return nil
        }
        switch pair {
        case (.identity(frame: frame), let value), (let value, .identity(frame: frame)): return value
        default: return nil
        }
    }
}
