/// A check of values against the rules of the model, except for `unique`, which needs the store.
struct Validation {
    private(set) var failures: [ValidationError.Failure] = []

    mutating func check(_ object: ManagedObject) {
        let columns = object.entity.columns
        let isNew = object.state == .inserted
        for position in columns.indices where isNew || object.changed.contains(position) {
            check(object.values[position], columns[position], Place(entity: object.entity, id: object.id))
        }
    }

    /// Checks the value for a column of one object, or of many objects if there is no ID.
    mutating func check(_ value: AttributeValue, column: Int, of entity: Entity, id: Int64? = nil) {
        check(value, entity.columns[column], Place(entity: entity, id: id))
    }

    /// The entity and the object that a value is for.
    private struct Place {
        let entity: Entity
        let id: Int64?
    }

    private mutating func check(_ value: AttributeValue, _ column: Entity.Column, _ object: Place) {
        if value.isNull {
            if !column.isOptional { fail(object, column, .required, "there is no value") }
            return
        }
        guard column.type.admits(value) else {
            return fail(object, column, .type, column.type.misfit(of: value))
        }
        for rule in column.rules {
            check(value, rule, column, object)
        }
        if !column.patterns.isEmpty, case .string(let text) = value {
            for pattern in column.patterns { check(text, pattern, column, object) }
        }
    }

    private mutating func check(
        _ value: AttributeValue, _ rule: ValidationRule, _ column: Entity.Column, _ object: Place
    ) {
        switch rule {
        case .length(let minimum, let maximum):
            guard !Self.surelyFits(value, minimum, maximum), let length = Self.length(of: value) else {
                return
            }
            if length < minimum { fail(object, column, .length, "\(length) is less than \(minimum)") }
            if let maximum, length > maximum {
                fail(object, column, .length, "\(length) is more than \(maximum)")
            }
        case .range(let lower, let upper):
            if Self.isLess(value, lower) { fail(object, column, .range, "less than the lower bound") }
            if Self.isLess(upper, value) { fail(object, column, .range, "more than the upper bound") }
        case .required, .unique, .pattern: break
        }
    }

    private mutating func check(
        _ text: String, _ pattern: RegularExpression, _ column: Entity.Column, _ object: Place
    ) {
        do throws(RegularExpression.Failure) {
            let matches = try Array(text.utf8).withUnsafeBufferPointer {
                bytes throws(RegularExpression.Failure) in
                try pattern.matches(utf8: bytes)
            }
            if !matches { fail(object, column, .pattern, "the text does not match") }
        } catch {
            fail(object, column, .pattern, error.reason)
        }
    }

    private mutating func fail(
        _ object: Place, _ column: Entity.Column, _ rule: ValidationError.Rule, _ detail: String
    ) {
        failures.append(
            .init(
                entity: object.entity.name, id: object.id, property: column.name, rule: rule, detail: detail))
    }

    mutating func append(_ failure: ValidationError.Failure) {
        failures.append(failure)
    }

    /// Whether a string has a valid length, as far as its bytes show. A string that is not empty has at least one
    /// character, and no more characters than bytes, so most strings need not be counted.
    private static func surelyFits(_ value: AttributeValue, _ minimum: Int, _ maximum: Int?) -> Bool {
        guard minimum <= 1, case .string(let text) = value else { return false }
        return text.utf8.count >= minimum && text.utf8.count <= maximum ?? .max
    }

    /// Returns the number of characters of a text or bytes of binary data, or `nil` for any other value.
    private static func length(of value: AttributeValue) -> Int? {
        switch value {
        case .string(let text), .uri(let text): text.count
        case .binary(let bytes): bytes.count
        default: nil
        }
    }

    private static func isLess(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.decimal, _), (_, .decimal): isLess(decimal: left, than: right)
        case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)): left < right
        case (.uuid(let left), .uuid(let right)): (left.high, left.low) < (right.high, right.low)
        default: false
        }
    }

    /// Compares two decimals. A bound may also be an integer or missing.
    private static func isLess(decimal left: AttributeValue, than right: AttributeValue) -> Bool {
        let values = [left, right].compactMap { value -> DecimalValue? in
            switch value {
            case .decimal(let text): DecimalValue(text)
            case .integer(let number): DecimalValue("\(number)")
            default: nil
            }
        }
        return values.count == 2 && values[0] < values[1]
    }
}
