/// A search for the properties that the expression of a derived attribute uses.
///
/// It also replaces each aggregate over a to-many relationship by a column after those of the entity, whose value is computed
/// from the members one by one.
struct DerivationResolver {
    /// An aggregate over the objects in a to-many relationship.
    struct Aggregate: Sendable {
        /// The position of the relationship.
        let position: Int
        let operation: FetchPredicate.CollectionOperator
        let collection: ResolvedCollection
        /// A condition for the elements, or `nil`.
        let condition: ResolvedCondition?
        let element: ResolvedValue
        let isDistinct: Bool

        var isDecimal: Bool { element.isDecimal }

        /// Whether the aggregate is the number of all objects.
        var isPlainCount: Bool {
            guard operation == .count, condition == nil, collection.steps.count == 1,
                collection.steps[0].filter == nil, case .identity(collection.steps[0].frame) = element
            else { return false }
            return true
        }
    }

    /// The objects that a frame can hold.
    private enum Frame {
        case members
        case listElements
    }

    typealias Refusal = (String) -> ModelError

    private let columnCount: Int
    private(set) var columns: Set<Int> = []
    private(set) var columnsInAggregates: Set<Int> = []
    private(set) var targets: [Int: Set<Int>] = [:]
    private(set) var members: [Int: Set<Int>] = [:]
    private(set) var aggregates: [Aggregate] = []
    private var frames: [Int: Frame] = [:]
    /// The relationship of the aggregate that is searched, or `nil` outside of aggregates.
    private var position: Int?

    init(columnCount: Int) { self.columnCount = columnCount }

    /// Returns the value with columns in the place of aggregates.
    mutating func resolve(_ value: ResolvedValue, _ refusal: Refusal) throws(ModelError) -> ResolvedValue {
        switch value {
        case .constant, .identity: return value
        case .column(let path, let column):
            try record(column, of: path, refusal)
            return value
        case .element(let step, let position, let element):
            guard case .attribute(let column) = step.relationship else {
                throw refusal(
                    "a position in a relationship is not followed; use @min, @max or a SUBQUERY with @count")
            }
            try record(column, of: step.source, refusal)
            frames[step.frame] = .listElements
            return .element(step, position, of: try resolve(element, refusal))
        case .aggregate(let operation, let collection, let element, let isDistinct):
            guard try begin(collection, refusal) else {
                return .aggregate(
                    operation, try resolve(lists: collection, refusal), of: try resolve(element, refusal),
                    isDistinct: isDistinct)
            }
            let lists = try resolve(lists: collection, refusal)
            return end(operation, lists, nil, of: try resolve(element, refusal), isDistinct: isDistinct)
        case .arithmetic(let sign, let left, let right):
            return .arithmetic(sign, try resolve(left, refusal), try resolve(right, refusal))
        case .negation(let operand): return .negation(try resolve(operand, refusal))
        case .function(let function, let operands):
            return .function(function, try resolve(operands, refusal))
        case .cast(let operand, let from, let to):
            return .cast(try resolve(operand, refusal), from: from, to: to)
        case .conditional(let test, let first, let second):
            return .conditional(
                try resolve(test, refusal), try resolve(first, refusal), try resolve(second, refusal))
        }
    }

    private mutating func resolve(
        _ values: [ResolvedValue], _ refusal: Refusal
    ) throws(ModelError) -> [ResolvedValue] {
        var resolved: [ResolvedValue] = []
        for value in values { resolved.append(try resolve(value, refusal)) }
        return resolved
    }

    private mutating func resolve(
        _ condition: ResolvedCondition, _ refusal: Refusal
    ) throws(ModelError) -> ResolvedCondition {
        switch condition {
        case .constant: return condition
        case .and(let conditions): return .and(try resolve(conditions, refusal))
        case .or(let conditions): return .or(try resolve(conditions, refusal))
        case .not(let operand): return .not(try resolve(operand, refusal))
        case .isNull(let operand): return .isNull(try resolve(operand, refusal))
        case .compare(let left, let relation, let right, let options):
            return .compare(try resolve(left, refusal), relation, try resolve(right, refusal), options)
        case .between(let operand, let low, let high, let options):
            return .between(
                try resolve(operand, refusal), try resolve(low, refusal), try resolve(high, refusal), options)
        case .member(let operand, let others, let options):
            return .member(try resolve(operand, refusal), try resolve(others, refusal), options)
        case .text(let operand, let test):
            let pattern = try resolve(test.pattern, refusal)
            return .text(
                try resolve(operand, refusal),
                TextTest(
                    comparator: test.comparator, options: test.options, pattern: pattern,
                    prepared: test.prepared))
        case .exists(let collection, let test):
            guard try begin(collection, refusal) else {
                return .exists(try resolve(lists: collection, refusal), try resolve(test, refusal))
            }
            let zero = ResolvedValue.constant(.integer(0), .literal)
            let lists = try resolve(lists: collection, refusal)
            let count = end(.count, lists, try resolve(test, refusal), of: zero, isDistinct: false)
            return .compare(count, .greater, zero, [])
        }
    }

    private mutating func resolve(
        _ conditions: [ResolvedCondition], _ refusal: Refusal
    ) throws(ModelError) -> [ResolvedCondition] {
        var resolved: [ResolvedCondition] = []
        for condition in conditions { resolved.append(try resolve(condition, refusal)) }
        return resolved
    }

    // MARK: - Properties

    private mutating func record(
        _ column: Int, of path: ResolvedPath, _ refusal: Refusal
    ) throws(ModelError) {
        switch (frames[path.frame], path.hops.count) {
        case (.listElements, _): break
        case (.members, 0): if let position { members[position, default: []].insert(column) }
        case (nil, 0): recordOwn(column)
        case (nil, 1):
            recordOwn(path.hops[0].column)
            targets[path.hops[0].column, default: []].insert(column)
        default: throw tooLong(refusal)
        }
    }

    private mutating func recordOwn(_ column: Int) {
        columns.insert(column)
        if position != nil { columnsInAggregates.insert(column) }
    }

    private func tooLong(_ refusal: Refusal) -> ModelError {
        refusal(
            "a path of two relationships would read many objects at each save; "
                + "derive an attribute of the object between them, or use one relationship")
    }

    // MARK: - Aggregates

    /// Begins an aggregate over a to-many relationship. Returns `false` if the collection is a list.
    private mutating func begin(
        _ collection: ResolvedCollection, _ refusal: Refusal
    ) throws(ModelError) -> Bool {
        guard let step = collection.steps.first, step.list == nil else { return false }
        guard case .toMany(let relationship) = step.relationship, step.source.hops.isEmpty,
            frames[step.source.frame] == nil, position == nil
        else { throw tooLong(refusal) }
        position = relationship
        members[relationship, default: []].formUnion([])
        frames[step.frame] = .members
        return true
    }

    private mutating func end(
        _ operation: FetchPredicate.CollectionOperator, _ collection: ResolvedCollection,
        _ condition: ResolvedCondition?, of element: ResolvedValue, isDistinct: Bool
    ) -> ResolvedValue {
        let aggregate = Aggregate(
            position: position ?? 0, operation: operation, collection: collection, condition: condition,
            element: element, isDistinct: isDistinct)
        position = nil
        aggregates.append(aggregate)
        let owner = collection.steps[0].source
        return .column(owner, columnCount + aggregates.count - 1)
    }

    /// Resolves the conditions of a collection, and records its lists.
    private mutating func resolve(
        lists collection: ResolvedCollection, _ refusal: Refusal
    ) throws(ModelError) -> ResolvedCollection {
        var collection = collection
        for index in collection.steps.indices {
            let step = collection.steps[index]
            if case .attribute(let column) = step.relationship {
                try record(column, of: step.source, refusal)
                frames[step.frame] = .listElements
            } else if index > 0 {
                throw tooLong(refusal)
            }
            if let filter = step.filter { collection.steps[index].filter = try resolve(filter, refusal) }
        }
        return collection
    }
}
