extension FetchPredicate {
    /// Holds when both do. A chain of these is one flat condition, however long.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.and(left.root.conjuncts + right.root.conjuncts))
    }

    /// Holds when at least one does. A chain of these is one flat condition, however long.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.or(left.root.disjuncts + right.root.disjuncts))
    }

    /// Holds exactly when the predicate does not.
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
