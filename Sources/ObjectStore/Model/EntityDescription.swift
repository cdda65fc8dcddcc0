/// The declaration of an entity in a model: its name, class, attributes, relationships and indexes.
public struct EntityDescription: Sendable {
    public var name: String
    /// The class of the entity's objects. It is `ManagedObject` if the entity has no class of its own.
    public var managedObjectClass: ManagedObject.Type
    public var attributes: [AttributeDescription]
    public var relationships: [RelationshipDescription]
    public var indexes: [IndexDescription]
    /// The name of the entity in the previous model version, or `nil` if it was not renamed.
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
    /// Whether the objects have a class of their own.
    var hasOwnClass: Bool { managedObjectClass != ManagedObject.self }
}
