/// A builder that resolves the names of a model and throws at the first invalid one.
struct ModelBuilder {
    private let hierarchies: EntityHierarchies
    /// The entities with a table.
    private let descriptions: [EntityDescription]
    /// The positions of the entities with a table.
    private let indexes: [String: Int]
    private(set) var links: [ManagedObjectModel.LinkTable] = []

    init(_ entities: [EntityDescription]) throws(ModelError) {
        var names: Set<String> = []
        for entity in entities {
            try Self.checkName(entity.name, entity: entity.name, property: nil)
            if let problem = entity.problem { throw problem }
            guard names.insert(entity.name).inserted else {
                throw ModelError(
                    .duplicateEntity, entity: entity.name, property: nil,
                    message: "the model has two entities of this name")
            }
        }
        hierarchies = try EntityHierarchies(CompositeParts.expand(entities))
        // Names in SQL are case-insensitive, so two names in a model cannot differ only in case.
        let folded = Dictionary(grouping: hierarchies.declared) { $0.name.lowercased() }
        if let same = folded.values.first(where: { $0.count > 1 }) {
            throw ModelError(
                .duplicateEntity, entity: same[1].name, property: nil,
                message: "differs from the entity \(same[0].name) only in case")
        }
        descriptions = hierarchies.stored
        indexes = Dictionary(
            uniqueKeysWithValues: descriptions.enumerated().map { ($0.element.name, $0.offset) })
    }

    /// The entities as they were declared, without inherited properties.
    var declared: [EntityDescription] { hierarchies.declared }

    /// Returns the entities with a table, in the order of declaration.
    mutating func resolve() throws(ModelError) -> [Entity] {
        for entity in declared {
            try checkProperties(of: entity)
        }
        for entity in descriptions { try checkComposites(of: entity) }
        for (index, entity) in descriptions.enumerated() {
            for end in entity.relationships where isOwnerOfLink(end, of: entity) {
                guard let otherIndex = self.index(ofDestination: end) else { continue }
                links.append(
                    .init(name: "\(entity.name)_\(end.name)", ownerIndex: index, otherIndex: otherIndex))
            }
        }
        for link in links where indexes.keys.contains(where: { $0.lowercased() == link.name.lowercased() }) {
            throw ModelError(
                .duplicateEntity, entity: link.name, property: nil,
                message:
                    "a many-to-many relationship keeps its pairs in a table of this name; rename the entity")
        }
        var entities: [Entity] = []
        for (index, entity) in descriptions.enumerated() {
            entities.append(try resolve(entity, at: index))
        }
        for entity in entities {
            try IndexCheck.check(entity)
        }
        return entities
    }

    // MARK: - Checks

    static func checkName(_ name: String, entity: String, property: String?) throws(ModelError) {
        let isSound =
            name.utf8.first.map(isLetter) == true
            && name.utf8.allSatisfy { byte in
                isLetter(byte) || byte == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        guard isSound else {
            throw ModelError(
                .invalidName, entity: entity, property: property,
                message: "a name is made of ASCII letters, digits and _, and begins with a letter")
        }
        if property == nil && name.lowercased().hasPrefix("sqlite_") {
            throw ModelError(
                .invalidName, entity: entity, property: nil,
                message: "names that begin with sqlite_ belong to SQLite")
        }
        if property?.lowercased() == "id" {
            throw ModelError(
                .invalidName, entity: entity, property: property,
                message: "every object has an id already; choose another name")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    private func checkProperties(of entity: EntityDescription) throws(ModelError) {
        var seen: Set<String> = []
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            for part in name.split(separator: ".", omittingEmptySubsequences: false) {
                try Self.checkName(String(part), entity: entity.name, property: name)
            }
            guard seen.insert(name.lowercased()).inserted else {
                throw ModelError(
                    .duplicateProperty, entity: entity.name, property: name,
                    message: "the entity has two properties of this name, ignoring case"
                )
            }
        }
        for attribute in entity.attributes {
            try RuleCheck.check(attribute, of: entity.name)
        }
        for end in entity.relationships {
            try check(end, of: entity)
        }
    }

    /// Throws if a table has a composite attribute and another property with its name.
    private func checkComposites(of table: EntityDescription) throws(ModelError) {
        let names = Set(
            (table.attributes.map(\.name) + table.relationships.map(\.name)).map { $0.lowercased() })
        for attribute in table.attributes where attribute.part != nil {
            let keys = attribute.name.split(separator: ".")
            for count in 1..<keys.count {
                let name = keys[..<count].joined(separator: ".")
                guard names.contains(name.lowercased()) else { continue }
                let owner = declared.first { $0.attributes.contains { $0.name == attribute.name } }
                throw ModelError(
                    .duplicateProperty, entity: owner?.name ?? table.name, property: name,
                    message: "is a composite attribute and another property, too, ignoring case; rename one")
            }
        }
    }

    private func check(_ end: RelationshipDescription, of entity: EntityDescription) throws(ModelError) {
        guard let destination = declared.first(where: { $0.name == end.destination }) else {
            throw ModelError(
                .unknownDestination, entity: entity.name, property: end.name,
                message: "has the destination \(end.destination), which is not in the model")
        }
        guard let inverse = destination.relationships.first(where: { $0.name == end.inverse }) else {
            throw ModelError(
                .missingInverse, entity: entity.name, property: end.name,
                message: "its inverse \(destination.name).\(end.inverse) does not exist")
        }
        guard inverse.destination == entity.name, inverse.inverse == end.name else {
            throw ModelError(
                .inverseMismatch, entity: entity.name, property: end.name,
                message: "the inverse of its inverse \(destination.name).\(inverse.name) is "
                    + "\(inverse.destination).\(inverse.inverse)")
        }
        if let order = end.orderedBy, let complaint = complaint(aboutOrder: order, of: end, in: entity) {
            throw ModelError(
                .invalidOrder, entity: entity.name, property: end.name,
                message: "is ordered by \(destination.name).\(order), \(complaint)")
        }
    }

    /// Returns the reason why an attribute cannot keep the order of a relationship, or `nil` if it can.
    private func complaint(
        aboutOrder name: String, of end: RelationshipDescription, in entity: EntityDescription
    ) -> String? {
        guard end.isToMany else { return "but only a to-many relationship has an order" }
        guard let destination = hierarchies.complete.first(where: { $0.name == end.destination }),
            destination.relationships.first(where: { $0.name == end.inverse })?.isToMany == false
        else {
            return "but its inverse is to-many, so an object would need a place in each relationship; "
                + "make an entity of the pairs"
        }
        guard let attribute = destination.attribute(named: name) else {
            return "which is not an attribute"
        }
        guard attribute.type == .integer64, attribute.isOptional, attribute.defaultValue.isNull,
            attribute.rules.isEmpty
        else { return "which is not an optional integer64 without default and rules" }
        let root = hierarchies.root(of: end.destination)
        let isShared = declared.contains { other in
            other.relationships.contains {
                hierarchies.root(of: $0.destination) == root && $0.orderedBy == name
                    && !(other.name == entity.name && $0.name == end.name)
            }
        }
        return isShared ? "which keeps the order of another relationship, too" : nil
    }

    // MARK: - Resolving

    private func isOwnerOfLink(_ end: RelationshipDescription, of entity: EntityDescription) -> Bool {
        guard end.isToMany, let inverse = inverse(of: end), inverse.isToMany else { return false }
        return (entity.name, end.name) <= (hierarchies.root(of: end.destination), end.inverse)
    }

    private func inverse(of end: RelationshipDescription) -> RelationshipDescription? {
        index(ofDestination: end).flatMap { index in
            descriptions[index].relationships.first { $0.name == end.inverse }
        }
    }

    /// Returns the position of the entity that has the table of a destination.
    private func index(ofDestination end: RelationshipDescription) -> Int? {
        indexes[hierarchies.root(of: end.destination)]
    }

    private func link(of end: RelationshipDescription, in entity: EntityDescription) -> Entity.Link? {
        guard end.isToMany, inverse(of: end)?.isToMany == true else { return nil }
        let isOwner = isOwnerOfLink(end, of: entity)
        let destination = hierarchies.root(of: end.destination)
        let table = isOwner ? "\(entity.name)_\(end.name)" : "\(destination)_\(end.inverse)"
        return links.firstIndex { $0.name == table }.map { index in
            Entity.Link(
                table: table, index: index, isOwner: isOwner,
                isSymmetric: destination == entity.name && end.inverse == end.name)
        }
    }

    private func position(of name: String, in entity: EntityDescription) -> Entity.Property? {
        if let position = entity.attributes.firstIndex(where: { $0.name == name }) {
            return .attribute(position)
        }
        let toOne = entity.relationships.filter { !$0.isToMany }
        if let position = toOne.firstIndex(where: { $0.name == name }) {
            return .toOne(entity.attributes.count + position)
        }
        return entity.relationships.filter(\.isToMany).firstIndex { $0.name == name }.map { .toMany($0) }
    }

    private func resolve(_ entity: EntityDescription, at index: Int) throws(ModelError) -> Entity {
        var columns: [Entity.Column] = []
        var toMany: [Entity.Relationship] = []
        for attribute in entity.attributes {
            columns.append(
                .init(
                    name: attribute.name, content: .attribute(attribute), type: attribute.type,
                    isOptional: attribute.isOptional))
        }
        for end in entity.relationships {
            guard let destinationIndex = self.index(ofDestination: end),
                let inverse = position(of: end.inverse, in: descriptions[destinationIndex])
            else { continue }
            let relationship = Entity.Relationship(
                description: end, destinationIndex: destinationIndex, inverse: inverse,
                link: link(of: end, in: entity),
                orderColumn: end.orderedBy.flatMap { name in
                    descriptions[destinationIndex].attributes.firstIndex { $0.name == name }
                }, storedDestination: descriptions[destinationIndex].name)
            if end.isToMany {
                toMany.append(relationship)
            } else {
                columns.append(
                    .init(
                        name: end.name, content: .toOne(relationship), type: .integer64,
                        isOptional: end.isOptional))
            }
        }
        var properties: [String: Entity.Property] = [:]
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            properties[name] = position(of: name, in: entity)
        }
        return Entity(
            description: entity, index: index, columns: columns, toMany: toMany, properties: properties,
            inheritance: hierarchies.inheritance(of: entity))
    }

    // MARK: - Hierarchies

    /// Returns all entities by name. An entity in a hierarchy has the columns of its table, and names for its properties only.
    func entities(in tables: [Entity]) -> [String: Entity] {
        var entities: [String: Entity] = [:]
        for description in hierarchies.complete {
            guard let index = indexes[hierarchies.root(of: description.name)] else { continue }
            entities[description.name] =
                hierarchies.inheritance(of: description).map { tables[index].member(description, $0) }
                ?? tables[index]
        }
        return entities
    }
}

extension Entity {
    /// Creates an entity whose objects are in the table of another one.
    fileprivate func member(_ description: EntityDescription, _ inheritance: Inheritance) -> Entity {
        let relationships = Dictionary(uniqueKeysWithValues: description.relationships.map { ($0.name, $0) })
        let columns = columns.map { column in
            switch column.content {
            case .attribute:
                description.attribute(named: column.name).map {
                    Column(name: $0.name, content: .attribute($0), type: $0.type, isOptional: $0.isOptional)
                } ?? column
            case .toOne(let end):
                relationships[column.name].map {
                    Column(
                        name: $0.name, content: .toOne(end.declared(as: $0)), type: column.type,
                        isOptional: $0.isOptional)
                } ?? column
            }
        }
        let names = Set(description.attributes.map(\.name) + relationships.keys + [Inheritance.attribute])
        return Entity(
            description: description, index: index, columns: columns,
            toMany: toMany.map { end in relationships[end.name].map { end.declared(as: $0) } ?? end },
            properties: properties.filter { names.contains($0.key) }, inheritance: inheritance,
            uniqueness: self.description.uniqueness)
    }
}

extension Entity.Relationship {
    fileprivate func declared(as description: RelationshipDescription) -> Entity.Relationship {
        Entity.Relationship(
            description: description, destinationIndex: destinationIndex, inverse: inverse, link: link,
            orderColumn: orderColumn, storedDestination: storedDestination)
    }
}
