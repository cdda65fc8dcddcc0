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

    /// The same, and each value says in the place of which variable it stands.
    func bindingByName(_ values: [String: AttributeValue]) -> FetchPredicate {
        var named: [String: Expression] = [:]
        for (name, value) in values {
            var origin = Origin.swift
            origin.variable = name
            named[name] = .constant(Constant(value, origin: origin))
        }
        return binding(named)
    }

    private func binding(_ values: [String: Expression]) -> FetchPredicate {
        guard !values.isEmpty else { return self }
        var binder = VariableBinder(values: values)
        return FetchPredicate(binder.rewrite(root))
    }
}

/// Puts expressions in the place of variables. The variable of a subquery is its own inside, whatever is
/// bound to that name outside.
private struct VariableBinder: PredicateRewriter {
    var values: [String: FetchPredicate.Expression]

    mutating func rewrite(leaf path: FetchPredicate.Path) -> FetchPredicate.Expression {
        if case .variable(let name) = path.root, path.keys.isEmpty, let value = values[name] {
            return value.placed(at: path.origin.offset)
        }
        return .path(rewrite(path))
    }

    mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery {
        var copy = subquery
        copy.collection = rewrite(subquery.collection)
        var inner = self
        inner.values[subquery.variable] = nil
        copy.condition = inner.rewrite(subquery.condition)
        return copy
    }
}

extension FetchPredicate.Expression {
    /// The same value, said to stand at that place of a format, and bound by SQL.
    func placed(at offset: Int?) -> Self {
        switch self {
        case .constant(let constant):
            .constant(FetchPredicate.Constant(constant.value, origin: constant.origin.bound(at: offset)))
        case .list(let elements): .list(elements.map { $0.placed(at: offset) })
        default: self
        }
    }
}
