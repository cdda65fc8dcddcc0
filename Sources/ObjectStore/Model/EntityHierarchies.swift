/// The entities of a model that inherit from others, and the entities with a table, which hold the properties of all entities
/// of a hierarchy.
///
/// In a table, the properties of all entities but the root are optional, because the objects of other entities have no value
/// for them. The attribute `entity` has the name of each object's entity.
struct EntityHierarchies {
    /// The entities with their own properties and their parents, in the order of declaration.
    let declared: [EntityDescription]
    /// The entities with inherited and own properties, in the same order.
    private(set) var complete: [EntityDescription] = []
    /// The entities with a table, in the order of declaration.
    private(set) var stored: [EntityDescription] = []
    private let indexes: [String: Int]

    init(_ descriptions: [EntityDescription]) throws(ModelError) {
        let indexes = Dictionary(
            uniqueKeysWithValues: descriptions.enumerated().map { ($0.element.name, $0.offset) })
        var declared = descriptions
        for index in declared.indices where declared[index].parent == nil {
            declared[index].parent = declared[index].superclassNames.first { indexes[$0] != nil }
        }
        for entity in declared { try Self.checkParents(of: entity, among: declared, indexes) }
        // A class has the properties of its superclasses, too.
        for index in declared.indices {
            var parent = declared[index].parent
            while let name = parent, let ancestor = indexes[name].map({ declared[$0] }) {
                try declared[index].removeProperties(inheritedFrom: ancestor)
                parent = ancestor.parent
            }
        }
        declared = try ExternalValue.expand(declared)
        self.declared = declared
        self.indexes = Dictionary(
            declared.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        complete = declared.map {
            lineage(of: $0).reversed().reduce(into: $0.withoutProperties) { $0.append($1) }
        }
        for entity in declared where entity.parent == nil {
            stored.append(try table(of: entity))
        }
    }

    // MARK: - Relatives

    /// Returns an entity and those that it inherits from, the nearest first.
    private func lineage(of entity: EntityDescription) -> [EntityDescription] {
        var lineage = [entity]
        while let parent = lineage[lineage.count - 1].parent, let index = indexes[parent] {
            lineage.append(declared[index])
        }
        return lineage
    }

    /// Returns an entity and those that inherit from it, each after its parent.
    private func family(of entity: EntityDescription) -> [EntityDescription] {
        [entity] + declared.filter { $0.parent == entity.name }.flatMap(family)
    }

    /// Returns the name of the entity in whose table the objects of an entity are stored.
    func root(of name: String) -> String {
        indexes[name].flatMap { lineage(of: declared[$0]).last?.name } ?? name
    }

    /// Returns the place of an entity in a hierarchy, or `nil` if it is in none.
    func inheritance(of entity: EntityDescription) -> Entity.Inheritance? {
        let lineage = lineage(of: entity)
        guard let root = lineage.last else { return nil }
        let whole = family(of: root)
        guard whole.count > 1 else { return nil }
        let family = family(of: entity)
        let names = family.filter { !$0.isAbstract }.map(\.name)
        let properties = (lineage + family).flatMap {
            $0.attributes.map(\.name) + $0.relationships.map(\.name)
        }
        return Entity.Inheritance(
            root: root.name, names: names, isWhole: names.count == whole.count { !$0.isAbstract },
            properties: Set(properties + [Entity.Inheritance.attribute]))
    }

    // MARK: - Checks

    private static func checkParents(
        of entity: EntityDescription, among declared: [EntityDescription], _ indexes: [String: Int]
    ) throws(ModelError) {
        var seen: Set<String> = [entity.name]
        var next = entity.parent
        while let name = next {
            guard let index = indexes[name] else {
                throw ModelError(
                    .invalidParent, entity: entity.name, message: "its parent \(name) is not in the model")
            }
            guard seen.insert(name).inserted else {
                throw ModelError(.invalidParent, entity: entity.name, message: "inherits from itself")
            }
            next = declared[index].parent
        }
        if entity.isAbstract, !declared.contains(where: { $0.parent == entity.name }) {
            throw ModelError(
                .invalidParent, entity: entity.name,
                message: "is abstract, but no entity inherits from it, so it can have no objects")
        }
    }

    // MARK: - Tables

    /// Returns the entity with the properties of a root and of all entities that inherit from it.
    private func table(of root: EntityDescription) throws(ModelError) -> EntityDescription {
        let family = family(of: root)
        guard family.count > 1 else { return root }
        var table = root.withoutProperties
        table.isAbstract = false
        table.attributes = [AttributeDescription(Entity.Inheritance.attribute, .string, optional: false)]
        table.indexes = [.index(Entity.Inheritance.attribute)]
        for entity in family {
            try add(entity, of: family, to: &table, isRoot: entity.name == root.name)
        }
        return table
    }

    private func add(
        _ entity: EntityDescription, of family: [EntityDescription], to table: inout EntityDescription,
        isRoot: Bool
    ) throws(ModelError) {
        for var attribute in entity.attributes {
            try check(attribute.name, of: entity, isIn: table)
            let first = family.lazy.compactMap { $0.attribute(named: attribute.name) }.first
            if first == attribute {
                if !isRoot { (attribute.isOptional, attribute.defaultValue) = (true, .null) }
                if table.attribute(named: attribute.name) == nil { table.attributes.append(attribute) }
            } else {
                throw ModelError(
                    .duplicateProperty, entity: entity.name, property: attribute.name,
                    message: "is declared differently by another entity that inherits from \(table.name), "
                        + "with which it shares a column; rename one or make them equal")
            }
        }
        for var relationship in entity.relationships {
            try check(relationship.name, of: entity, isIn: table)
            guard !table.relationships.contains(where: { $0.name == relationship.name }) else {
                throw ModelError(
                    .duplicateProperty, entity: entity.name, property: relationship.name,
                    message: "is a relationship of another entity that inherits from \(table.name), too; "
                        + "rename one, or declare it in an entity from which both inherit")
            }
            if !isRoot { relationship.isOptional = true }
            table.relationships.append(relationship)
        }
        for names in entity.uniqueness where !isRoot {
            guard !names.contains(where: entity.hasProperty) else { continue }
            throw ModelError(
                .invalidIndex, entity: entity.name, property: names.first,
                message:
                    "a set of unique properties names only inherited ones; declare it in the entity that has them"
            )
        }
        table.indexes += entity.indexes
        table.uniqueness += entity.uniqueness
    }

    /// Throws if a name belongs to this library, or to a property of another kind or with other capital letters.
    private func check(
        _ name: String, of entity: EntityDescription, isIn table: EntityDescription
    ) throws(ModelError) {
        guard name.lowercased() != Entity.Inheritance.attribute else {
            throw ModelError(
                .invalidName, entity: entity.name, property: name,
                message:
                    "an entity that inherits or is inherited from has an attribute of this name already, "
                    + "with the name of the entity; choose another name")
        }
        let others = table.attributes.map { ($0.name, true) } + table.relationships.map { ($0.name, false) }
        let isAttribute = entity.attribute(named: name) != nil
        guard others.allSatisfy({ $0.lowercased() != name.lowercased() || ($0 == name && $1 == isAttribute) })
        else {
            throw ModelError(
                .duplicateProperty, entity: entity.name, property: name,
                message: "another entity of the hierarchy of \(table.name) has a property of this name, "
                    + "ignoring case, and both are in one table; rename one")
        }
    }
}

extension EntityDescription {
    func attribute(named name: String) -> AttributeDescription? { attributes.first { $0.name == name } }

    fileprivate func hasProperty(named name: String) -> Bool {
        attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
    }

    fileprivate var withoutProperties: EntityDescription {
        var copy = self
        (copy.attributes, copy.relationships, copy.indexes, copy.uniqueness) = ([], [], [], [])
        return copy
    }

    fileprivate mutating func append(_ other: EntityDescription) {
        attributes += other.attributes
        relationships += other.relationships
        indexes += other.indexes
        uniqueness += other.uniqueness
    }

    /// Removes the properties that an entity inherits and repeats, as a class does.
    fileprivate mutating func removeProperties(inheritedFrom ancestor: EntityDescription) throws(ModelError) {
        let inherited = ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name)
        for name in inherited {
            let repeated = (attributes.map(\.name) + relationships.map(\.name))
                .filter { $0.lowercased() == name.lowercased() }
            let isEqual =
                attributes.first { $0.name == name } == ancestor.attributes.first { $0.name == name }
                && relationships.first { $0.name == name } == ancestor.relationships.first { $0.name == name }
            guard repeated.isEmpty || isEqual else {
                throw ModelError(
                    .duplicateProperty, entity: self.name, property: repeated[0],
                    message:
                        "is inherited from \(ancestor.name) and declared differently; remove or rename it")
            }
        }
        attributes.removeAll { inherited.contains($0.name) }
        relationships.removeAll { inherited.contains($0.name) }
    }
}
