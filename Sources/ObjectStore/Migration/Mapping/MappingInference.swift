/// The inference of a mapping between two models. It collects everything that the models leave open.
struct MappingInference {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The property mappings that need no inference, by entity name.
    private let given: [String: [PropertyMapping]]
    private(set) var problems: [MappingError.Problem] = []
    private var matches: [EntityMatch] = []

    private static let needsDefault =
        "is new and required but has no default; give it one, or a value in a mapping model"
    private static let needsDefaultForNil =
        "was optional and is required, and has no default for objects without a value; give it one, "
        + "or a value in a mapping model"

    init(
        from source: ManagedObjectModel, to destination: ManagedObjectModel,
        given: [String: [PropertyMapping]]
    ) {
        self.source = source
        self.destination = destination
        self.given = given
    }

    mutating func entityMappings() throws(MappingError) -> [EntityMapping] {
        matchEntities()
        for name in given.keys.sorted() {
            guard let root = destination.entity(named: name)?.storedName, root != name else { continue }
            problems.append(
                .init(
                    entity: name, reason: "is in the table of \(root); give its property mappings for \(root)"
                ))
        }
        var mappings: [EntityMapping] = []
        for entity in destination.entities {
            let own = matches.filter { $0.destination === entity }
            if own.isEmpty { mappings.append(EntityMapping(from: nil, to: entity.name)) }
            for match in own {
                var mapping = EntityMapping(
                    name: own.count == 1 ? nil : "\(entity.name) from \(match.source.name)",
                    from: match.source.name, to: entity.name, where: predicate(of: match))
                mapping.properties = properties(match)
                mappings.append(mapping)
            }
        }
        for entity in source.entities where !matches.contains(where: { $0.source === entity }) {
            mappings.append(EntityMapping(name: "\(entity.name) removed", from: entity.name, to: nil))
        }
        guard problems.isEmpty else { throw MappingError(from: source, to: destination, problems: problems) }
        return mappings
    }

    /// Returns the condition for the source objects of a match. The external values of omitted objects are omitted, too.
    private func predicate(of match: EntityMatch) -> FetchPredicate {
        guard let column = source.ownerColumns[match.source.index] else { return match.predicate }
        let owner = match.source.toOne(at: column)
        let names = matches.filter { $0.source.index == owner.destinationIndex }.flatMap(\.names).map(
            \.source)
        guard let all = source.destination(of: owner).inheritance?.names, !Set(names).isSuperset(of: all)
        else { return .all }
        return FetchPredicate(
            .key("\(owner.name).\(Entity.Inheritance.attribute)"), .in,
            .list(names.map { .value(.string($0)) }))
    }

    private mutating func matchEntities() {
        var claims: [String: String] = [:]
        for entity in destination.entities {
            // An entity in no hierarchy is the only one in its table.
            let members = destination.members[entity.index]
            for member in members.isEmpty ? [entity] : members {
                guard let match = former(of: member), !match.description.isAbstract
                else { continue }
                guard !member.description.isAbstract else {
                    record(
                        entity: member, property: nil,
                        reason:
                            "is abstract and had objects; give a mapping model that gives them other entities"
                    )
                    continue
                }
                if let rival = claims.updateValue(member.name, forKey: match.name) {
                    record(
                        entity: member, property: nil,
                        reason:
                            "has the source \(match.name), and so does \(rival); give a mapping model that divides the objects"
                    )
                    continue
                }
                add(match, to: member, in: entity)
            }
        }
    }

    private mutating func add(_ former: Entity, to member: Entity, in table: Entity) {
        let source = source.stored(former)
        let index = matches.firstIndex { $0.destination === table && $0.source === source }
        if let index {
            matches[index].names.append((former.name, member.name))
        } else {
            matches.append(
                EntityMatch(source: source, destination: table, names: [(former.name, member.name)]))
        }
    }

    private mutating func properties(_ match: EntityMatch) -> [PropertyMapping] {
        let (entity, former) = (match.destination, match.source)
        var properties = given[entity.name] ?? []
        let open = { [properties] (name: String) in !properties.contains { $0.name == name } }
        for attribute in entity.description.attributes where open(attribute.name) {
            if entity.inheritance != nil, attribute.name == Entity.Inheritance.attribute {
                properties.append(match.entityName)
            } else if let members = members(having: attribute, match) {
                map(attribute, of: members, match).map { properties.append($0) }
            } else {
                map(attribute, of: entity, from: former).map { properties.append($0) }
            }
        }
        for relationship in entity.relationships where open(relationship.name) {
            map(relationship, of: entity, from: former).map { properties.append($0) }
        }
        return properties
    }

    // MARK: - Hierarchies

    /// Returns the matched entities with an attribute, by the names of their source entities, or `nil` if all entities of the
    /// table have it.
    private func members(
        having attribute: AttributeDescription, _ match: EntityMatch
    ) -> [(source: String, entity: Entity)]? {
        let root = destination.entity(named: match.destination.name)
        guard match.destination.inheritance != nil, root?.property(named: attribute.name) == nil else {
            return nil
        }
        return match.names.compactMap { names in
            guard let entity = destination.entity(named: names.destination),
                entity.property(named: attribute.name) != nil
            else { return nil }
            return (names.source, entity)
        }
    }

    /// Maps an attribute that only some entities of a table have.
    private mutating func map(
        _ attribute: AttributeDescription, of members: [(source: String, entity: Entity)],
        _ match: EntityMatch
    ) -> PropertyMapping? {
        guard let entity = members.first?.entity,
            let declared = entity.description.attribute(named: attribute.name)
        else { return nil }
        let isRequired = !declared.isOptional && declared.defaultValue.isNull
        let value = FetchPredicate.Expression.value(declared.defaultValue)
        let isMember = match.isOf(members.map(\.source))
        let former = formerName(of: attribute, in: match.destination, match.source)
        guard let former, case .attribute(let column)? = match.source.property(named: former) else {
            if isRequired {
                record(entity: entity, property: attribute.name, reason: Self.needsDefault)
            }
            guard former == nil, !declared.defaultValue.isNull else {
                return map(attribute, of: match.destination, from: match.source)
            }
            return .computed(attribute.name, isMember.map { .conditional($0, value, .null) } ?? value)
        }
        let mapping = map(attribute, of: match.destination, from: match.source)
        let wasOptional = members.contains {
            source.entity(named: $0.source)?.columns[column].isOptional == true
        }
        guard mapping != nil, !declared.isOptional, wasOptional else { return mapping }
        if isRequired {
            record(entity: entity, property: attribute.name, reason: Self.needsDefaultForNil)
        }
        let isMissing = FetchPredicate(.key(former), .equal, .null).root
        return .computed(
            attribute.name,
            .conditional(isMember.map { .and([$0, isMissing]) } ?? isMissing, value, .key(former)))
    }

    private mutating func record(entity: Entity, property: String?, reason: String) {
        problems.append(MappingError.Problem(entity: entity.name, property: property, reason: reason))
    }

    // MARK: - Attributes

    private mutating func map(
        _ attribute: AttributeDescription, of entity: Entity, from former: Entity
    ) -> PropertyMapping? {
        let name = formerName(of: attribute, in: entity, former) ?? ""
        // The save that follows computes a derived attribute that is new or changed.
        if let derivation = attribute.derivationText,
            former.description.attribute(named: name)?.derivationText != derivation
        {
            return nil
        }
        switch former.property(named: name) {
        case nil:
            if !attribute.isOptional && attribute.defaultValue.isNull {
                record(entity: entity, property: attribute.name, reason: Self.needsDefault)
            }
            return nil
        case .toOne, .toMany:
            record(
                entity: entity, property: attribute.name,
                reason: "was a relationship; give a mapping model with its value")
            return nil
        case .attribute(let column):
            let before = former.columns[column]
            guard before.elementType == attribute.elementType else {
                record(
                    entity: entity, property: attribute.name,
                    reason: "became a list, or is no list any more, or has elements of another type; "
                        + "give a mapping model with a policy for it")
                return nil
            }
            guard before.type.converts(to: attribute.type) else {
                record(
                    entity: entity, property: attribute.name,
                    reason:
                        "was \(before.type.rawValue) and is \(attribute.type.rawValue), which could lose values; "
                        + "give a mapping model with an expression for it")
                return nil
            }
            if before.isOptional && !attribute.isOptional && attribute.defaultValue.isNull {
                record(entity: entity, property: attribute.name, reason: Self.needsDefaultForNil)
            }
            let whenNil = before.isOptional && !attribute.isOptional ? attribute.defaultValue : .null
            return .copy(attribute.name, from: name, whenNil: whenNil)
        }
    }

    // MARK: - Relationships

    private func former(
        _ relationship: Entity.Relationship, of entity: Entity, in former: Entity
    ) -> Entity.Relationship? {
        formerName(
            of: relationship.name, renamedFrom: relationship.description.renamedFrom, in: entity, former
        ).flatMap(former.relationship(named:))
    }

    private mutating func map(
        _ relationship: Entity.Relationship, of entity: Entity, from formerEntity: Entity
    ) -> PropertyMapping? {
        let name = formerName(
            of: relationship.name, renamedFrom: relationship.description.renamedFrom, in: entity, formerEntity
        )
        if name.flatMap(formerEntity.column(named:)).map({ formerEntity.columns[$0].isAttribute }) == true {
            record(
                entity: entity, property: relationship.name,
                reason: "was an attribute; give a mapping model with a policy for it")
            return nil
        }
        let description = relationship.description
        guard let before = former(relationship, of: entity, in: formerEntity) else {
            if !description.isOptional {
                record(
                    entity: entity, property: relationship.name,
                    reason:
                        "is new and required; make it optional, or give a mapping model with a policy for it")
            }
            return nil
        }
        let target = destination.destination(of: relationship)
        let formerTarget = source.destination(of: before)
        guard matches.contains(where: { $0.destination === target && $0.source === formerTarget }) else {
            record(
                entity: entity, property: relationship.name,
                reason:
                    "had the destination \(formerTarget.name), which is not mapped to \(target.name); give a mapping model"
            )
            return nil
        }
        if before.description.isToMany && !description.isToMany {
            record(
                entity: entity, property: relationship.name,
                reason:
                    "was to-many and is to-one, which could lose objects; give a mapping model with a policy for it"
            )
            return nil
        }
        if before.description.isOptional && !description.isToMany && !description.isOptional {
            record(
                entity: entity, property: relationship.name,
                reason: "was optional and is required, and objects without one have no value; "
                    + "give a mapping model with a policy for it")
            return nil
        }
        return isSent(by: relationship, before: before, target: target, formerTarget: formerTarget)
            ? .objects(relationship.name, from: before.name) : nil
    }

    /// Whether this end of a relationship determines its values. Both ends have the same information, so only
    /// the end with the column or the link table is mapped.
    private func isSent(
        by relationship: Entity.Relationship, before: Entity.Relationship, target: Entity,
        formerTarget: Entity
    ) -> Bool {
        guard let inverse = target.relationship(at: relationship.inverse),
            let formerInverse = former(inverse, of: target, in: formerTarget),
            formerInverse.name == before.description.inverse
        else { return true }
        if let link = relationship.link { return link.isOwner }
        return !relationship.description.isToMany
    }
}

extension Entity.Column {
    var isAttribute: Bool {
        if case .attribute = content { true } else { false }
    }
}
