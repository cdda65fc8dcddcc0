import CivilTime

extension PredicateChecker {
    /// The two sides of a comparison in one type, where a constant can be read as the type of the other side.
    func alike(
        _ left: TypedValue, _ right: TypedValue, _ comparison: FetchPredicate.Comparison
    ) throws(FetchPredicateError) -> (left: TypedValue, right: TypedValue) {
        let pair = (left: adapted(left, to: right.type), right: adapted(right, to: left.type))
        guard areComparable(pair.left.type, pair.right.type) else {
            throw FetchPredicateError(
                .type, at: comparison.origin.offset ?? left.offset ?? right.offset,
                found: "\(describe(left.type)) and \(describe(right.type)) on the sides of "
                    + comparison.comparator.spelling,
                expected: "two values that can be compared", hint: advice(left.type, right.type))
        }
        if !comparison.options.isEmpty, !(pair.left.type.isText && pair.right.type.isText) {
            throw FetchPredicateError(
                .type, at: comparison.origin.offset, found: "[c] or [d] without text",
                expected: "\(comparison.comparator.spelling) alone", hint: "they overlook case and accents")
        }
        return pair
    }

    private func areComparable(_ left: ValueType, _ right: ValueType) -> Bool {
        switch (left, right) {
        case (.null, _), (_, .null): true
        // A reference is compared with an object's id as well as with an object.
        case (.object, .integer), (.integer, .object): true
        default: left == right || left.isNumeric && right.isNumeric
        }
    }

    /// A constant in the type of the value it stands beside, if it says something in that type.
    private func adapted(_ value: TypedValue, to type: ValueType) -> TypedValue {
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
        if types.contains(.string) { return "quote text, and leave numbers without quotes" }
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

extension AttributeValue {
    /// The constant in the type of what it is compared with; nil when it stays as it is.
    ///
    /// A store keeps no integers among doubles, so an integer beside a double is rounded as one there.
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
