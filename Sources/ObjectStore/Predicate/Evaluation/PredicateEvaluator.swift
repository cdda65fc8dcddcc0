/// An evaluator of conditions and values for the objects in the frames.
struct PredicateEvaluator {
    private var frames: [(any PredicateSubject)?]

    init(_ subject: any PredicateSubject, frameCount: Int) {
        frames = Array(repeating: nil, count: frameCount)
        frames[0] = subject
    }

    // MARK: - Conditions

    mutating func holds(_ condition: ResolvedCondition) throws -> Bool {
        switch condition {
        case .constant(let holds): return holds
        case .and(let conditions):
            for condition in conditions where try !holds(condition) { return false }
            return true
        case .or(let conditions):
            for condition in conditions where try holds(condition) { return true }
            return false
        case .not(let condition): return try !holds(condition)
        case .isNull(let operand): return ComparisonKey(try value(operand)) == nil
        case .compare(let left, let relation, let right, let options):
            return relation.holds(try key(left, options), try key(right, options))
        case .between(let operand, let low, let high, let options):
            guard let key = try key(operand, options), let low = try self.key(low, options),
                let high = try self.key(high, options)
            else { return false }
            return !(key < low) && !(high < key)
        case .member(let operand, let members, let options):
            guard let key = try key(operand, options) else { return false }
            for member in members where try self.key(member, options) == key { return true }
            return false
        case .text(let operand, let test):
            guard let text = try text(operand) else { return false }
            return try test.accepts(text) { pattern in try self.text(pattern) }
        case .exists(let collection, let condition):
            return try visit(collection.steps[...]) { evaluator in try evaluator.holds(condition) }
        }
    }

    // MARK: - Values

    mutating func value(_ value: ResolvedValue) throws -> AttributeValue {
        switch value {
        case .constant(let constant, _): return constant
        case .column(let path, let column): return try object(at: path)?.predicateValue(at: column) ?? .null
        case .identity(let frame): return frames[frame].map { .integer($0.predicateIdentity) } ?? .null
        case .element(let step, let position, let value): return try element(of: step, position, value)
        case .aggregate(let operation, let collection, let element, let isDistinct):
            return try aggregate(operation, collection: collection, element: element, isDistinct: isDistinct)
        case .arithmetic(let sign, let left, let right):
            return PredicateArithmetic.apply(sign, try self.value(left), try self.value(right))
        case .negation(let operand): return PredicateArithmetic.negate(try self.value(operand))
        case .function(let function, let operands):
            var values: [AttributeValue] = []
            for operand in operands { values.append(try self.value(operand)) }
            return function.value(of: values)
        case .cast(let operand, _, let type): return try self.value(operand).cast(to: type) ?? .null
        case .conditional(let test, let first, let second):
            return try self.value(try holds(test) ? first : second)
        }
    }

    mutating func key(
        _ operand: ResolvedValue, _ options: StringOptions
    ) throws -> ComparisonKey? {
        ComparisonKey(try value(operand), options)
    }

    private mutating func text(_ operand: ResolvedValue) throws -> String? {
        switch try value(operand) {
        case .string(let text), .uri(let text): text
        default: nil
        }
    }

    private func object(at path: ResolvedPath) throws -> (any PredicateSubject)? {
        var object = frames[path.frame]
        for hop in path.hops { object = try object?.predicateTarget(at: hop.column) }
        return object
    }

    // MARK: - Collections

    /// Puts the objects of a collection into their frames, one after the other, and calls `body` until it returns true.
    ///
    /// - Returns: whether `body` returned true.
    private mutating func visit(
        _ steps: ArraySlice<ResolvedCollection.Step>, _ body: (inout PredicateEvaluator) throws -> Bool
    ) throws -> Bool {
        guard let step = steps.first else { return try body(&self) }
        for object in try objects(of: step) {
            frames[step.frame] = object
            if let filter = step.filter, try !holds(filter) { continue }
            if try visit(steps.dropFirst(), body) { return true }
        }
        return false
    }

    private func objects(of step: ResolvedCollection.Step) throws -> [any PredicateSubject] {
        guard let source = try object(at: step.source) else { return [] }
        switch step.relationship {
        case .toMany(let position): return try source.predicateMembers(at: position)
        case .toOne(let column): return try source.predicateTarget(at: column).map { [$0] } ?? []
        case .attribute(let column):
            guard case .string(let text) = source.predicateValue(at: column),
                let type = step.list?.elementType
            else { return [] }
            return ListElement.all(of: text, type)
        }
    }

    private mutating func element(
        of step: ResolvedCollection.Step, _ position: PredicatePosition, _ value: ResolvedValue
    ) throws -> AttributeValue {
        let order = step.order
        let ranked = try objects(of: step).map {
            object -> (rank: (Int, Int64, Int64), object: any PredicateSubject) in
            // The elements of a list have their indexes as IDs.
            if let order, case .integer(let place) = object.predicateValue(at: order) {
                return ((0, place, object.predicateIdentity), object)
            }
            return ((1, 0, object.predicateIdentity), object)
        }.sorted { $0.rank < $1.rank }
        let index =
            switch position {
            case .index(let index): index
            case .last: ranked.count - 1
            }
        guard ranked.indices.contains(index) else { return .null }
        frames[step.frame] = ranked[index].object
        return try self.value(value)
    }

    /// Adds the values of one object of a collection's first step to an aggregate, if the object satisfies the conditions.
    mutating func add(
        _ object: any PredicateSubject, of collection: ResolvedCollection,
        where condition: ResolvedCondition?,
        _ element: ResolvedValue, to accumulator: inout AggregateAccumulator
    ) throws {
        let step = collection.steps[0]
        frames[step.frame] = object
        if let filter = step.filter, try !holds(filter) { return }
        _ = try visit(collection.steps.dropFirst()) { evaluator in
            if let condition, try !evaluator.holds(condition) { return false }
            accumulator.add(try evaluator.value(element))
            return false
        }
    }

    private mutating func aggregate(
        _ operation: FetchPredicate.CollectionOperator, collection: ResolvedCollection,
        element: ResolvedValue, isDistinct: Bool
    ) throws -> AttributeValue {
        var accumulator = AggregateAccumulator(isDistinct: isDistinct)
        _ = try visit(collection.steps[...]) { evaluator in
            accumulator.add(try evaluator.value(element))
            return false
        }
        return accumulator.result(of: operation, ofDecimals: element.isDecimal)
    }
}
