internal import CivilTime

/// A mapping model with its names and types checked against its two models.
struct ResolvedMapping {
    /// One entity mapping with its names resolved.
    struct EntityPart {
        let mapping: EntityMapping
        let source: Entity?
        let destination: Entity?
        let attributes: [AttributePart]
        let relationships: [RelationshipPart]
    }

    struct AttributePart {
        enum Value {
            case expression(MappedExpression)
            case newUUID
        }

        /// The index of the column in the destination entity.
        let column: Int
        let value: Value
        let whenNil: AttributeValue
    }

    struct RelationshipPart {
        let destination: Entity.Relationship
        let source: Entity.Relationship
    }

    let model: MappingModel
    let parts: [EntityPart]
    /// The time at which the migration began, which is the value of `now()` in expressions.
    let now: Timestamp

    init(_ model: MappingModel, now: Timestamp) throws(MappingError) {
        self.model = model
        self.now = now
        var checker = MappingCheck(model, now: now)
        parts = try checker.parts()
    }

    /// Returns the parts with this source entity.
    func parts(from source: Entity) -> [EntityPart] {
        parts.filter { $0.source === source }
    }

    func parts(to destination: Entity) -> [EntityPart] {
        parts.filter { $0.destination === destination }
    }

    /// The source entities that have a destination entity. Their largest ids are carried over so that no id
    /// is used twice.
    var survivors: [(source: Entity, destination: Entity)] {
        parts.compactMap { part in
            guard let source = part.source, let destination = part.destination else { return nil }
            return (source, destination)
        }
    }
}

/// A check of the names and types in a mapping model against its two models.
private struct MappingCheck {
    private let model: MappingModel
    private let now: Timestamp
    private var problems: [MappingError.Problem] = []

    init(_ model: MappingModel, now: Timestamp) {
        self.model = model
        self.now = now
    }

    mutating func parts() throws(MappingError) -> [ResolvedMapping.EntityPart] {
        var names: Set<String> = []
        var parts: [ResolvedMapping.EntityPart] = []
        for mapping in model.entityMappings {
            if !names.insert(mapping.name).inserted {
                record(
                    entity: mapping.name, property: nil,
                    reason: "two entity mappings have this name; give each its own")
            }
            parts.append(part(mapping))
        }
        for entity in model.source.entities where !parts.contains(where: { $0.source === entity }) {
            record(
                entity: entity.name, property: nil,
                reason:
                    "no entity mapping has it as the source; add one, without a destination if its objects are deleted"
            )
        }
        for entity in model.destination.entities where !parts.contains(where: { $0.destination === entity }) {
            record(
                entity: entity.name, property: nil,
                reason: "no entity mapping has it as the destination; add one, without a source if it is new")
        }
        guard problems.isEmpty else {
            throw MappingError(from: model.source, to: model.destination, problems: problems)
        }
        return parts
    }

    private mutating func record(entity: String, property: String?, reason: String) {
        problems.append(MappingError.Problem(entity: entity, property: property, reason: reason))
    }

    private mutating func entity(_ name: String?, in model: ManagedObjectModel, role: String) -> Entity? {
        guard let name else { return nil }
        let entity = model.entity(named: name)
        if entity == nil {
            record(
                entity: name, property: nil,
                reason: "the \(role) model \(model.displayName) has no entity of this name")
        }
        return entity
    }

    private mutating func part(_ mapping: EntityMapping) -> ResolvedMapping.EntityPart {
        let declaredSource = entity(mapping.source, in: model.source, role: "source")
        let declaredDestination = entity(mapping.destination, in: model.destination, role: "destination")
        let source = declaredSource.map(model.source.stored)
        let destination = declaredDestination.map(model.destination.stored)
        var mapping = mapping
        if let declaredSource {
            do throws(FetchPredicateError) {
                mapping.sourcePredicate = try declaredSource.selecting(mapping.sourcePredicate)
            } catch {
                record(
                    entity: declaredSource.name, property: nil,
                    reason: "the predicate of its mapping: \(error)")
            }
        }
        if let declaredSource, let declaredDestination {
            nameEntity(&mapping, from: declaredSource, to: declaredDestination)
        }
        var attributes: [ResolvedMapping.AttributePart] = []
        var relationships: [ResolvedMapping.RelationshipPart] = []
        if let source, let destination {
            do throws(FetchPredicateError) {
                try mapping.sourcePredicate.check(against: source, in: model.source)
            } catch {
                record(entity: source.name, property: nil, reason: "the predicate of its mapping: \(error)")
            }
            for property in mapping.properties {
                switch property.value {
                case .objects(let name):
                    relationship(named: property.name, from: name, source: source, destination: destination)
                        .map { relationships.append($0) }
                case .expression, .newUUID:
                    attribute(property, from: source, to: destination).map { attributes.append($0) }
                }
            }
        }
        return ResolvedMapping.EntityPart(
            mapping: mapping, source: source, destination: destination, attributes: attributes,
            relationships: relationships)
    }

    /// Adds the mapping of the name of the entity, if the objects become those of a hierarchy.
    private mutating func nameEntity(
        _ mapping: inout EntityMapping, from source: Entity, to destination: Entity
    ) {
        let attribute = Entity.Inheritance.attribute
        guard let inheritance = destination.inheritance, mapping[property: attribute] == nil else { return }
        if inheritance.names.count == 1 {
            mapping[property: attribute] = .constant(attribute, .string(inheritance.names[0]))
        } else if source.inheritance != nil {
            mapping[property: attribute] = .copy(attribute)
        } else {
            record(
                entity: destination.name, property: attribute,
                reason:
                    "has no value; map it to the name of an entity: \(inheritance.names.joined(separator: ", "))"
            )
        }
    }

    private mutating func relationship(
        named name: String, from sourceName: String, source: Entity, destination: Entity
    ) -> ResolvedMapping.RelationshipPart? {
        guard let end = destination.relationship(named: name) else {
            record(
                entity: destination.name, property: name,
                reason: "is mapped as a relationship, and the entity has none of this name")
            return nil
        }
        guard let former = source.relationship(named: sourceName) else {
            record(
                entity: destination.name, property: name,
                reason: "\(source.name) has no relationship \(sourceName) to map it from")
            return nil
        }
        return ResolvedMapping.RelationshipPart(destination: end, source: former)
    }

    private mutating func attribute(
        _ property: PropertyMapping, from source: Entity, to destination: Entity
    ) -> ResolvedMapping.AttributePart? {
        guard case .attribute(let column)? = destination.property(named: property.name) else {
            record(
                entity: destination.name, property: property.name,
                reason: "is mapped as an attribute, and the entity has none of this name")
            return nil
        }
        let type = destination.columns[column].type
        if !property.valueWhenNil.isNull && !type.admits(property.valueWhenNil) {
            record(
                entity: destination.name, property: property.name,
                reason: "the value for nil is not of the type \(type.rawValue)")
        }
        switch property.value {
        case .newUUID:
            guard type == .uuid || type == .string else {
                record(
                    entity: destination.name, property: property.name,
                    reason: "a new UUID does not go into the type \(type.rawValue)")
                return nil
            }
            return .init(column: column, value: .newUUID, whenNil: property.valueWhenNil)
        case .expression(let expression):
            do throws(FetchPredicateError) {
                let mapped = try MappedExpression(expression, of: source, in: model.source, now: now)
                guard mapped.type.mayBecome(type) else {
                    record(
                        entity: destination.name, property: property.name,
                        reason: "\(mapped.type.kindName) does not go into the type \(type.rawValue)")
                    return nil
                }
                return .init(column: column, value: .expression(mapped), whenNil: property.valueWhenNil)
            } catch {
                record(entity: destination.name, property: property.name, reason: "its expression: \(error)")
                return nil
            }
        case .objects: return nil
        }
    }
}
