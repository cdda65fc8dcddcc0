extension PredicateChecker {
    /// A resolved expression, before the check of the operator.
    enum Operand {
        case value(TypedValue)
        case list([TypedValue], offset: Int?)
        /// The objects of a to-many path, and the value of the path for each of them.
        case collection(ResolvedCollection, element: TypedValue)
    }

    /// A resolved value with its type and its offset in the format.
    struct TypedValue {
        var value: ResolvedValue
        var type: ValueType
        var offset: Int?
        /// The position of the entity if the value is an ID of its objects, or `nil`.
        var identified: Int?

        /// The value if it is a constant, which does not depend on any object, or `nil`.
        var constant: AttributeValue? {
            if case .constant(let constant, _) = value { constant } else { nil }
        }
    }

    /// Resolves one comparison. If its left side is a collection, `left` is an element of it.
    mutating func compare(
        _ left: Operand, _ comparison: FetchPredicate.Comparison, _ scope: Scope
    ) throws(FetchPredicateError) -> ResolvedCondition {
        let right = try operand(comparison.right, scope)
        switch comparison.comparator {
        case .equal: return try equal(try single(left, comparison.left), right, comparison)
        case .notEqual: return try unequal(try single(left, comparison.left), right, comparison)
        case .less: return try order(left, .less, right, comparison)
        case .lessOrEqual: return try order(left, .lessOrEqual, right, comparison)
        case .greater: return try order(left, .greater, right, comparison)
        case .greaterOrEqual: return try order(left, .greaterOrEqual, right, comparison)
        case .between: return try between(try single(left, comparison.left), right, comparison)
        case .in: return try member(try single(left, comparison.left), right, comparison)
        case .beginsWith: return try text(left, .beginsWith, right, comparison)
        case .contains: return try contains(left, right, comparison)
        case .containsWords: return try text(left, .containsWords, right, comparison)
        case .endsWith: return try text(left, .endsWith, right, comparison)
        case .like: return try text(left, .like, right, comparison)
        case .matches: return try text(left, .matches, right, comparison)
        }
    }

    func single(
        _ operand: Operand, _ expression: FetchPredicate.Expression
    ) throws(FetchPredicateError) -> TypedValue {
        switch operand {
        case .value(let value): return value
        case .collection(let collection, _):
            guard listsAreTexts, collection.steps.count == 1, let step = collection.steps.first,
                case .attribute(let column) = step.relationship
            else { throw needsQuantifier(expression) }
            return TypedValue(
                value: .column(step.source, column), type: .string, offset: expression.offset)
        case .list(_, let offset):
            throw FetchPredicateError(.type, at: offset, found: "a list", expected: "one value")
        }
    }

    // MARK: - Equality and order

    private func equal(
        _ left: TypedValue, _ right: Operand, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        let pair = try alike(left, try single(right, comparison.right), comparison)
        if pair.right.constant == .null { return isNull(pair.left) }
        if pair.left.constant == .null { return isNull(pair.right) }
        return .compare(pair.left.value, .equal, pair.right.value, comparison.options)
    }

    private func unequal(
        _ left: TypedValue, _ right: Operand, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        let pair = try alike(left, try single(right, comparison.right), comparison)
        if pair.right.constant == .null { return .not(isNull(pair.left)) }
        if pair.left.constant == .null { return .not(isNull(pair.right)) }
        return .compare(pair.left.value, .notEqual, pair.right.value, comparison.options)
    }

    private func isNull(_ value: TypedValue) -> ResolvedCondition {
        value.constant.map { .constant($0 == .null) } ?? .isNull(value.value)
    }

    private func order(
        _ left: Operand, _ relation: ResolvedCondition.Relation, _ right: Operand,
        _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        let pair = try alike(
            try single(left, comparison.left), try single(right, comparison.right), comparison)
        try requireOrder(pair.left, comparison)
        try requireOrder(pair.right, comparison)
        if pair.left.constant == .null || pair.right.constant == .null { return .constant(false) }
        return .compare(pair.left.value, relation, pair.right.value, comparison.options)
    }

    private func requireOrder(
        _ value: TypedValue, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) {
        guard value.type.isOrdered else {
            throw FetchPredicateError(
                .type, at: comparison.origin.offset,
                found: "\(comparison.comparator.spelling) with \(describe(value.type))",
                expected: "==, != or IN", hint: "it has no order")
        }
    }

    private func between(
        _ left: TypedValue, _ right: Operand, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        if case .value(let bounds) = right, bounds.type == .null { return .constant(false) }
        guard case .list(let bounds, _) = right, bounds.count == 2 else {
            throw FetchPredicateError(
                .type, at: comparison.right.offset ?? comparison.origin.offset, found: describe(right),
                expected: "a list of two bounds", hint: "write BETWEEN {1, 5}")
        }
        let (left, limits) = try alike(left, bounds, comparison)
        let values = [left] + limits
        for value in values { try requireOrder(value, comparison) }
        if values.contains(where: { $0.constant == .null }) { return .constant(false) }
        return .between(left.value, limits[0].value, limits[1].value, comparison.options)
    }

    // MARK: - Membership

    /// Tests whether a list or collection contains the left side, or whether a text contains it as a substring.
    func member(
        _ left: TypedValue, _ right: Operand, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        switch right {
        case .list(let elements, _):
            let (left, members) = try alike(left, elements, comparison)
            let values = members.filter { $0.constant != .null }.map(\.value)
            return left.constant == .null || values.isEmpty
                ? .constant(false) : .member(left.value, values, comparison.options)
        case .collection(let collection, let element):
            if left.constant == .null { return .constant(false) }
            let pair = try alike(element, left, comparison)
            // This is `member` and not `==`, because no collection contains nil.
            return .exists(
                collection, .member(pair.right.value, [pair.left.value], comparison.options))
        case .value(let whole):
            if whole.type == .null { return .constant(false) }
            guard whole.type.isText, left.type.isText else {
                throw FetchPredicateError(
                    .type, at: comparison.right.offset ?? comparison.origin.offset,
                    found: describe(whole.type),
                    expected: "a list, a collection, or text around text", hint: "write IN {1, 2}")
            }
            return try text(whole, .contains, left, comparison)
        }
    }

    // MARK: - Text

    private func contains(
        _ left: Operand, _ right: Operand, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        if case .list = left {
            return try member(try single(right, comparison.right), left, comparison)
        }
        return try text(left, .contains, right, comparison)
    }

    private func text(
        _ left: Operand, _ comparator: ResolvedCondition.TextOperator, _ right: Operand,
        _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        let left = try single(left, comparison.left)
        let right = try single(right, comparison.right)
        for (value, expression) in [(left, comparison.left), (right, comparison.right)]
        where !value.type.isText {
            throw FetchPredicateError(
                .type, at: expression.offset ?? comparison.origin.offset, found: describe(value.type),
                expected: "text for \(comparison.comparator.spelling)",
                hint: "CAST(…, \"NSString\") makes text")
        }
        return try text(left, comparator, right, comparison)
    }

    private func text(
        _ left: TypedValue, _ comparator: ResolvedCondition.TextOperator, _ right: TypedValue,
        _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> ResolvedCondition {
        if left.constant == .null || right.constant == .null { return .constant(false) }
        // A search always ignores case and accents.
        let options = comparator == .containsWords ? [] : comparison.options
        var prepared: PreparedText?
        if case .string(let pattern) = right.constant {
            prepared = try PreparedText(pattern, comparator: comparator, options: options, at: right.offset)
        }
        return .text(
            left.value,
            TextTest(
                comparator: comparator, options: options, pattern: right.value, prepared: prepared)
        )
    }
}
