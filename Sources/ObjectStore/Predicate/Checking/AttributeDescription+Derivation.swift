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

    /// Returns the columns that the expression of a derived attribute uses, and a function that computes its value.
    ///
    /// - Parameter model: A model with one entity that has the attributes, none of them derived, and no relationships.
    func derivation(
        in model: ManagedObjectModel
    ) throws(ModelError) -> (
        inputs: [Int], value: @Sendable (Int64, RowValues) throws -> AttributeValue
    ) {
        let entity = model.entities[0]
        let (text, type) = (derivedFrom ?? "", type)
        let refusal = { (problem: String) in
            ModelError(
                .invalidDerivation, entity: entity.name, property: name,
                message: "is derived from \(text): \(problem)")
        }
        let resolved: (value: ResolvedValue, type: ValueType, frameCount: Int)
        var inputs = DerivationInputs(entity: entity)
        do throws(FetchPredicateError) {
            let expression = try FetchPredicate.Expression(format: text)
            _ = inputs.rewrite(expression)
            var checker = PredicateChecker(
                model: model, now: Timestamp(secondsSince1970: 0), acceptsVariables: false)
            let operand = try checker.operand(expression, PredicateChecker.Scope(entity: entity))
            let typed = try checker.single(operand, expression)
            resolved = (typed.value, typed.type, checker.frameCount)
        } catch {
            let advice =
                error.code == .unknownKey
                ? "; an expression can use attributes of the object, but no relationships" : ""
            throw refusal("\(error)\(advice)")
        }
        guard !inputs.usesTime else { throw refusal("now() has another value at each save") }
        let isWidened = resolved.type == .integer && type == .double
        guard resolved.type == ValueType(type) || isWidened else {
            throw refusal("the value is \(resolved.type.kindName), but the attribute is \(type.rawValue)")
        }
        let whenNil = isOptional ? .null : defaultValue
        return (
            inputs.columns,
            { id, row in
                var evaluator = PredicateEvaluator(
                    DerivationSubject(predicateIdentity: id, row: row), frameCount: resolved.frameCount)
                let value = try evaluator.value(resolved.value)
                if isWidened, case .integer(let number) = value { return .double(Double(number)) }
                return value.isNull ? whenNil : value
            }
        )
    }
}

/// A search for the attributes that an expression uses.
private struct DerivationInputs: PredicateRewriter {
    let entity: Entity
    private(set) var columns: [Int] = []
    private(set) var usesTime = false

    init(entity: Entity) { self.entity = entity }

    mutating func rewrite(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        if case .function(.now, _) = expression { usesTime = true }
        return rewriteParts(of: expression)
    }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        switch path.root {
        case .object:
            let name = entity.propertyName(at: path.keys[...]).name
            if let column = entity.column(named: name) { columns.append(column) }
        case .subquery(let subquery): _ = rewrite(subquery)
        case .variable: break
        }
        return path
    }
}

/// The values of an object whose derived attributes are computed. The expressions use no relationships.
private struct DerivationSubject: PredicateSubject {
    let predicateIdentity: Int64
    let row: RowValues

    func predicateValue(at column: Int) -> AttributeValue { row[column] }

    func predicateTarget(at column: Int) -> (any PredicateSubject)? { nil }

    func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }
}
