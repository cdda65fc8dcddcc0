/// What a store holds: the entities, checked against one another and against their classes.
///
/// A model that exists is sound: every relationship has its inverse, every name leads somewhere, and
/// the properties of every class of yours agree with its entity. The first thing that is wrong is the
/// error that building it throws.
public final class ManagedObjectModel: Sendable {
    /// The names of the version, for people; they take no part in the version hash.
    public let versionIdentifiers: [String]
    /// In the order of their declaration.
    public let entities: [Entity]
    /// The tables of many-to-many relationships: the entities of the owning and of the other end.
    let links: [LinkTable]
    /// The SHA-256 of `canonicalText`, in hexadecimal: what a store says of the model that wrote it.
    public let versionHash: String
    /// The entities of each configuration, by its name: which stores a coordinator may keep their objects in. An
    /// entity may be in several, or in none. They take no part in the version hash, for every store has room
    /// for all entities.
    public let configurations: [String: Set<String>]
    private let indexes: [String: Int]
    private let indexesOfClasses: [ObjectIdentifier: Int]

    struct LinkTable: Sendable {
        let name: String
        let ownerIndex: Int
        let otherIndex: Int
    }

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
                .unknownEntity, unknown, nil, "is in the configuration \(name), but not in the model")
        }
        versionHash = SHA256.hexadecimal(of: Self.canonicalText(of: entities))
        indexesOfClasses = try ClassCheck.indexes(of: self.entities)
        try IndexCheck.checkConditions(of: self)
    }

    /// All entities of several models together. An entity that several declare has to be the same in each, and
    /// a configuration that several have is that of all of them.
    public convenience init(merging models: [ManagedObjectModel]) throws(ModelError) {
        var merged: [EntityDescription] = []
        for entity in models.flatMap(\.entities).map(\.description) {
            guard let same = merged.first(where: { $0.name == entity.name }) else {
                merged.append(entity)
                continue
            }
            if let difference = same.difference(from: entity) {
                throw ModelError(
                    .mergeConflict, entity.name, nil,
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

    /// The entity of that name; nil when there is none.
    public func entity(named name: String) -> Entity? {
        indexes[name].map { entities[$0] }
    }

    /// The entity whose objects are of exactly that class; nil when no entity or several are.
    public func entity(of objectClass: ManagedObject.Type) -> Entity? {
        indexesOfClasses[ObjectIdentifier(objectClass)].map { entities[$0] }
    }

    /// The version hash of one entity.
    public func versionHash(ofEntity name: String) -> String? {
        entity(named: name).map { SHA256.hexadecimal(of: $0.description.canonicalText) }
    }

    /// The other end of a relationship.
    func destination(of relationship: Entity.Relationship) -> Entity {
        entities[relationship.destinationIndex]
    }
}

extension EntityDescription {
    /// What differs between two declarations of one entity; nil when nothing does.
    fileprivate func difference(from other: EntityDescription) -> String? {
        if managedObjectClass != other.managedObjectClass { return "classes" }
        if attributes != other.attributes { return "attributes" }
        if relationships != other.relationships { return "relationships" }
        if indexes != other.indexes { return "indexes" }
        if renamedFrom != other.renamedFrom { return "former names" }
        return nil
    }
}
