import CivilTime

extension PredicateChecker {
    /// Returns the two sides of a comparison. A constant is converted to the type of the other side if possible.
    func alike(
        _ left: TypedValue, _ right: TypedValue, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> (left: TypedValue, right: TypedValue) {
        let alike = try alike(left, [right], comparison)
        return (alike.left, alike.elements[0])
    }

    /// Returns the left side of a comparison and the elements of the list on its right side, converted to one type.
    ///
    /// The type of a left side that is not a constant does not change. A constant on the left side is converted to the
    /// common type of all values, so the order of the elements makes no difference.
    func alike(
        _ left: TypedValue, _ elements: [TypedValue], _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> (left: TypedValue, elements: [TypedValue]) {
        let type = left.constant == nil ? left.type : commonType(of: [left] + elements)
        let side = adapted(left, to: type)
        var others: [TypedValue] = []
        others.reserveCapacity(elements.count)
        for element in elements {
            let other = adapted(element, to: type)
            try requireComparable((left, side), (element, other), comparison)
            others.append(other)
        }
        return (side, others)
    }

    /// Returns the type in which the values are compared.
    ///
    /// If some values are not constants, it is one of their types, otherwise one of the constants' types. Among
    /// several types it is the one of the highest rank, to which constants of the other types can be converted.
    private func commonType(of values: [TypedValue]) -> ValueType {
        let computed = values.filter { $0.constant == nil && $0.type != .null }
        return (computed.isEmpty ? values : computed).map(\.type).max { $0.rank < $1.rank } ?? .null
    }

    /// Throws if the operator cannot compare the two values.
    ///
    /// - Parameters:
    ///   - left: the left side as written, and after the conversion to the common type.
    ///   - right: the right side as written, and after the conversion to the common type.
    private func requireComparable(
        _ left: (written: TypedValue, read: TypedValue), _ right: (written: TypedValue, read: TypedValue),
        _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) {
        let types = (left.written.type, right.written.type)
        guard areComparable(left.read, right.read) else {
            throw FetchPredicateError(
                .type, at: comparison.origin.offset ?? left.written.offset ?? right.written.offset,
                found: "\(describe(types.0)) and \(describe(types.1)) on the sides of "
                    + comparison.comparator.spelling,
                expected: "two values that can be compared",
                hint: advice(left.written, right.written) ?? advice(types.0, types.1))
        }
        if !comparison.options.isEmpty, !(left.read.type.isText && right.read.type.isText) {
            throw FetchPredicateError(
                .type, at: comparison.origin.offset, found: "[c] or [d] without text",
                expected: "\(comparison.comparator.spelling) alone", hint: "they ignore case and accents")
        }
    }

    private func areComparable(_ left: TypedValue, _ right: TypedValue) -> Bool {
        switch (left.type, right.type) {
        case (.null, _), (_, .null): true
        case (.object(let entity), .integer): isComparable(left, of: entity, withNumber: right)
        case (.integer, .object(let entity)): isComparable(right, of: entity, withNumber: left)
        default: left.type == right.type || left.type.isNumeric && right.type.isNumeric
        }
    }

    /// Whether an object can be compared with a number.
    ///
    /// A reference can be compared with any integer, because it is an ID itself. An object passed as an argument can be
    /// compared with constants and with IDs of its entity. Other numbers are unrelated to it.
    private func isComparable(_ object: TypedValue, of entity: Int, withNumber number: TypedValue) -> Bool {
        object.constant == nil || number.constant != nil || number.identified == entity
    }

    /// Returns advice for an error if one side is an object passed as an argument, or `nil`.
    private func advice(_ left: TypedValue, _ right: TypedValue) -> String? {
        for (argument, other) in [(left, right), (right, left)] {
            guard case .object = argument.type, argument.constant != nil else { continue }
            if case .object = other.type { return "pass \(describe(other.type)), or an id" }
            return "pass the value of an attribute of the object, or compare a relationship with it"
        }
        return nil
    }

    /// Converts a constant to the type of the other side if possible. Any other value is returned unchanged.
    private func adapted(_ value: TypedValue, to type: ValueType) -> TypedValue {
        if case .object = value.type { return value }
        guard case .constant(let constant, let source) = value.value,
            let converted = constant.read(as: type)
        else { return value }
        return TypedValue(
            value: .constant(converted, source.after(.read(as: type))), type: ValueType(of: converted),
            offset: value.offset)
    }

    private func advice(_ left: ValueType, _ right: ValueType) -> String? {
        let types = [left, right]
        if types.contains(.date) {
            return types.contains(.string)
                ? "write a date as \"2026-11-20T17:42:29Z\""
                : "write a date as CAST(seconds since 2001, \"NSDate\")"
        }
        if types.contains(.decimal) {
            return
                "CAST(…, \"NSDecimalNumber\") makes a decimal of text or an integer, \"NSNumber\" a double of a decimal"
        }
        if types.contains(.uuid) { return "write a UUID as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"" }
        if types.contains(.string) { return "put text in quotes, and numbers without quotes" }
        return nil
    }

    func describe(_ type: ValueType) -> String {
        if case .object(let index) = type {
            "an object of \(model.entities[index].name)"
        } else {
            type.kindName
        }
    }

    func describe(_ operand: Operand) -> String {
        switch operand {
        case .value(let value): describe(value.type)
        case .list(let elements, _): "a list of \(elements.count)"
        case .collection: "a collection"
        }
    }
}

extension ValueType {
    /// The precedence as the common type. Between two types, constants are converted to the type of the higher rank.
    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .object: 1
        case .boolean: 2
        case .integer: 3
        case .string: 4
        case .double: 5
        case .decimal: 6
        case .uri: 7
        case .binary: 8
        case .date: 9
        case .uuid: 10
        }
    }
}

extension AttributeValue {
    /// Returns the constant converted to the type of the other operand, or `nil` if it is not converted.
    ///
    /// A column of doubles holds only doubles. An integer that is compared with it is therefore rounded to a double.
    func read(as type: ValueType) -> AttributeValue? {
        switch (type, self) {
        case (.double, .integer(let number)): .double(Double(number))
        case (.date, .string(let text)): Timestamp(iso8601: text).map { .date($0) }
        case (.uuid, .string(let text)): UUIDValue(text).map { .uuid($0) }
        case (.uri, .string(let text)): .uri(text)
        case (.string, .uri(let text)): .string(text)
        case (.decimal, .string(let text)): DecimalValue(text).map { .decimal($0.text) }
        case (.decimal, .integer(let number)): .decimal(String(number))
        case (.decimal, .double(let number)): DecimalValue(shortest: number).map { .decimal($0.text) }
        default: nil
        }
    }
}
