extension PredicateChecker {
    /// Resolves an expression to a value, a list or a collection.
    mutating func operand(
        _ expression: FetchPredicate.Expression, _ scope: Scope
    ) throws(FetchPredicateError) -> Operand {
        switch expression {
        case .constant(let constant):
            return .value(try value(constant))
        case .path(let path):
            return try operand(path, scope)
        case .aggregate(let aggregate):
            return .value(try value(aggregate, scope))
        case .list(let elements):
            var values: [TypedValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try value(element, scope)) }
            return .list(values, offset: expression.offset)
        case .arithmetic(let sign, let left, let right):
            return .value(try arithmetic(sign, try value(left, scope), try value(right, scope)))
        case .negation(let operand):
            let number = try numeric(try value(operand, scope), "after a minus sign")
            return .value(
                TypedValue(value: .negation(number.value), type: number.type.promoted, offset: number.offset))
        case .function(let function, let operands):
            return .value(try value(of: function, operands: operands, in: scope))
        case .cast(let operand, let type):
            return .value(try cast(try value(operand, scope), type))
        case .conditional(let test, let first, let second):
            return .value(try conditional(if: test, then: first, else: second, in: scope))
        }
    }

    private mutating func value(
        _ expression: FetchPredicate.Expression, _ scope: Scope
    ) throws(FetchPredicateError) -> TypedValue {
        try single(try operand(expression, scope), expression)
    }

    private func value(_ constant: AttributeValue, _ origin: FetchPredicate.Origin) -> TypedValue {
        TypedValue(
            value: .constant(constant, ConstantSource(origin)), type: ValueType(of: constant),
            offset: origin.offset)
    }

    private func value(_ constant: FetchPredicate.Constant) throws(FetchPredicateError) -> TypedValue {
        var value = value(constant.value.withoutNaN, constant.origin)
        guard let name = constant.origin.entity, value.type == .integer else { return value }
        guard let entity = model.entity(named: name) else {
            throw FetchPredicateError(
                .type, at: constant.origin.offset,
                found: "an object of \(name), which the model does not have",
                expected: "an object of the model")
        }
        value.type = .object(entity.index)
        return value
    }

    private func numeric(_ value: TypedValue, _ place: String) throws(FetchPredicateError) -> TypedValue {
        guard value.type.isNumeric else {
            throw FetchPredicateError(
                .type, at: value.offset, found: describe(value.type), expected: "a number \(place)",
                hint: value.type == .decimal ? "CAST(…, \"NSNumber\") makes a double" : nil)
        }
        return value
    }

    // MARK: - Arithmetic

    /// Resolves arithmetic with numbers and dates.
    ///
    /// The difference of two dates is in seconds, and a date plus or minus a number of seconds is a date.
    private func arithmetic(
        _ sign: FetchPredicate.ArithmeticOperator, _ left: TypedValue, _ right: TypedValue
    ) throws(FetchPredicateError) -> TypedValue {
        let type: ValueType
        switch (sign, left.type, right.type) {
        case (.subtract, .date, .date): type = .double
        case (.add, .date, let number) where number.isNumeric: type = .date
        case (.subtract, .date, let number) where number.isNumeric: type = .date
        case (.add, let number, .date) where number.isNumeric: type = .date
        default:
            _ = try numeric(left, "in arithmetic")
            _ = try numeric(right, "in arithmetic")
            type = sign == .power ? .double : left.type.promoted(with: right.type)
        }
        return TypedValue(
            value: .arithmetic(sign, left.value, right.value), type: type, offset: left.offset ?? right.offset
        )
    }

    // MARK: - Aggregates

    private mutating func value(
        _ aggregate: FetchPredicate.Aggregate, _ scope: Scope
    ) throws(FetchPredicateError) -> TypedValue {
        guard case .collection(let collection, let element) = try operand(aggregate.path, scope) else {
            throw FetchPredicateError(
                .type, at: aggregate.path.origin.offset, found: "one value",
                expected: "a to-many path for @\(aggregate.operation.rawValue)")
        }
        let type: ValueType
        switch aggregate.operation {
        case .count: type = .integer
        case .sum: type = element.type == .decimal ? .decimal : try numeric(element, "for @sum").type.promoted
        case .avg:
            if element.type != .decimal { _ = try numeric(element, "for @avg") }
            type = .double
        case .min, .max:
            guard element.type.isOrdered else {
                throw FetchPredicateError(
                    .type, at: element.offset, found: describe(element.type),
                    expected: "values with an order for @\(aggregate.operation.rawValue)")
            }
            type = element.type
        }
        return TypedValue(
            value: .aggregate(
                aggregate.operation, collection, of: element.value, isDistinct: aggregate.isDistinct),
            type: type, offset: aggregate.path.origin.offset)
    }

    // MARK: - Functions

    private mutating func value(
        of function: FetchPredicate.Function, operands: [FetchPredicate.Expression], in scope: Scope
    ) throws(FetchPredicateError) -> TypedValue {
        guard operands.count == function.operandCount else {
            throw FetchPredicateError(
                .syntax, at: operands.first?.offset,
                found: "\(function.rawValue) with \(operands.count) operands",
                expected: "\(function.operandCount)")
        }
        if function == .now { return value(.date(now), .swift) }
        var values: [TypedValue] = []
        for operand in operands { values.append(try value(operand, scope)) }
        if let sign = function.arithmetic { return try arithmetic(sign, values[0], values[1]) }
        var type = ValueType.double
        for value in values {
            switch function.domain {
            case .text:
                guard value.type.isText else { throw wrong(value, function: function, expected: "text") }
                type = function == .length ? .integer : .string
            case .integers:
                guard value.type.isNumeric, value.type != .double else {
                    throw wrong(value, function: function, expected: "an integer")
                }
                type = .integer
            case .numbers:
                type = try numeric(value, "for \(function.rawValue)").type.promoted
            case .reals:
                _ = try numeric(value, "for \(function.rawValue)")
            }
        }
        return TypedValue(
            value: .function(function, values.map(\.value)), type: type, offset: values.first?.offset)
    }

    private func wrong(
        _ value: TypedValue, function: FetchPredicate.Function, expected: String
    ) -> FetchPredicateError {
        FetchPredicateError(
            .type, at: value.offset, found: describe(value.type),
            expected: "\(expected) for \(function.rawValue)")
    }

    private func cast(
        _ value: TypedValue, _ type: FetchPredicate.CastType
    ) throws(FetchPredicateError) -> TypedValue {
        guard value.type.canBeCast(to: type) else {
            throw FetchPredicateError(
                .type, at: value.offset, found: "\(describe(value.type)) cast to \(type.rawValue)",
                expected: type.advice)
        }
        return TypedValue(
            value: .cast(value.value, from: value.type, to: type), type: value.type.cast(to: type),
            offset: value.offset)
    }

    private mutating func conditional(
        if test: FetchPredicate.Node, then first: FetchPredicate.Expression,
        else second: FetchPredicate.Expression,
        in scope: Scope
    ) throws(FetchPredicateError) -> TypedValue {
        let condition = try check(test, scope)
        let values = (first: try value(first, scope), second: try value(second, scope))
        let type: ValueType
        switch (values.first.type, values.second.type) {
        case (.null, let other), (let other, .null): type = other
        case (let one, let other) where one == other: type = one
        case (let one, let other) where one.isNumeric && other.isNumeric: type = one.promoted(with: other)
        case (let one, let other):
            throw FetchPredicateError(
                .type, at: values.first.offset, found: "\(describe(one)) or \(describe(other))",
                expected: "two values of one type in TERNARY")
        }
        return TypedValue(
            value: .conditional(condition, values.first.value, values.second.value), type: type,
            offset: values.first.offset)
    }
}

extension AttributeValue {
    /// The value, or `.null` if it is NaN, because a store cannot keep NaN.
    var withoutNaN: AttributeValue {
        switch self {
        case .double(let number) where number.isNaN: .null
        case .date(let moment) where moment.secondsSince1970.isNaN: .null
        default: self
        }
    }
}

extension ValueType {
    /// The type of the value in arithmetic, where a boolean counts as 0 or 1.
    fileprivate var promoted: ValueType { self == .boolean ? .integer : self }

    fileprivate func promoted(with other: ValueType) -> ValueType {
        self == .double || other == .double ? .double : self == .null ? other.promoted : promoted
    }

    fileprivate func canBeCast(to type: FetchPredicate.CastType) -> Bool {
        switch (type, self) {
        case (_, .null), (.string, .string), (.binary, .binary), (.binary, .string): true
        case (_, .object), (_, .binary), (.binary, _): false
        case (.string, _): true
        case (.date, _): self == .date || self == .integer || self == .double || self == .string
        case (.number, _): self != .uuid && self != .uri
        case (.decimal, _): self == .decimal || self == .string || self == .integer
        case (.uuid, _): self == .uuid || self == .string
        case (.uri, _): self == .uri || self == .string
        }
    }

    fileprivate func cast(to type: FetchPredicate.CastType) -> ValueType {
        switch type {
        case .date: .date
        case .number: self == .integer || self == .boolean ? .integer : .double
        case .decimal: .decimal
        case .string: .string
        case .uuid: .uuid
        case .uri: .uri
        case .binary: .binary
        }
    }
}

extension FetchPredicate.Function {
    enum Domain {
        case text, integers, numbers, reals
    }

    /// The operands that the function accepts. A function of `numbers` returns their type, and one of `reals` a double.
    var domain: Domain {
        switch self {
        case .uppercase, .lowercase, .length: .text
        case .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            .integers
        case .add, .subtract, .multiply, .divide, .absolute, .ceiling, .floor, .truncate: .numbers
        case .raise, .squareRoot, .exponential, .naturalLogarithm, .logarithm, .now: .reals
        }
    }

    /// The arithmetic operator with the same meaning, or `nil` if there is none.
    var arithmetic: FetchPredicate.ArithmeticOperator? {
        switch self {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .raise: .power
        default: nil
        }
    }
}
