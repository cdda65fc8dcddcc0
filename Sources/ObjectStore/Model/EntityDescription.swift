/// The declaration of an entity in a model: its name, class, attributes, relationships and indexes.
public struct EntityDescription: Sendable {
    /// The name of the entity, and of its table in a database.
    public var name: String
    /// The class of the entity's objects. It is `ManagedObject` if the entity has no class of its own.
    public var managedObjectClass: ManagedObject.Type
    /// The attributes, in the order of their columns.
    public var attributes: [AttributeDescription]
    /// The relationships.
    public var relationships: [RelationshipDescription]
    /// The indexes, in addition to those of references and unique attributes.
    public var indexes: [IndexDescription]
    /// The sets of attributes and to-one relationships whose values are unique together: `[["list", "uid"]]`.
    ///
    /// A save refuses two objects with equal values in all properties of a set. Objects without a value in one of them do
    /// not count, as in SQL. The sets are part of the version hash. Each of them has an index.
    public var uniqueness: [[String]]
    /// The name of the entity in the previous model version, or `nil` if it was not renamed.
    public var renamedFrom: String?
    /// The name of the entity from which this one inherits its properties, or `nil` if there is none.
    ///
    /// An entity and all that inherit from it are stored in one table. A request of the parent finds their objects, too.
    /// An entity that is derived from a class has the nearest superclass in the model as its parent.
    public var parent: String?
    /// Whether the entity has no objects of its own, but only those of the entities that inherit from it.
    public var isAbstract: Bool
    /// The names of the entities of the superclasses, the nearest first, if the entity was derived from a class.
    var superclassNames: [String] = []
    /// The first mistake in the class that the entity was derived from, or `nil` if there is none.
    var problem: ModelError?

    /// Creates an entity. Without a class, its objects are plain managed objects.
    public init(
        _ name: String, class managedObjectClass: ManagedObject.Type = ManagedObject.self,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        indexes: [IndexDescription] = [], uniqueness: [[String]] = [], renamedFrom: String? = nil,
        parent: String? = nil, isAbstract: Bool = false
    ) {
        self.name = name
        self.managedObjectClass = managedObjectClass
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.uniqueness = uniqueness
        self.renamedFrom = renamedFrom
        self.parent = parent
        self.isAbstract = isAbstract
    }

    /// Whether the objects have a class of their own.
    var hasOwnClass: Bool { managedObjectClass != ManagedObject.self }
}
