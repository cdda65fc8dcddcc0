internal import CivilTime

/// The expression of a property mapping, resolved against the source entity.
struct MappedExpression {
    let value: ResolvedValue
    let type: ValueType
    private let frameCount: Int

    init(
        _ expression: FetchPredicate.Expression, of entity: Entity, in model: ManagedObjectModel,
        now: Timestamp
    ) throws(FetchPredicateError) {
        var checker = PredicateChecker(model: model, now: now, acceptsVariables: false)
        checker.listsAreTexts = true
        let operand = try checker.operand(expression, PredicateChecker.Scope(entity: entity))
        let typed = try checker.single(operand, expression)
        value = typed.value
        type = typed.type
        frameCount = checker.frameCount
    }

    /// Returns the value of the expression for a source object.
    func evaluate(_ object: ManagedObject) throws -> AttributeValue {
        if case .column(let path, let column) = value, path.hops.isEmpty { return object.values[column] }
        var evaluator = PredicateEvaluator(object, frameCount: frameCount)
        return try evaluator.value(value)
    }

    /// The column of the source entity if the expression is only a column, or `nil`.
    var plainColumn: Int? {
        guard case .column(let path, let column) = value, path.frame == 0, path.hops.isEmpty else {
            return nil
        }
        return column
    }

    var constant: AttributeValue? {
        if case .constant(let constant, _) = value { constant } else { nil }
    }
}

extension ValueType {
    /// Whether values of this type may fit an attribute of the other type. Each value is checked later.
    func mayBecome(_ type: AttributeType) -> Bool {
        switch self {
        case .null: true
        case .object: false
        case .integer, .double:
            [.integer16, .integer32, .integer64, .double].contains(type)
                || self == .integer && [.decimal, .string].contains(type)
        case .boolean: [.boolean, .integer16, .integer32, .integer64].contains(type)
        case .uuid: [.uuid, .string].contains(type)
        case .uri, .string: [.string, .uri].contains(type)
        case .decimal: [.decimal, .string].contains(type)
        case .date: type == .date
        case .binary: type == .binary
        }
    }
}
