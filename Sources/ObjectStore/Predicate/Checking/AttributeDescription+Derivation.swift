internal import CivilTime

extension AttributeDescription {
    /// The expression of a derived attribute and the value that replaces nil, or `nil` for every other attribute.
    ///
    ///     TERNARY(pages > 400, 'long', nil) else "short"
    var derivationText: String? {
        guard let derivedFrom else { return nil }
        guard !isOptional, !defaultValue.isNull else { return derivedFrom }
        var printer = PredicatePrinter()
        printer.print(defaultValue)
        return "\(derivedFrom) else \(printer.text)"
    }

    /// Returns the resolved expression of a derived attribute.
    ///
    /// - Parameters:
    ///   - entity: The entity that declares the attribute.
    ///   - model: The model with the names that the expression can use.
    func derivation(of entity: Entity, in model: ManagedObjectModel) throws(ModelError) -> Derivation {
        let (text, type) = (derivedFrom ?? "", type)
        let refusal = { (problem: String) in
            ModelError(
                .invalidDerivation, entity: entity.name, property: name,
                message: "is derived from \(text): \(problem)")
        }
        let resolved: (value: ResolvedValue, type: ValueType)
        var time = TimeSearch()
        var checker = PredicateChecker(
            model: model, now: Timestamp(secondsSince1970: 0), acceptsVariables: false)
        do throws(FetchPredicateError) {
            let expression = try FetchPredicate.Expression(format: text)
            _ = time.rewrite(expression)
            let operand = try checker.operand(expression, PredicateChecker.Scope(entity: entity))
            let typed = try checker.single(operand, expression)
            resolved = (typed.value, typed.type)
        } catch {
            throw refusal("\(error)")
        }
        guard !time.isUsed else { throw refusal("now() has another value at each save") }
        let isWidened = resolved.type == .integer && type == .double
        guard resolved.type == ValueType(type) || isWidened else {
            throw refusal("the value is \(resolved.type.kindName), but the attribute is \(type.rawValue)")
        }
        var resolver = DerivationResolver(columnCount: entity.columns.count)
        let result = DerivedValue(
            expression: try resolver.resolve(resolved.value, refusal), isWidened: isWidened,
            whenNil: isOptional ? .null : defaultValue, frameCount: checker.frameCount)
        let aggregates = resolver.aggregates
        return Derivation(
            columns: resolver.columns, columnsInAggregates: resolver.columnsInAggregates,
            targets: resolver.targets, members: resolver.members,
            membersToRead: Set(aggregates.filter { !$0.isPlainCount }.map(\.position)),
            value: { id, row in
                var evaluator = PredicateEvaluator(
                    DerivationSubject(predicateIdentity: id, row: row), frameCount: result.frameCount)
                return try result.evaluate(&evaluator)
            },
            begin: { DerivationComputation(result, aggregates, of: $0) })
    }
}

/// The expression of a derived attribute, in which columns after those of the entity have the values of aggregates.
private struct DerivedValue: Sendable {
    let expression: ResolvedValue
    /// Whether an integer becomes a double.
    let isWidened: Bool
    let whenNil: AttributeValue
    let frameCount: Int

    func evaluate(_ evaluator: inout PredicateEvaluator) throws -> AttributeValue {
        let value = try evaluator.value(expression)
        if isWidened, case .integer(let number) = value { return .double(Double(number)) }
        return value.isNull ? whenNil : value
    }
}

/// A search for `now()` in an expression.
private struct TimeSearch: PredicateRewriter {
    private(set) var isUsed = false

    mutating func rewrite(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        if case .function(.now, _) = expression { isUsed = true }
        return rewriteParts(of: expression)
    }
}

/// An object as the expression of a derived attribute sees it.
private struct DerivationSubject: PredicateSubject {
    let predicateIdentity: Int64
    let row: RowValues
    /// The values of aggregates, as columns after those of the row.
    var aggregates: [AttributeValue] = []
    var targets: [Int: (id: Int64, row: RowValues)] = [:]

    func predicateValue(at column: Int) -> AttributeValue {
        column < row.count ? row[column] : aggregates[column - row.count]
    }

    func predicateTarget(at column: Int) throws -> (any PredicateSubject)? {
        targets[column].map { DerivationSubject(predicateIdentity: $0.id, row: $0.row) }
    }

    func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }
}

/// The computation of an attribute that is derived from relationships.
private final class DerivationComputation: DerivationInProgress {
    private let result: DerivedValue
    private let aggregates: [DerivationResolver.Aggregate]
    private var accumulators: [AggregateAccumulator]
    private var counts: [Int64]
    private var owner: DerivationSubject
    private var evaluator: PredicateEvaluator

    init(_ result: DerivedValue, _ aggregates: [DerivationResolver.Aggregate], of input: DerivationInput) {
        self.result = result
        self.aggregates = aggregates
        accumulators = aggregates.map { AggregateAccumulator(isDistinct: $0.isDistinct) }
        counts = aggregates.map { _ in 0 }
        self.owner = DerivationSubject(predicateIdentity: input.id, row: input.row, targets: input.targets)
        evaluator = PredicateEvaluator(self.owner, frameCount: result.frameCount)
    }

    func add(_ id: Int64, _ row: RowValues, along position: Int) throws {
        let member = DerivationSubject(predicateIdentity: id, row: row)
        for (index, aggregate) in aggregates.enumerated() where aggregate.position == position {
            try evaluator.add(
                member, of: aggregate.collection, where: aggregate.condition, aggregate.element,
                to: &accumulators[index])
        }
    }

    func add(count: Int64, along position: Int) {
        for (index, aggregate) in aggregates.enumerated() where aggregate.position == position {
            counts[index] += count
        }
    }

    func value() throws -> AttributeValue {
        owner.aggregates = aggregates.indices.map { index in
            counts[index] > 0
                ? .integer(counts[index])
                : accumulators[index].result(
                    of: aggregates[index].operation, ofDecimals: aggregates[index].isDecimal)
        }
        var evaluator = PredicateEvaluator(owner, frameCount: result.frameCount)
        return try result.evaluate(&evaluator)
    }
}
