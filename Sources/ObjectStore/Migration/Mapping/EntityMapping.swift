/// A mapping of the objects of one entity to objects of another.
///
/// A mapping without a source describes a new entity, which starts empty. A mapping without a destination
/// removes the objects. A policy handles cases that property mappings cannot express.
public struct EntityMapping: Sendable {
    /// The name of the mapping, unique in its mapping model. Policies look mappings up by name.
    public var name: String
    /// The name of the entity in the source model, or `nil` if the mapping describes a new entity.
    public var source: String?
    /// The name of the entity in the destination model, or `nil` if the mapping removes the objects.
    public var destination: String?
    /// The condition that selects the source objects of this mapping.
    public var sourcePredicate: FetchPredicate
    /// The property mappings. An attribute without one starts with the default of the destination entity.
    public var properties: [PropertyMapping]
    /// A closure that creates the policy at the beginning of a migration, or `nil` if no policy is needed.
    public var policy: (@Sendable () -> EntityMigrationPolicy)?

    /// Creates a mapping. Its default name is that of the destination or, without one, of the source.
    public init(
        name: String? = nil, from source: String?, to destination: String?,
        where sourcePredicate: FetchPredicate = .all, properties: [PropertyMapping] = [],
        policy: (@Sendable () -> EntityMigrationPolicy)? = nil
    ) {
        self.name = name ?? destination ?? source ?? ""
        self.source = source
        self.destination = destination
        self.sourcePredicate = sourcePredicate
        self.properties = properties
        self.policy = policy
    }

    /// The mapping of one property. Assigning `nil` removes it.
    public subscript(property name: String) -> PropertyMapping? {
        get { properties.first { $0.name == name } }
        set {
            properties.removeAll { $0.name == name }
            if let newValue { properties.append(newValue) }
        }
    }
}
