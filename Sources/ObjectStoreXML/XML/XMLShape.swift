internal import ObjectStore

/// The names in an XML store and how they are used, to find out whether a model fits.
struct XMLShape {
    private struct EntityShape {
        var count = 0
        /// For each attribute, the number of objects that have it and the words for its type.
        var attributes: [String: (count: Int, words: Set<String>)] = [:]
        var relationships: [String: RelationshipShape] = [:]

        mutating func add(_ object: XMLObject) {
            count += 1
            for attribute in object.attributes {
                attributes[attribute.name.lowercased(), default: (0, [])].count += 1
                attributes[attribute.name.lowercased()]?.words.insert(attribute.type)
            }
            for relationship in object.relationships {
                relationships[relationship.name.lowercased(), default: RelationshipShape()].add(relationship)
            }
        }
    }

    private struct RelationshipShape {
        var count = 0
        var destinations: Set<String> = []
        var mostReferences = 0

        mutating func add(_ relationship: XMLObject.Relationship) {
            count += 1
            destinations.insert(relationship.destination)
            mostReferences = max(mostReferences, relationship.references.count)
        }
    }

    private var entities: [String: EntityShape] = [:]

    init(_ path: String) throws {
        let document = try XMLDocumentReader(path)
        _ = try document.information()
        while let object = try document.nextObject() {
            entities[object.type.uppercased(), default: EntityShape()].add(object)
        }
    }

    /// Returns why the model does not fit, or `nil` if it does.
    ///
    /// A model fits if it has every name in the document, ignoring case, with a matching type or destination.
    /// Also, every object has to have all relationships and all required attributes of the model. An
    /// attribute with a default has to occur at least once, because new objects have it. This distinguishes a
    /// version from a later one that only adds attributes.
    func misfit(_ model: ManagedObjectModel) -> String? {
        let names = XMLNames(model)
        for (type, shape) in entities.sorted(by: { $0.key < $1.key }) {
            guard let entity = names.entity(type) else { return "it has no entity \(type)" }
            if let reason = misfit(shape, entity: entity, names: names) { return "\(type) \(reason)" }
        }
        return nil
    }

    private func misfit(_ shape: EntityShape, entity: Entity, names: XMLNames) -> String? {
        for (name, attribute) in shape.attributes.sorted(by: { $0.key < $1.key }) {
            guard case .attribute(let column)? = names.property(name, of: entity) else {
                return "has no attribute \(name)"
            }
            let type = entity.columns[column].type
            if let word = attribute.words.first(where: { !XMLNames.reads($0, as: type) }) {
                return "has an attribute \(name), but of the type \(type.rawValue), not \(word)"
            }
        }
        for (name, relationship) in shape.relationships.sorted(by: { $0.key < $1.key }) {
            guard let property = names.property(name, of: entity),
                let known = entity.relationship(at: property)
            else { return "has no relationship \(name)" }
            let destination = names.model.destination(of: known)
            if let other = relationship.destinations.first(where: {
                names.entity($0)?.index != destination.index
            }) {
                return "has a relationship \(name), but to \(destination.name), not \(other)"
            }
            if !known.description.isToMany && relationship.mostReferences > 1 {
                return "has a relationship \(name), but to one object only"
            }
        }
        return missing(shape, entity)
    }

    private func missing(_ shape: EntityShape, _ entity: Entity) -> String? {
        for attribute in entity.description.attributes where !attribute.isOptional {
            guard shape.attributes[attribute.name.lowercased()]?.count == shape.count else {
                return "requires \(attribute.name), which the document does not have"
            }
        }
        for attribute in entity.description.attributes where !attribute.defaultValue.isNull {
            guard shape.attributes[attribute.name.lowercased()] != nil else {
                return "gives \(attribute.name) a default, which no object of the document has"
            }
        }
        for relationship in entity.description.relationships {
            guard shape.relationships[relationship.name.lowercased()]?.count == shape.count else {
                return "has a relationship \(relationship.name), which the document does not have"
            }
        }
        return nil
    }
}
