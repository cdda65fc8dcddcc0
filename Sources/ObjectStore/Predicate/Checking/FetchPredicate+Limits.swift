extension FetchPredicate {
    /// Throws if the predicate is too large for the stack or for SQLite.
    func requireLimits() throws(FetchPredicateError) {
        let measure = measure
        guard measure.height <= PredicateLimits.nestingLevels,
            root.stackNeed <= PredicateLimits.parserStackEntries
        else {
            throw FetchPredicateError(
                .limit, at: nil, found: "too many nested levels", expected: "fewer",
                hint: "split the predicate")
        }
        guard measure.size <= PredicateLimits.nodes else {
            throw FetchPredicateError(
                .limit, at: nil, found: "\(measure.size) parts", expected: "at most \(PredicateLimits.nodes)",
                hint: "compare with a list: key IN {…}")
        }
    }
}

// `stackNeed` is an upper bound for the entries that the SQL of a tree needs on the stack of SQLite's parser. Each
// operand needs its own entries in addition to those of the operators that are still open before it. The numbers
// are slightly larger than the ones measured with SQLite 3.40.

extension FetchPredicate.Node {
    fileprivate var stackNeed: Int {
        switch self {
        case .constant: return 1
        case .not(let node): return 2 + node.stackNeed
        case .comparison(let comparison): return comparison.stackNeed
        case .and(let nodes), .or(let nodes):
            // The SQL begins with the operand that needs the most, because the stack is empty there.
            let needs = nodes.map(\.stackNeed).sorted(by: >)
            return max(1 + (needs.first ?? 0), 4 + (needs.dropFirst().first ?? 0))
        }
    }
}

extension FetchPredicate.Comparison {
    fileprivate var stackNeed: Int {
        if quantifier != .single, case .path(let path) = left {
            return FetchPredicate.Path.subselectNeed + max(3 + path.filterNeed, 5 + right.stackNeed)
        }
        return max(3 + left.stackNeed, 5 + right.stackNeed)
    }
}

extension FetchPredicate.Expression {
    fileprivate var stackNeed: Int {
        switch self {
        case .constant: 1
        case .path(let path): path.stackNeed
        case .aggregate(let aggregate): FetchPredicate.Path.subselectNeed + aggregate.path.filterNeed
        case .list(let elements): 2 + (elements.lazy.map(\.stackNeed).max() ?? 0)
        case .arithmetic(.power, let left, let right): max(3 + left.stackNeed, 5 + right.stackNeed)
        case .arithmetic(_, let left, let right): max(1 + left.stackNeed, 3 + right.stackNeed)
        case .negation(let operand): 3 + operand.stackNeed
        case .function(_, let operands):
            operands.enumerated().lazy.map { 3 + 2 * $0.offset + $0.element.stackNeed }.max() ?? 1
        case .cast(let operand, _): 3 + operand.stackNeed
        case .conditional(let test, let first, let second):
            max(3 + test.stackNeed, 5 + first.stackNeed, 6 + second.stackNeed)
        }
    }
}

extension FetchPredicate.Path {
    fileprivate static let subselectNeed = 8

    fileprivate var stackNeed: Int {
        if case .subquery = root { Self.subselectNeed + filterNeed } else { 1 }
    }

    /// The number of entries for the condition of a subquery inside a subselect.
    fileprivate var filterNeed: Int {
        guard case .subquery(let subquery) = root else { return 1 }
        return max(subquery.collection.filterNeed, subquery.condition.stackNeed)
    }
}
