/// A type that copies a tree and replaces some of its leaves, from left to right.
package protocol PredicateRewriter {
    /// Returns the expression that replaces an expression.
    mutating func rewrite(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression
    /// Returns the expression that replaces a constant.
    mutating func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression
    /// Returns the expression that replaces a path, except for the path of an aggregate or of a subquery's collection.
    mutating func rewrite(leaf path: FetchPredicate.Path) -> FetchPredicate.Expression
    mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery
    /// Returns the path that replaces any path, including that of an aggregate or of a subquery's collection.
    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path
    /// Returns the condition that replaces a comparison.
    mutating func rewrite(_ comparison: FetchPredicate.Comparison) -> FetchPredicate.Node
}

extension PredicateRewriter {
    package mutating func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression {
        .constant(constant)
    }

    package mutating func rewrite(leaf path: FetchPredicate.Path) -> FetchPredicate.Expression {
        .path(rewrite(path))
    }

    package mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery {
        var copy = subquery
        copy.collection = rewrite(subquery.collection)
        copy.condition = rewrite(subquery.condition)
        return copy
    }

    package mutating func rewrite(_ node: FetchPredicate.Node) -> FetchPredicate.Node {
        switch node {
        case .constant: return node
        case .and(let nodes): return .and(nodes.map { rewrite($0) })
        case .or(let nodes): return .or(nodes.map { rewrite($0) })
        case .not(let operand): return .not(rewrite(operand))
        case .comparison(let comparison): return rewrite(comparison)
        }
    }

    package mutating func rewrite(_ comparison: FetchPredicate.Comparison) -> FetchPredicate.Node {
        var copy = comparison
        copy.left = rewrite(comparison.left)
        copy.right = rewrite(comparison.right)
        return .comparison(copy)
    }

    package mutating func rewrite(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        rewriteParts(of: expression)
    }

    /// Returns the expression with its operands replaced.
    package mutating func rewriteParts(
        of expression: FetchPredicate.Expression
    ) -> FetchPredicate.Expression {
        switch expression {
        case .constant(let constant): return rewrite(constant)
        case .path(let path): return rewrite(leaf: path)
        case .aggregate(var aggregate):
            aggregate.path = rewrite(aggregate.path)
            return .aggregate(aggregate)
        case .list(let elements): return .list(elements.map { rewrite($0) })
        case .arithmetic(let sign, let left, let right):
            return .arithmetic(sign, rewrite(left), rewrite(right))
        case .negation(let operand): return .negation(rewrite(operand))
        case .function(let function, let operands): return .function(function, operands.map { rewrite($0) })
        case .cast(let operand, let type): return .cast(rewrite(operand), type)
        case .conditional(let test, let first, let second):
            return .conditional(rewrite(test), rewrite(first), rewrite(second))
        }
    }

    package mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        guard case .subquery(let subquery) = path.root else { return path }
        var copy = path
        copy.root = .subquery(rewrite(subquery))
        return copy
    }
}
