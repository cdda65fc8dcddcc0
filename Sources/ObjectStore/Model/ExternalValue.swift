/// The table of the values of an external attribute: an entity with the value and a relationship to its owner.
enum ExternalValue {
    /// The name of the attribute with the value.
    static let attribute = "value"
    /// The name of the relationship to the owner.
    static let owner = "owner"

    /// Returns a list of entities in which relationships to tables of values replace the external attributes.
    static func expand(_ entities: [EntityDescription]) throws(ModelError) -> [EntityDescription] {
        var expanded: [EntityDescription] = []
        var tables: [EntityDescription] = []
        for var entity in entities {
            for attribute in entity.attributes where attribute.isExternal {
                try check(attribute, of: entity)
                tables.append(table(of: attribute, of: entity))
                entity.relationships.append(relationship(to: attribute, of: entity))
            }
            entity.attributes.removeAll(where: \.isExternal)
            expanded.append(entity)
        }
        return expanded + tables
    }

    /// Returns the columns with the owners of values, by the positions of the tables of values.
    static func ownerColumns(of entities: [Entity]) -> [Int: Int] {
        var columns: [Int: Int] = [:]
        for relationship in entities.lazy.flatMap(\.relationships) where relationship.description.holdsValue {
            guard case .toOne(let column) = relationship.inverse else { continue }
            columns[relationship.destinationIndex] = column
        }
        return columns
    }

    /// Returns the names of the entities with those of the tables of their values.
    static func addTables(of entities: [EntityDescription], to names: Set<String>) -> Set<String> {
        let owners = entities.lazy.filter { names.contains($0.name) }
        return names.union(owners.flatMap(\.relationships).filter(\.holdsValue).map(\.destination))
    }

    private static func name(_ attribute: String, of entity: String) -> String { "\(entity)_\(attribute)" }

    private static func table(
        of attribute: AttributeDescription, of entity: EntityDescription
    ) -> EntityDescription {
        var value = attribute
        (value.name, value.isOptional, value.isExternal, value.renamedFrom) = (
            Self.attribute, false, false, nil
        )
        let former = name(attribute.renamedFrom ?? attribute.name, of: entity.renamedFrom ?? entity.name)
        let table = name(attribute.name, of: entity.name)
        return EntityDescription(
            table, attributes: [value],
            relationships: [.toOne(owner, destination: entity.name, inverse: attribute.name)],
            renamedFrom: former == table ? nil : former)
    }

    private static func relationship(
        to attribute: AttributeDescription, of entity: EntityDescription
    ) -> RelationshipDescription {
        var relationship = RelationshipDescription.toOne(
            attribute.name, destination: name(attribute.name, of: entity.name), inverse: owner,
            deleteRule: .cascade, optional: attribute.isOptional, renamedFrom: attribute.renamedFrom)
        relationship.holdsValue = true
        return relationship
    }

    private static func check(
        _ attribute: AttributeDescription, of entity: EntityDescription
    ) throws(ModelError) {
        let complaint: String
        if attribute.elementType != nil || ![.string, .binary].contains(attribute.type) {
            complaint = "is external, but only texts and binary values can be"
        } else if !attribute.defaultValue.isNull {
            complaint = "is external and cannot have a default; set it in awakeFromInsert"
        } else if attribute.isPreservedInHistory {
            complaint = "is external, so the history cannot preserve it"
        } else if attribute.derivedFrom != nil {
            complaint = "is external and cannot be derived"
        } else if attribute.rules.contains(where: \.isUnique) {
            complaint = "is external and cannot be unique"
        } else {
            return
        }
        throw ModelError(.invalidRule, entity: entity.name, property: attribute.name, message: complaint)
    }
}

extension ValidationRule {
    fileprivate var isUnique: Bool {
        if case .unique = self { true } else { false }
    }
}
