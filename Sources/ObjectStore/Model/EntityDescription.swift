/// One kind of object as a model declares it: its name, its class, its attributes and relationships.
public struct EntityDescription: Sendable {
    public var name: String
    /// The class of the entity's objects; `ManagedObject` itself when there is none of your own.
    public var managedObjectClass: ManagedObject.Type
    public var attributes: [AttributeDescription]
    public var relationships: [RelationshipDescription]
    public var indexes: [IndexDescription]
    /// The name that the entity had in the version before, when it was renamed.
    public var renamedFrom: String?

    public init(
        _ name: String, class managedObjectClass: ManagedObject.Type = ManagedObject.self,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        indexes: [IndexDescription] = [], renamedFrom: String? = nil
    ) {
        self.name = name
        self.managedObjectClass = managedObjectClass
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.renamedFrom = renamedFrom
    }
}
