extension FetchPredicate {
    /// Returns a predicate that is true if both operands are true. A chain of `&&` becomes one AND of any length.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.and(left.root.conjuncts + right.root.conjuncts))
    }

    /// Returns a predicate that is true if at least one operand is true. A chain of `||` becomes one OR of any length.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.or(left.root.disjuncts + right.root.disjuncts))
    }

    /// Returns a predicate that is true if this one is false.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.not(predicate.root))
    }
}

extension FetchPredicate.Node {
    fileprivate var conjuncts: [FetchPredicate.Node] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    fileprivate var disjuncts: [FetchPredicate.Node] {
        if case .or(let nodes) = self { nodes } else { [self] }
    }
}
