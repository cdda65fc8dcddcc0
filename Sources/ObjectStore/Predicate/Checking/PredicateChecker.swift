import CivilTime

/// A checker that resolves a predicate for an entity, or throws the first error in it.
struct PredicateChecker {
    let model: ManagedObjectModel
    /// The value of `now()`, which is the same in the whole predicate.
    let now: Timestamp
    /// Whether variables may be without a value. The result then only shows that the predicate is valid.
    let acceptsVariables: Bool
    /// Whether a list attribute can take the place of one value, which is the text with its elements. A migration copies it.
    var listsAreTexts = false
    private(set) var frameCount = 1

    init(model: ManagedObjectModel, now: Timestamp, acceptsVariables: Bool) {
        self.model = model
        self.now = now
        self.acceptsVariables = acceptsVariables
    }

    /// The names that an expression can use: the keys of the tested object and the variables of enclosing subqueries.
    struct Scope {
        let entity: Entity
        var variables: [String: (frame: Int, entity: Entity)] = [:]
    }

    consuming func check(
        _ predicate: FetchPredicate, _ entity: Entity
    ) throws(FetchPredicateError) -> ResolvedPredicate {
        guard
            model.entities.indices.contains(entity.index) && model.entities[entity.index] === entity
                || model.entity(named: entity.name) === entity
        else {
            throw FetchPredicateError(
                .type, at: nil, found: "the entity \(entity.name) of another model",
                expected: "an entity of the model")
        }
        try predicate.requireLimits()
        let condition = try check(predicate.root, Scope(entity: entity))
        return ResolvedPredicate(entity: entity, condition: condition, frameCount: frameCount)
    }

    mutating func newFrame() -> Int {
        defer { frameCount += 1 }
        return frameCount
    }

    // MARK: - Conditions

    mutating func check(
        _ node: FetchPredicate.Node, _ scope: Scope
    ) throws(FetchPredicateError) -> ResolvedCondition {
        switch node {
        case .constant(let holds): return .constant(holds)
        case .and(let nodes): return .and(try check(nodes, scope))
        case .or(let nodes): return .or(try check(nodes, scope))
        case .not(let operand): return .not(try check(operand, scope))
        case .comparison(let comparison): return try check(comparison, scope)
        }
    }

    private mutating func check(
        _ nodes: [FetchPredicate.Node], _ scope: Scope
    ) throws(FetchPredicateError) -> [ResolvedCondition] {
        var conditions: [ResolvedCondition] = []
        conditions.reserveCapacity(nodes.count)
        for node in nodes { conditions.append(try check(node, scope)) }
        return conditions
    }

    private mutating func check(
        _ comparison: FetchPredicate.Comparison, _ scope: Scope
    ) throws(FetchPredicateError) -> ResolvedCondition {
        if let condition = try comparisonOfComposite(comparison, scope) { return condition }
        let left = try operand(comparison.left, scope)
        if case .list(let elements, _) = left, comparison.quantifier != .single {
            return try compare(each: elements, comparison, scope)
        }
        guard case .collection(let collection, let element) = left else {
            guard comparison.quantifier == .single else {
                throw FetchPredicateError(
                    .type, at: comparison.left.offset, found: "one value",
                    expected: "a to-many path after \(comparison.quantifier.spelling)")
            }
            return try compare(left, comparison, scope)
        }
        switch comparison.quantifier {
        case .single:
            if let condition = comparisonWithNull(of: collection, comparison) { return condition }
            guard comparison.comparator == .contains else { throw needsQuantifier(comparison.left) }
            let right = try operand(comparison.right, scope)
            return try member(try single(right, comparison.right), left, comparison)
        case .any:
            return .exists(collection, try compare(.value(element), comparison, scope))
        case .all:
            return .not(.exists(collection, .not(try compare(.value(element), comparison, scope))))
        case .none:
            return .not(.exists(collection, try compare(.value(element), comparison, scope)))
        }
    }

    /// Resolves `home == nil` and `home != nil` for a composite attribute, which is nil if all of its parts are. Returns `nil` for
    /// every other comparison.
    private mutating func comparisonOfComposite(
        _ comparison: FetchPredicate.Comparison, _ scope: Scope
    ) throws(FetchPredicateError) -> ResolvedCondition? {
        guard case .constant(let constant) = comparison.right, constant.value == .null,
            case .path(let path) = comparison.left, comparison.quantifier == .single,
            comparison.comparator == .equal || comparison.comparator == .notEqual,
            let parts = parts(of: path, scope)
        else { return nil }
        let nodes = parts.map { part in
            var copy = comparison
            copy.left = .path(part)
            copy.comparator = .equal
            return FetchPredicate.Node.comparison(copy)
        }
        let isNil = ResolvedCondition.and(try check(nodes, scope))
        return comparison.comparator == .equal ? isNil : .not(isNil)
    }

    /// Resolves `tags == nil` and `tags != nil` for a list attribute, which may be nil itself. Returns `nil` for every other
    /// comparison.
    private func comparisonWithNull(
        of collection: ResolvedCollection, _ comparison: FetchPredicate.Comparison
    ) -> ResolvedCondition? {
        guard collection.steps.count == 1, let step = collection.steps.first,
            case .attribute(let column) = step.relationship, case .constant(let constant) = comparison.right,
            constant.value == .null
        else { return nil }
        let isNull = ResolvedCondition.isNull(.column(step.source, column))
        switch comparison.comparator {
        case .equal: return isNull
        case .notEqual: return .not(isNull)
        default: return nil
        }
    }

    /// Compares each element of a list, as in `ALL {1, 2} IN numbers`.
    private mutating func compare(
        each elements: [TypedValue], _ comparison: FetchPredicate.Comparison, _ scope: Scope
    ) throws(FetchPredicateError) -> ResolvedCondition {
        var conditions: [ResolvedCondition] = []
        for element in elements { conditions.append(try compare(.value(element), comparison, scope)) }
        return switch comparison.quantifier {
        case .all: .and(conditions)
        case .none: .not(.or(conditions))
        case .any, .single: .or(conditions)
        }
    }

    func needsQuantifier(_ expression: FetchPredicate.Expression) -> FetchPredicateError {
        FetchPredicateError(
            .type, at: expression.offset, found: "the to-many path \(expression.pathText)",
            expected: "one value", hint: "put ANY, ALL or NONE before it, or @count after it")
    }
}

extension FetchPredicate.Quantifier {
    fileprivate var spelling: String {
        switch self {
        case .single: ""
        case .any: "ANY"
        case .all: "ALL"
        case .none: "NONE"
        }
    }
}
