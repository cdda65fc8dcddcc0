/// The entities of a store, checked against each other and against their classes.
///
/// Every model is valid: each relationship has an inverse, each name can be resolved, and the properties of each
/// managed object class match its entity. The initializers throw the first error that they find.
public final class ManagedObjectModel: Sendable {
    /// The names of the model version, for people. They are not part of the version hash.
    public let versionIdentifiers: [String]
    /// The entities, in the order of declaration.
    public let entities: [Entity]
    /// The tables of the many-to-many relationships.
    package let links: [LinkTable]
    /// The SHA-256 of `canonicalText`, in hexadecimal. A store records it to identify the model that wrote it.
    public let versionHash: String
    /// The names of the entities in each configuration, by the name of the configuration.
    ///
    /// A coordinator uses configurations to choose the store of an object. An entity may be in several or in none. They
    /// are not part of the version hash, because every store has tables for all entities.
    public let configurations: [String: Set<String>]
    private let indexes: [String: Int]
    let indexesOfClasses: [ObjectIdentifier: Int]

    package struct LinkTable: Sendable {
        package let name: String
        let ownerIndex: Int
        let otherIndex: Int
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
        indexes = builder.indexes
        self.versionIdentifiers = versionIdentifiers
        self.configurations = configurations
        for (name, members) in configurations {
            guard let unknown = members.sorted().first(where: { builder.indexes[$0] == nil }) else {
                continue
            }
            throw ModelError(
                .unknownEntity, entity: unknown, property: nil,
                message: "is in the configuration \(name), but not in the model")
        }
        versionHash = SHA256.hexadecimal(of: Self.canonicalText(of: entities))
        indexesOfClasses = try ClassCheck.indexes(of: self.entities)
        try IndexCheck.checkConditions(of: self)
    }

    /// Creates a model with all entities of several models.
    ///
    /// An entity that several models declare has to be the same in each of them. A configuration in several models
    /// gets their entities from all of them.
    public convenience init(merging models: [ManagedObjectModel]) throws(ModelError) {
        var merged: [EntityDescription] = []
        for entity in models.flatMap(\.entities).map(\.description) {
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
        indexes[name].map { entities[$0] }
    }

    /// Returns the version hash of one entity, or `nil` if there is no entity with this name.
    public func versionHash(ofEntity name: String) -> String? {
        entity(named: name).map { SHA256.hexadecimal(of: $0.description.canonicalText) }
    }

    /// Returns the entity on the other side of a relationship.
    package func destination(of relationship: Entity.Relationship) -> Entity {
        entities[relationship.destinationIndex]
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
        return nil
    }
}
