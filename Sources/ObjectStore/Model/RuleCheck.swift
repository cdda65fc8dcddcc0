/// A check that the rules and the default of an attribute are valid for its type.
enum RuleCheck {
    static func check(_ attribute: AttributeDescription, of entity: String) throws(ModelError) {
        let type = attribute.type
        if !attribute.defaultValue.isNull && !type.admits(attribute.defaultValue) {
            throw ModelError(
                .invalidDefault, entity: entity, property: attribute.name,
                message:
                    "the default is of the type \(attribute.defaultValue.typeName) or too large for \(type.rawValue)"
            )
        }
        if let elementType = attribute.elementType { try checkList(attribute, of: elementType, entity) }
        for rule in attribute.rules {
            guard let complaint = complaint(about: rule, for: type) else { continue }
            throw ModelError(
                .invalidRule, entity: entity, property: attribute.name,
                message: "the rule \(rule.name) \(complaint)")
        }
        try checkDefault(attribute, entity)
    }

    /// Checks the default against the rules. Every new object has it, so it has to be a value that can be saved.
    private static func checkDefault(
        _ attribute: AttributeDescription, _ entity: String
    ) throws(ModelError) {
        for rule in attribute.rules {
            guard let problem = rule.violation(by: attribute.defaultValue) ?? mismatch(attribute, rule) else {
                continue
            }
            throw ModelError(
                .invalidDefault, entity: entity, property: attribute.name,
                message:
                    "the default breaks the rule \(rule.name): \(problem); leave it out or change one of them"
            )
        }
    }

    /// Returns the problem of a default that does not match the pattern of a rule, or `nil` if there is none.
    private static func mismatch(_ attribute: AttributeDescription, _ rule: ValidationRule) -> String? {
        guard case .pattern(let pattern) = rule, case .string(let text) = attribute.defaultValue else {
            return nil
        }
        do throws(RegularExpression.Failure) {
            let expression = try RegularExpression(pattern, [])
            let matches = try Array(text.utf8).withUnsafeBufferPointer {
                bytes throws(RegularExpression.Failure) in
                try expression.matches(utf8: bytes)
            }
            return matches ? nil : "the text does not match"
        } catch {
            return error.reason
        }
    }

    private static func checkList(
        _ attribute: AttributeDescription, of elementType: AttributeType, _ entity: String
    ) throws(ModelError) {
        guard ListValue.admits(elementsOf: elementType), attribute.type == .string else {
            throw ModelError(
                .invalidRule, entity: entity, property: attribute.name,
                message: "a list cannot have elements of the type \(elementType.rawValue)")
        }
        if case .string(let text) = attribute.defaultValue, ListValue.elements(of: text, elementType) == nil {
            throw ModelError(
                .invalidDefault, entity: entity, property: attribute.name,
                message: "the default is not a list of the type \(elementType.rawValue)")
        }
        if let rule = attribute.rules.first {
            throw ModelError(
                .invalidRule, entity: entity, property: attribute.name,
                message: "the rule \(rule.name) does not apply to lists")
        }
    }

    private static func complaint(about rule: ValidationRule, for type: AttributeType) -> String? {
        switch rule {
        case .required: return nil
        case .unique(let options):
            if type == .binary { return "does not apply to binary values" }
            return options.isEmpty || type == .string ? nil : "has options that apply to strings only"
        case .length(let minimum, let maximum):
            guard [.string, .binary, .uri].contains(type) else {
                return "applies to strings and binary values only"
            }
            return minimum < 0 || maximum.map { $0 < minimum } == true
                ? "has bounds that no value can satisfy" : nil
        case .range(let lower, let upper):
            guard type.isOrdered, type != .boolean else {
                return "does not apply to the type \(type.rawValue)"
            }
            let bounds = [lower, upper].filter { !$0.isNull }
            if bounds.isEmpty { return "has no bounds" }
            let isValid = bounds.allSatisfy {
                type.admits($0) || type == .decimal && AttributeType.integer64.admits($0)
            }
            if !isValid { return "has a bound that is not of the type \(type.rawValue)" }
            return ValidationRule.isEmpty(from: lower, to: upper)
                ? "has bounds that no value can satisfy" : nil
        case .pattern(let pattern):
            guard type == .string else { return "applies to strings only" }
            do throws(RegularExpression.Failure) {
                _ = try RegularExpression(pattern, [])
                return nil
            } catch {
                return "is not a regular expression: \(error.reason)"
            }
        }
    }
}
