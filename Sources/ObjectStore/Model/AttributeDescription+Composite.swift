extension AttributeDescription {
    /// The place of an attribute that is a part of a composite attribute.
    struct Part: Hashable, Sendable {
        /// The name of the nearest optional composite if the part has a value whenever that composite is not nil.
        var requiredIn: String?
        /// The names that the part may have had in the previous model version, the likeliest first.
        var formerNames: [String]
        /// The part of another composite attribute that this one was, if the part declares that.
        var movedFrom: String?
        /// The former names of the composite attributes that it is a part of, by their names.
        var composites: [String: [String]] = [:]
    }

    /// Creates an attribute that is made of other attributes: an address with a street and a city.
    ///
    ///     .composite("home", [.string("street", default: ""), .string("city")])
    ///
    /// Each part is an attribute of the entity with a dot in its name, `home.city`, and a column of its own. A part may be a
    /// composite attribute, too.
    ///
    /// The value of an optional composite attribute is nil if all parts are nil. The parts are then optional and have no
    /// defaults in new objects.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute.
    ///   - parts: The parts. None of them can be derived or external.
    ///   - optional: Whether an object may be saved without a value.
    ///   - renamedFrom: The name of the composite attribute in the previous model version, if it was renamed.
    public static func composite(
        _ name: String, _ parts: [AttributeDescription], optional: Bool = false, renamedFrom: String? = nil
    ) -> Self {
        var attribute = Self(name, .string, optional: optional, renamedFrom: renamedFrom)
        attribute.parts = parts
        return attribute
    }
}

extension AttributeDescription {
    fileprivate func hasName(of other: AttributeDescription) -> Bool {
        name.lowercased() == other.name.lowercased()
    }
}

/// The replacement of composite attributes by their parts, which are ordinary attributes with dots in their names.
enum CompositeParts {
    static let separator = "."

    /// Returns a list of entities in which the parts replace the composite attributes.
    static func expand(_ entities: [EntityDescription]) throws(ModelError) -> [EntityDescription] {
        var expanded: [EntityDescription] = []
        for var entity in entities {
            var attributes: [AttributeDescription] = []
            for attribute in entity.attributes {
                guard attribute.part != nil || !attribute.name.contains(separator) else {
                    throw ModelError(
                        .invalidName, entity: entity.name, property: attribute.name,
                        message: "has a dot in its name; only the parts of a composite attribute have one")
                }
                guard let parts = attribute.parts else {
                    attributes.append(attribute)
                    continue
                }
                try ModelBuilder.checkName(attribute.name, entity: entity.name, property: attribute.name)
                guard entity.attributes.count(where: { $0.hasName(of: attribute) }) == 1 else {
                    throw ModelError(
                        .duplicateProperty, entity: entity.name, property: attribute.name,
                        message: "the entity has two properties of this name, ignoring case")
                }
                let formerName = attribute.renamedFrom ?? attribute.name
                let owner = Owner(
                    entity: entity.name, name: attribute.name, formerNames: [formerName],
                    composites: [attribute.name: [formerName]],
                    optionalName: attribute.isOptional ? attribute.name : nil)
                attributes += try expand(parts, of: owner)
            }
            entity.attributes = attributes
            expanded.append(entity)
        }
        return expanded
    }

    /// A composite attribute.
    private struct Owner {
        let entity: String
        let name: String
        /// The names that it may have had, the likeliest first.
        let formerNames: [String]
        /// The former names of this composite attribute and of those that it is a part of, by their names.
        let composites: [String: [String]]
        /// The name of the nearest composite that is optional: this one, one that it is a part of, or `nil` for none.
        let optionalName: String?
    }

    private static func expand(
        _ parts: [AttributeDescription], of owner: Owner
    ) throws(ModelError) -> [AttributeDescription] {
        guard !parts.isEmpty else {
            throw ModelError(
                .invalidComposite, entity: owner.entity, property: owner.name,
                message: "is a composite attribute without parts")
        }
        var expanded: [AttributeDescription] = []
        for var part in parts {
            let name = owner.name + separator + part.name
            try check(part, named: name, of: owner)
            let ownNames = [part.renamedFrom, part.formerPartName, part.name].compactMap(\.self)
            var formerNames = (owner.formerNames + [owner.name]).map { $0 + separator }
            formerNames = ownNames.flatMap { own in formerNames.map { $0 + own } }
            // A part may have been an attribute of the entity.
            formerNames += [part.renamedFrom].compactMap(\.self)
            var unique: [String] = []
            for former in formerNames where !unique.contains(former) { unique.append(former) }
            if let inner = part.parts {
                let optionalName = part.isOptional ? name : owner.optionalName
                var composites = owner.composites
                composites[name] = unique
                expanded += try expand(
                    inner,
                    of: Owner(
                        entity: owner.entity, name: name, formerNames: unique, composites: composites,
                        optionalName: optionalName))
                continue
            }
            part.part = AttributeDescription.Part(
                requiredIn: part.isOptional ? nil : owner.optionalName, formerNames: unique,
                movedFrom: part.renamedFrom.flatMap { $0.contains(separator) ? $0 : nil },
                composites: owner.composites)
            (part.name, part.formerPartName) = (name, nil)
            part.renamedFrom = unique.first == name ? nil : unique.first
            if owner.optionalName != nil { (part.isOptional, part.defaultValue) = (true, .null) }
            expanded.append(part)
        }
        return expanded
    }

    private static func check(
        _ part: AttributeDescription, named name: String, of owner: Owner
    ) throws(ModelError) {
        guard !part.name.contains(separator) else {
            throw ModelError(
                .invalidName, entity: owner.entity, property: name,
                message: "the name of a part has no dot; a part that has parts is a composite attribute")
        }
        let complaint: String
        if part.derivedFrom != nil {
            complaint = "is a part and cannot be derived; derive an attribute of the entity from it"
        } else if part.isExternal {
            complaint = "is a part and cannot be external; make it an attribute of the entity"
        } else {
            return
        }
        throw ModelError(.invalidComposite, entity: owner.entity, property: name, message: complaint)
    }
}
