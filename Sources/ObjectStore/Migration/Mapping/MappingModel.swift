/// How a store of one model becomes a store of another: one mapping for each entity.
///
/// A mapping model is inferred, or inferred and edited, or written out:
///
///     var mapping = try MappingModel.inferred(
///         from: version1, to: version2, given: ["ToDo": [.newUUID("uid")]])
///     mapping["ToDo"]?.policy = { MutePolicy(prefix: "a") }
public struct MappingModel: Sendable {
    public let source: ManagedObjectModel
    public let destination: ManagedObjectModel
    public var entityMappings: [EntityMapping]

    public init(
        from source: ManagedObjectModel, to destination: ManagedObjectModel, _ mappings: [EntityMapping]
    ) {
        self.source = source
        self.destination = destination
        entityMappings = mappings
    }

    /// The mapping that the two models suggest.
    ///
    /// What is named alike, or by `renamedFrom`, is the same; what is new is nil, or has its default; what is
    /// gone goes. An optional attribute may become required when it has a default, a type may change where no
    /// value is lost, relationships may come, and one that is to-one may become to-many.
    ///
    /// - Parameter given: what is not to be inferred, by the entities of the destination: where the models leave
    ///   a value open, it says which.
    /// - Throws: a `MappingError` that names everything that cannot be inferred.
    public static func inferred(
        from source: ManagedObjectModel, to destination: ManagedObjectModel,
        given: [String: [PropertyMapping]] = [:]
    ) throws(MappingError) -> MappingModel {
        var inference = MappingInference(from: source, to: destination, given: given)
        return MappingModel(from: source, to: destination, try inference.entityMappings())
    }

    /// The entity mapping of that name.
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
