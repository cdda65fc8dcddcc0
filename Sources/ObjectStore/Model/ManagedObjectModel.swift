/// The entities of a store, checked against each other and against their classes.
///
/// Every model is valid: each relationship has an inverse, each name can be resolved, and the properties of each
/// managed object class match its entity. The initializers throw the first error that they find.
public final class ManagedObjectModel: Sendable {
    /// The names of the model version, for people. They are not part of the version hash.
    public let versionIdentifiers: [String]
    /// The entities with a table of their own, in the order of declaration.
    ///
    /// The root of a hierarchy has the columns of all its entities here. ``entity(named:)`` returns each of them.
    public let entities: [Entity]
    /// The entities as they were declared, without inherited properties.
    let descriptions: [EntityDescription]
    /// The tables of the many-to-many relationships.
    package let links: [LinkTable]
    /// The SHA-256 of `canonicalText`, in hexadecimal. A store records it to identify the model that wrote it.
    public let versionHash: String
    /// The names of the entities in each configuration, by the name of the configuration.
    ///
    /// A coordinator uses configurations to choose the store of an object. An entity may be in several or in none. They
    /// are not part of the version hash, because every store has tables for all entities.
    public let configurations: [String: Set<String>]
    private let entitiesByName: [String: Entity]
    /// The entities in the table of each entity, if it is the root of a hierarchy.
    let members: [[Entity]]
    let entitiesByClass: [ObjectIdentifier: Entity]
    /// Whether any entity inherits from another one.
    let hasHierarchies: Bool
    /// The attributes of each entity in `entities` that are derived from others of the same object, in an order in which
    /// each can use those before it.
    let derivedAttributes: [[DerivedAttribute]]
    /// Whether any entity has such attributes.
    let hasDerivedAttributes: Bool
    /// The columns with the owners of external values, by the positions of the tables of values.
    let ownerColumns: [Int: Int]
    /// The attributes that are derived from related objects, or `nil` if there are none.
    let relatedDerivations: RelatedDerivations?

    package struct LinkTable: Sendable {
        package let name: String
        package let ownerIndex: Int
        package let otherIndex: Int
    }

    /// Creates a model, and checks its entities and their classes.
    ///
    /// - Throws: A `ModelError` for the first mistake that is found.
    public init(
        versionIdentifiers: [String] = [], entities: [EntityDescription],
        configurations: [String: Set<String>] = [:]
    ) throws(ModelError) {
        var builder = try ModelBuilder(entities)
        self.entities = try builder.resolve()
        links = builder.links
        descriptions = builder.declared
        entitiesByName = builder.entities(in: self.entities)
        hasHierarchies = descriptions.contains { $0.parent != nil }
        members = Self.members(
            of: self.entities, among: descriptions.compactMap { [entitiesByName] in entitiesByName[$0.name] })
        self.versionIdentifiers = versionIdentifiers
        ownerColumns = ExternalValue.ownerColumns(of: self.entities)
        self.configurations = configurations.mapValues { [descriptions] in
            ExternalValue.addTables(of: descriptions, to: $0)
        }
        for (name, members) in configurations {
            for member in members.sorted() {
                guard let root = entitiesByName[member]?.storedName else {
                    throw ModelError(
                        .unknownEntity, entity: member, property: nil,
                        message: "is in the configuration \(name), but not in the model")
                }
                guard members.contains(root) else {
                    throw ModelError(
                        .unknownEntity, entity: member, property: nil,
                        message:
                            "is in the configuration \(name), but \(root) is not, in whose table it is; add \(root)"
                    )
                }
            }
        }
        versionHash = SHA256.hexadecimal(of: Self.canonicalText(of: descriptions))
        if descriptions.contains(where: { $0.attributes.contains { $0.derivedFrom != nil } }) {
            let names = ManagedObjectModel(
                entities: self.entities, descriptions: descriptions, links: links, byName: entitiesByName)
            (derivedAttributes, relatedDerivations) = try DerivationCheck.derivations(in: names)
        } else {
            (derivedAttributes, relatedDerivations) = (self.entities.map { _ in [] }, nil)
        }
        hasDerivedAttributes = derivedAttributes.contains { !$0.isEmpty }
        entitiesByClass = try ClassCheck.entitiesByClass(of: descriptions, entitiesByName)
        try IndexCheck.checkConditions(of: self)
    }

    /// Creates a model in which the expressions of derived attributes are resolved. It derives none itself.
    private init(
        entities: [Entity], descriptions: [EntityDescription], links: [LinkTable], byName: [String: Entity]
    ) {
        self.entities = entities
        self.descriptions = descriptions
        self.links = links
        entitiesByName = byName
        hasHierarchies = descriptions.contains { $0.parent != nil }
        members = Self.members(of: entities, among: descriptions.compactMap { byName[$0.name] })
        (versionIdentifiers, versionHash, configurations, entitiesByClass) = ([], "", [:], [:])
        ownerColumns = [:]
        (derivedAttributes, hasDerivedAttributes, relatedDerivations) = (entities.map { _ in [] }, false, nil)
    }

    /// Creates a model with all entities of several models.
    ///
    /// An entity that several models declare has to be the same in each of them. A configuration in several models
    /// gets their entities from all of them.
    public convenience init(merging models: [ManagedObjectModel]) throws(ModelError) {
        var merged: [EntityDescription] = []
        for entity in models.flatMap(\.descriptions) {
            guard let same = merged.first(where: { $0.name == entity.name }) else {
                merged.append(entity)
                continue
            }
            if let difference = same.difference(from: entity) {
                throw ModelError(
                    .mergeConflict, entity: entity.name, property: nil,
                    message:
                        "two of the merged models declare it with different \(difference); rename one or make them equal"
                )
            }
        }
        var configurations: [String: Set<String>] = [:]
        for model in models { configurations.merge(model.configurations) { $0.union($1) } }
        try self.init(
            versionIdentifiers: models.flatMap(\.versionIdentifiers), entities: merged,
            configurations: configurations)
    }

    /// Returns the entity with this name, or `nil` if there is none.
    public func entity(named name: String) -> Entity? {
        entitiesByName[name]
    }

    /// Returns the version hash of one entity, or `nil` if there is no entity with this name.
    public func versionHash(ofEntity name: String) -> String? {
        descriptions.first { $0.name == name }.map { SHA256.hexadecimal(of: $0.canonicalText) }
    }

    private static func members(of tables: [Entity], among entities: [Entity]) -> [[Entity]] {
        tables.map { table in entities.filter { $0.index == table.index && $0 !== table } }
    }

    /// Returns the entity with the table of an entity: the root of its hierarchy, or the entity itself.
    public func stored(_ entity: Entity) -> Entity {
        entities[entity.index]
    }

    /// Returns the entity of an object in a table, by its row.
    func member(of table: Entity, for row: RowValues) -> Entity {
        guard table.inheritance != nil, case .string(let name) = row[Entity.Inheritance.column] else {
            return table
        }
        return members[table.index].first { $0.name == name } ?? table
    }

    /// Returns the entity with the table of the objects on the other side of a relationship.
    package func destination(of relationship: Entity.Relationship) -> Entity {
        entities[relationship.destinationIndex]
    }

    /// Returns the entity on the other side of a relationship, as the relationship declares it.
    func declaredDestination(of relationship: Entity.Relationship) -> Entity {
        // Without hierarchies, the lookup by name would only slow down each change of a relationship.
        guard hasHierarchies else { return destination(of: relationship) }
        return entitiesByName[relationship.description.destination] ?? destination(of: relationship)
    }
}

extension EntityDescription {
    /// Returns the kind of property in which two declarations of an entity differ, or `nil` if they are equal.
    fileprivate func difference(from other: EntityDescription) -> String? {
        if managedObjectClass != other.managedObjectClass { return "classes" }
        if attributes != other.attributes { return "attributes" }
        if relationships != other.relationships { return "relationships" }
        if indexes != other.indexes { return "indexes" }
        if uniqueness != other.uniqueness { return "unique properties" }
        if renamedFrom != other.renamedFrom { return "former names" }
        if parent != other.parent || isAbstract != other.isAbstract { return "parents" }
        return nil
    }
}
