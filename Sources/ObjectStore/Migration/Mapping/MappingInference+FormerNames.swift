/// The former names of entities and properties.
extension MappingInference {
    /// Returns the source entity of a destination entity, or `nil` if the entity is new.
    func former(of entity: Entity) -> Entity? {
        if let column = destination.ownerColumns[entity.index] {
            return formerTable(ofValuesOwnedThrough: entity.toOne(at: column))
        }
        let name = knownName(among: [entity.description.renamedFrom, entity.name].compactMap(\.self)) {
            source.entity(named: $0).map { [$0.description.renamedFrom].compactMap(\.self) }
        }
        return name.flatMap(source.entity(named:))
    }

    /// Returns the table of the values of an external attribute in the source, or `nil` if the attribute is new. The entity and
    /// the attribute may have been renamed at different times.
    ///
    /// - Parameter owner: The relationship from a value to its owner in the destination.
    private func formerTable(ofValuesOwnedThrough owner: Entity.Relationship) -> Entity? {
        let table = destination.destination(of: owner)
        guard let attribute = table.relationship(at: owner.inverse),
            let former = former(of: destination.declaredDestination(of: owner)).map(source.stored),
            let name = formerName(
                of: attribute.name, renamedFrom: attribute.description.renamedFrom, in: table, former),
            let values = former.relationship(named: name), values.description.holdsValue
        else { return nil }
        return source.destination(of: values)
    }

    /// Returns the first name that the source has, or `nil` if it has none of them.
    ///
    /// A name is ignored if the source has declared it as the former name of one of the names after it. That rename is older
    /// than the source, so another member has the name now.
    ///
    /// - Parameters:
    ///   - names: The names that a member of the destination may have in the source, the oldest first.
    ///   - formerNames: Returns the former names of a member of the source, or `nil` if there is no member of this name.
    private func knownName(among names: [String], formerNames: (String) -> [String]?) -> String? {
        names.enumerated().first { position, name in
            formerNames(name) != nil
                && !names[(position + 1)...].contains {
                    $0 != name && formerNames($0)?.contains(name) == true
                }
        }?.element
    }

    /// Returns the former name of a property that was renamed after the source version, or `nil` if it was not renamed.
    private func rename(of name: String, from renamedFrom: String?, in former: Entity) -> String? {
        guard let renamedFrom else { return nil }
        let known = knownName(among: [renamedFrom, name], formerNames: former.formerNames)
        return known == renamedFrom ? known : nil
    }

    /// Returns the name of the source property for a destination property, or `nil` if the property is new.
    ///
    /// A renamed property takes its values with it, so another property with its former name is new.
    func formerName(
        of name: String, renamedFrom: String?, in entity: Entity, _ former: Entity
    ) -> String? {
        if let known = rename(of: name, from: renamedFrom, in: former) { return known }
        guard former.property(named: name) != nil else { return nil }
        let description = entity.description
        let renamed =
            description.attributes.map { nameTaken(by: $0, from: former) }
            + description.relationships.map { rename(of: $0.name, from: $0.renamedFrom, in: former) }
        return renamed.contains(name) ? nil : name
    }

    /// Returns the former name of a renamed attribute, with which no other attribute takes the values, or `nil` if it was not
    /// renamed. An attribute that became a part remains, if the entity still has one of its name.
    private func nameTaken(by attribute: AttributeDescription, from former: Entity) -> String? {
        guard let part = attribute.part else {
            return rename(of: attribute.name, from: attribute.renamedFrom, in: former)
        }
        let known = knownName(of: part, in: former)
        return known.flatMap { $0 != attribute.name && $0.contains(CompositeParts.separator) ? $0 : nil }
    }

    /// Returns the name of the source property for an attribute. A part of a composite attribute may have had several names,
    /// because the composite and the part may have been renamed at different times.
    func formerName(
        of attribute: AttributeDescription, in entity: Entity, _ former: Entity
    ) -> String? {
        guard let part = attribute.part else {
            return formerName(of: attribute.name, renamedFrom: attribute.renamedFrom, in: entity, former)
        }
        let known = knownName(of: part, in: former)
        // A part that kept its name is new if another part has taken its values.
        return formerName(
            of: attribute.name, renamedFrom: known == attribute.name ? nil : known, in: entity, former)
    }

    /// Returns the name that a part of a composite attribute has in the source, or `nil` if the part is new.
    private func knownName(of part: AttributeDescription.Part, in former: Entity) -> String? {
        // A composite that the source has under its new name was renamed earlier, so its former name is that of another one.
        let others = part.composites.flatMap { name, formerNames in
            let known = former.formerNames(ofComposite: name)
            return formerNames.filter { $0 != name && known.contains($0) }
        }
        let names = part.formerNames.filter { name in
            name == part.movedFrom
                || !others.contains { name.hasPrefix($0 + CompositeParts.separator) }
        }
        return knownName(among: names, formerNames: former.formerNames)
    }
}

extension Entity {
    /// Returns the names that a property had in earlier versions, or `nil` if there is no property of this name.
    fileprivate func formerNames(of name: String) -> [String]? {
        guard let property = property(named: name) else { return nil }
        if let relationship = relationship(at: property) {
            return [relationship.description.renamedFrom].compactMap(\.self)
        }
        guard case .attribute(let column) = property, case .attribute(let attribute) = columns[column].content
        else { return [] }
        return attribute.part?.formerNames ?? [attribute.renamedFrom].compactMap(\.self)
    }

    /// Returns the names that a composite attribute had in earlier versions, or an empty array if it is not one.
    fileprivate func formerNames(ofComposite name: String) -> [String] {
        for column in columns {
            guard case .attribute(let attribute) = column.content,
                let names = attribute.part?.composites[name]
            else { continue }
            return names
        }
        return []
    }
}
