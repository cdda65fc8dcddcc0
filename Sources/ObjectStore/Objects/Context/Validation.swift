/// A check of values against the rules of the model, except for `unique`, which needs the store.
struct Validation {
    private(set) var failures: [ValidationError.Failure] = []

    mutating func check(_ object: ManagedObject) {
        let columns = object.entity.columns
        let isNew = object.state == .inserted
        for position in columns.indices where isNew || object.changed.contains(position) {
            check(
                object.values[position], column: columns[position],
                object: Place(entity: object.entity, id: object.id))
        }
        if let composites = object.entity.composites, object.context?.isMigrating == false {
            check(composites.optional, of: object)
        }
    }

    /// Checks that each changed value of an optional composite attribute has its required parts.
    ///
    /// A migration in place does not check this, so one that copies objects does not either. A missing part is read with its
    /// initial value, and set with it when the value is changed.
    private mutating func check(_ composites: [Entity.Composites.Optional], of object: ManagedObject) {
        for composite in composites
        where object.state == .inserted || composite.parts.contains(where: object.changed.contains) {
            guard composite.parts.contains(where: { !object.values[$0].isNull }) else { continue }
            for position in composite.required where object.values[position].isNull {
                fail(
                    Place(entity: object.entity, id: object.id), column: object.entity.columns[position],
                    rule: .required, detail: "there is no value, but \(composite.name) has others")
            }
        }
    }

    /// Checks the value for a column of one object, or of many objects if there is no ID.
    mutating func check(_ value: AttributeValue, column: Int, of entity: Entity, id: Int64? = nil) {
        check(value, column: entity.columns[column], object: Place(entity: entity, id: id))
    }

    /// The entity and the object that a value is for.
    private struct Place {
        let entity: Entity
        let id: Int64?
    }

    private mutating func check(_ value: AttributeValue, column: Entity.Column, object: Place) {
        if value.isNull {
            if !column.isOptional {
                fail(object, column: column, rule: .required, detail: "there is no value")
            }
            return
        }
        guard column.type.admits(value) else {
            return fail(object, column: column, rule: .type, detail: column.type.misfit(of: value))
        }
        if let elementType = column.elementType, case .string(let text) = value,
            ListValue.elements(of: text, elementType) == nil
        {
            fail(
                object, column: column, rule: .type,
                detail: "the value is not a list of the type \(elementType.rawValue)")
        }
        for rule in column.rules {
            check(value, rule: rule, column: column, object: object)
        }
        if !column.patterns.isEmpty, case .string(let text) = value {
            for pattern in column.patterns { check(text, pattern: pattern, column: column, object: object) }
        }
    }

    private mutating func check(
        _ value: AttributeValue, rule: ValidationRule, column: Entity.Column, object: Place
    ) {
        switch rule {
        case .length(let minimum, let maximum):
            guard !Self.surelyFits(value, minimum: minimum, maximum: maximum),
                let length = Self.length(of: value)
            else {
                return
            }
            if length < minimum {
                fail(object, column: column, rule: .length, detail: "\(length) is less than \(minimum)")
            }
            if let maximum, length > maximum {
                fail(object, column: column, rule: .length, detail: "\(length) is more than \(maximum)")
            }
        case .range(let lower, let upper):
            if Self.isLess(value, lower) {
                fail(object, column: column, rule: .range, detail: "less than the lower bound")
            }
            if Self.isLess(upper, value) {
                fail(object, column: column, rule: .range, detail: "more than the upper bound")
            }
        case .required, .unique, .pattern: break
        }
    }

    private mutating func check(
        _ text: String, pattern: RegularExpression, column: Entity.Column, object: Place
    ) {
        do throws(RegularExpression.Failure) {
            let matches = try Array(text.utf8).withUnsafeBufferPointer {
                bytes throws(RegularExpression.Failure) in
                try pattern.matches(utf8: bytes)
            }
            if !matches { fail(object, column: column, rule: .pattern, detail: "the text does not match") }
        } catch {
            fail(object, column: column, rule: .pattern, detail: error.reason)
        }
    }

    private mutating func fail(
        _ object: Place, column: Entity.Column, rule: ValidationError.Rule, detail: String
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
    private static func surelyFits(_ value: AttributeValue, minimum: Int, maximum: Int?) -> Bool {
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
