/// A mapping of one model to another, with one mapping for each entity.
///
/// A mapping model can be inferred, inferred and then edited, or written from scratch:
///
///     var mapping = try MappingModel.inferred(
///         from: version1, to: version2, given: ["Book": [.newUUID("uid")]])
///     mapping["Book"]?.policy = { MutePolicy(prefix: "a") }
public struct MappingModel: Sendable {
    /// The model of the store before the migration.
    public let source: ManagedObjectModel
    /// The model of the store after the migration.
    public let destination: ManagedObjectModel
    /// The mappings, in the order in which they are performed.
    public var entityMappings: [EntityMapping]

    /// Creates a mapping model from its entity mappings.
    public init(
        from source: ManagedObjectModel, to destination: ManagedObjectModel, _ mappings: [EntityMapping]
    ) {
        self.source = source
        self.destination = destination
        entityMappings = mappings
    }

    /// Returns the mapping model inferred from the differences between two models.
    ///
    /// Entities and properties match by name or by `renamedFrom`. New properties are `nil` or have their
    /// default, and those that no longer exist are removed. An optional attribute may become required if it
    /// has a default. A type may change if no value is lost. Relationships may be added, and a to-one
    /// relationship may become to-many.
    ///
    /// - Parameters:
    ///   - source: the model before the migration.
    ///   - destination: the model after the migration.
    ///   - given: property mappings that are not inferred, by the name of the destination entity.
    ///     They supply values that the models leave open.
    /// - Throws: a `MappingError` with everything that cannot be inferred.
    public static func inferred(
        from source: ManagedObjectModel, to destination: ManagedObjectModel,
        given: [String: [PropertyMapping]] = [:]
    ) throws(MappingError) -> MappingModel {
        var inference = MappingInference(from: source, to: destination, given: given)
        return MappingModel(from: source, to: destination, try inference.entityMappings())
    }

    /// The entity mapping with that name. Assigning `nil` removes it.
    public subscript(name: String) -> EntityMapping? {
        get { entityMappings.first { $0.name == name } }
        set {
            let position = entityMappings.firstIndex { $0.name == name }
            switch (position, newValue) {
            case (let position?, let mapping?): entityMappings[position] = mapping
            case (let position?, nil): entityMappings.remove(at: position)
            case (nil, let mapping?): entityMappings.append(mapping)
            case (nil, nil): break
            }
        }
    }
}
