import ObjectStore

/// Reduces a failing predicate to a smaller one that still fails.
enum PredicateShrinker {
    static func shrink(_ predicate: FetchPredicate, while fails: (FetchPredicate) -> Bool) -> FetchPredicate {
        var smallest = predicate
        var goesOn = true
        while goesOn {
            goesOn = false
            for candidate in candidates(smallest.root) where fails(FetchPredicate(candidate)) {
                smallest = FetchPredicate(candidate)
                goesOn = true
                break
            }
        }
        return smallest
    }

    private static func candidates(_ node: FetchPredicate.Node) -> [FetchPredicate.Node] {
        switch node {
        case .constant: return []
        case .not(let operand): return [operand] + candidates(operand).map { .not($0) }
        case .and(let nodes): return nodes + parts(nodes, candidates).map { .and($0) }
        case .or(let nodes): return nodes + parts(nodes, candidates).map { .or($0) }
        case .comparison(let comparison):
            return [.constant(true), .constant(false)] + candidates(comparison).map { .comparison($0) }
        }
    }

    /// Copies of `parts` with one element removed, or with one element replaced by a smaller one.
    private static func parts<Part>(_ parts: [Part], _ smaller: (Part) -> [Part]) -> [[Part]] {
        parts.indices.flatMap { index in
            var fewer = parts
            fewer.remove(at: index)
            return [fewer]
                + smaller(parts[index]).map { candidate in
                    var copy = parts
                    copy[index] = candidate
                    return copy
                }
        }
    }

    private static func candidates(_ comparison: FetchPredicate.Comparison) -> [FetchPredicate.Comparison] {
        var results: [FetchPredicate.Comparison] = []
        func add(_ change: (inout FetchPredicate.Comparison) -> Void) {
            var copy = comparison
            change(&copy)
            results.append(copy)
        }
        for left in candidates(comparison.left) { add { $0.left = left } }
        for right in candidates(comparison.right) { add { $0.right = right } }
        if !comparison.options.isEmpty { add { $0.options = [] } }
        return results
    }

    private static func candidates(_ expression: FetchPredicate.Expression) -> [FetchPredicate.Expression] {
        switch expression {
        case .constant: return []
        case .path(let path): return candidates(path).map { .path($0) }
        case .aggregate(let aggregate):
            return candidates(aggregate.path).map {
                .aggregate(
                    FetchPredicate.Aggregate(aggregate.operation, of: $0, isDistinct: aggregate.isDistinct))
            }
        case .list(let elements):
            return parts(elements, candidates).map { .list($0) }
        case .arithmetic(let sign, let left, let right):
            return [left, right] + candidates(left).map { .arithmetic(sign, $0, right) }
                + candidates(right).map { .arithmetic(sign, left, $0) }
        case .negation(let operand): return [operand] + candidates(operand).map { .negation($0) }
        case .cast(let operand, let type): return candidates(operand).map { .cast($0, type) }
        case .function(let function, let operands):
            return operands
                + operands.indices.flatMap { index in
                    candidates(operands[index]).map { candidate in
                        var copy = operands
                        copy[index] = candidate
                        return .function(function, copy)
                    }
                }
        case .conditional(let test, let first, let second):
            return [first, second] + candidates(test).map { .conditional($0, first, second) }
                + candidates(first).map { .conditional(test, $0, second) }
                + candidates(second).map { .conditional(test, first, $0) }
        }
    }

    private static func candidates(_ path: FetchPredicate.Path) -> [FetchPredicate.Path] {
        guard case .subquery(let subquery) = path.root else { return [] }
        var plain = subquery.collection
        plain.keys += path.keys
        return [plain]
            + candidates(subquery.condition).map { condition in
                var smaller = subquery
                smaller.condition = condition
                return FetchPredicate.Path(root: .subquery(smaller), keys: path.keys)
            }
    }
}
