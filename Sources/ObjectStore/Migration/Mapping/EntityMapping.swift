/// How the objects of one entity become those of another.
///
/// Without a source the entity is new and begins empty; without a destination its objects go away. A policy
/// takes over what the property mappings cannot say.
public struct EntityMapping: Sendable {
    /// Unique in its mapping model; policies find mappings by it.
    public var name: String
    public var source: String?
    public var destination: String?
    /// Which objects of the source entity it is for.
    public var sourcePredicate: FetchPredicate
    /// Attributes that none of them names begin with the default of the destination entity.
    public var properties: [PropertyMapping]
    /// Makes the policy at the beginning of a migration; nil where the property mappings say everything.
    public var policy: (@Sendable () -> EntityMigrationPolicy)?

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

    /// The mapping of one property; setting nil takes it out.
    public subscript(property name: String) -> PropertyMapping? {
        get { properties.first { $0.name == name } }
        set {
            properties.removeAll { $0.name == name }
            if let newValue { properties.append(newValue) }
        }
    }
}
