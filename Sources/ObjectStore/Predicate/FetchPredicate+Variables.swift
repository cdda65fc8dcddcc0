extension FetchPredicate {
    /// The predicate with values in the place of `$VARIABLES`. Those without a value stay.
    ///
    ///     predicate.binding(["now": .date(now), "limit": .integer(3)])
    public func binding(_ values: [String: AttributeValue]) -> FetchPredicate {
        binding(values.mapValues { Expression.value($0) })
    }

    /// The predicate with values, lists among them, in the place of `$VARIABLES`. Those without a value stay.
    public func binding(_ values: [String: any PredicateArgument]) -> FetchPredicate {
        binding(values.mapValues(\.predicateExpression))
    }

    private func binding(_ values: [String: Expression]) -> FetchPredicate {
        guard !values.isEmpty else { return self }
        return FetchPredicate(VariableBinder(values).bind(root))
    }
}

/// Copies a tree with expressions in the place of variables. The variable of a subquery is its own
/// inside, whatever is bound to that name outside.
private struct VariableBinder {
    private let values: [String: FetchPredicate.Expression]

    init(_ values: [String: FetchPredicate.Expression]) {
        self.values = values
    }

    func bind(_ node: FetchPredicate.Node) -> FetchPredicate.Node {
        switch node {
        case .constant: return node
        case .and(let nodes): return .and(nodes.map(bind))
        case .or(let nodes): return .or(nodes.map(bind))
        case .not(let operand): return .not(bind(operand))
        case .comparison(var comparison):
            comparison.left = bind(comparison.left)
            comparison.right = bind(comparison.right)
            return .comparison(comparison)
        }
    }

    private func bind(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        switch expression {
        case .constant: return expression
        case .path(let path):
            if case .variable(let name) = path.root, path.keys.isEmpty, let value = values[name] {
                return value.placed(at: path.origin.offset)
            }
            return .path(bind(path))
        case .aggregate(var aggregate):
            aggregate.path = bind(aggregate.path)
            return .aggregate(aggregate)
        case .list(let elements): return .list(elements.map(bind))
        case .arithmetic(let sign, let left, let right): return .arithmetic(sign, bind(left), bind(right))
        case .negation(let operand): return .negation(bind(operand))
        case .function(let function, let operands): return .function(function, operands.map(bind))
        case .cast(let operand, let type): return .cast(bind(operand), type)
        case .conditional(let test, let first, let second):
            return .conditional(bind(test), bind(first), bind(second))
        }
    }

    private func bind(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        guard case .subquery(var subquery) = path.root else { return path }
        var inner = values
        inner[subquery.variable] = nil
        subquery.collection = bind(subquery.collection)
        subquery.condition = VariableBinder(inner).bind(subquery.condition)
        var path = path
        path.root = .subquery(subquery)
        return path
    }
}

extension FetchPredicate.Expression {
    /// The same value, said to stand at that place of a format, and bound by SQL.
    func placed(at offset: Int?) -> Self {
        let origin = FetchPredicate.Origin(offset: offset, isLiteral: false)
        return switch self {
        case .constant(let constant): .constant(FetchPredicate.Constant(constant.value, origin: origin))
        case .list(let elements): .list(elements.map { $0.placed(at: offset) })
        default: self
        }
    }
}
