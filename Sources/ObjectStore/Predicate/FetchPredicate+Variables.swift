extension FetchPredicate {
    /// Returns the predicate with values instead of `$VARIABLES`. Variables without a value do not change.
    ///
    ///     predicate.binding(["now": .date(now), "limit": .integer(3)])
    public func binding(_ values: [String: AttributeValue]) -> FetchPredicate {
        binding(values.mapValues { Expression.value($0) })
    }

    /// Returns the predicate with values or lists instead of `$VARIABLES`. Variables without a value do not change.
    public func binding(_ values: [String: any PredicateArgument]) -> FetchPredicate {
        binding(values.mapValues(\.predicateExpression))
    }

    /// Returns the predicate with values instead of variables. Each value keeps the name of its variable in its origin.
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

/// A rewriter that replaces variables with expressions.
///
/// The variable of a subquery is not replaced inside the subquery, even if there is a value for this name.
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
    /// Returns the same value as one that SQL binds, with another offset in the format.
    func placed(at offset: Int?) -> Self {
        switch self {
        case .constant(let constant):
            .constant(FetchPredicate.Constant(constant.value, origin: constant.origin.bound(at: offset)))
        case .list(let elements): .list(elements.map { $0.placed(at: offset) })
        default: self
        }
    }
}
