internal import Synchronization

/// The variables that represent elements in the conditions of collections.
///
/// While a condition is built, each variable has a name that no other has, so that a condition inside another one can use
/// both elements. When the outermost condition is complete, the variables are renamed to `x`, and inside it `xx` and
/// so on. So equal conditions are equal predicates.
enum ElementVariable {
    private static let last = Atomic(0)
    private static let mark: Character = "·"

    static func new() -> String {
        "\(mark)\(last.add(1, ordering: .relaxed).newValue)"
    }

    static func isNew(_ name: String) -> Bool { name.first == mark }

    /// Whether an expression uses a variable.
    static func contains(_ variable: String, in expression: FetchPredicate.Expression) -> Bool {
        if case .constant = expression { return false }
        var scan = VariableScan()
        _ = scan.rewrite(expression)
        return scan.used.contains(variable)
    }

    /// Renames the variables of a complete condition. Returns any other condition unchanged.
    static func named(_ node: FetchPredicate.Node) -> FetchPredicate.Node {
        var scan = VariableScan()
        _ = scan.rewrite(node)
        guard var renaming = scan.renaming else { return node }
        return renaming.rewrite(node)
    }

    /// Renames the variables of a complete expression. Returns any other expression unchanged.
    static func named(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        var scan = VariableScan()
        _ = scan.rewrite(expression)
        guard var renaming = scan.renaming else { return expression }
        return renaming.rewrite(expression)
    }
}

/// A rewriter that changes nothing and notes the variables.
private struct VariableScan: PredicateRewriter {
    private(set) var used: Set<String> = []
    private(set) var bound: Set<String> = []

    /// The renaming of all new variables, or `nil` if some of them belong to a condition that is not complete.
    var renaming: VariableRenaming? {
        guard used.subtracting(bound).allSatisfy({ !ElementVariable.isNew($0) }) else { return nil }
        return VariableRenaming(reserved: used.union(bound).filter { !ElementVariable.isNew($0) })
    }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        switch path.root {
        case .object: break
        case .variable(let name): used.insert(name)
        case .subquery(let subquery): _ = rewrite(subquery)
        }
        return path
    }

    mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery {
        bound.insert(subquery.variable)
        _ = rewrite(subquery.collection)
        _ = rewrite(subquery.condition)
        return subquery
    }
}

/// A rewriter that renames the variables of elements.
struct VariableRenaming: PredicateRewriter {
    /// The new name of each variable.
    var names: [String: String] = [:]
    /// The variables that the program has named.
    var reserved: Set<String> = []

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        var copy = path
        switch path.root {
        case .object: break
        case .variable(let name): copy.root = .variable(names[name] ?? name)
        case .subquery(let subquery): copy.root = .subquery(rewrite(subquery))
        }
        return copy
    }

    mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery {
        var copy = subquery
        copy.collection = rewrite(subquery.collection)
        var inner = self
        if ElementVariable.isNew(subquery.variable) {
            copy.variable = nextName
            inner.names[subquery.variable] = copy.variable
        }
        copy.condition = inner.rewrite(subquery.condition)
        return copy
    }

    /// The shortest of `x`, `xx` and so on that no variable around this place has.
    private var nextName: String {
        var name = "x"
        while names.values.contains(name) || reserved.contains(name) { name += "x" }
        return name
    }
}
