/// A check of values against the rules of the model, except for `unique`, which needs the store.
struct Validation {
    private(set) var failures: [ValidationError.Failure] = []

    mutating func check(_ object: ManagedObject) {
        let entity = object.entity
        let isNew = object.state == .inserted
        let (types, required, restricted, limits) = (
            entity.columnTypes, entity.requiredColumns, entity.restrictedColumns, entity.limits
        )
        object.values.withValues { values in
            for position in types.indices where isNew || object.changed.contains(position) {
                // Most values need no other check.
                let isValid =
                    values[position].isNull
                    ? !required.contains(position)
                    : types[position].admits(values[position])
                        && (!restricted.contains(position)
                            || limits[position].surelyAdmits(values[position]))
                if isValid { continue }
                check(
                    values[position], column: entity.columns[position],
                    object: Place(entity: entity, id: object.id))
            }
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

    /// Checks that an update of saved objects leaves no optional composite attribute without its required parts.
    ///
    /// The objects may have no value before. So an update that sets a part has to set the required parts, too.
    mutating func checkComposites(of values: [Int: AttributeValue], entity: Entity, id: Int64? = nil) {
        for composite in entity.composites?.optional ?? [] {
            let set = composite.parts.filter { values[$0] != nil }
            let isRemoved = composite.parts.allSatisfy { values[$0]?.isNull == true }
            let isNeeded = set.contains { values[$0]?.isNull == false || composite.required.contains($0) }
            guard !isRemoved, isNeeded else { continue }
            for position in composite.required where values[position]?.isNull ?? true {
                fail(
                    Place(entity: entity, id: id), column: entity.columns[position], rule: .required,
                    detail: "it is not set, but \(composite.name) may get other parts; set it, too")
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
        guard let detail = rule.violation(by: value) else { return }
        let kind: ValidationError.Rule = if case .length = rule { .length } else { .range }
        fail(object, column: column, rule: kind, detail: detail)
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
}
