/// Values for some properties of many objects of one entity, each object with its own.
///
///     var updates = ObjectUpdates(of: Book.self, setting: ["pages", "rating"])
///     updates.append(3, [.integer(474), .double(4.5)])
///     try context.updateEach([updates])
public struct ObjectUpdates {
    let objectClass: ManagedObject.Type
    let entityName: String?
    /// The store that has the objects; nil where one store alone may have them.
    let store: UUIDValue?
    public let properties: [String]
    /// The objects, in the order in which they were appended.
    public private(set) var ids: [Int64] = []
    /// Those of the first object, then those of the second one.
    private(set) var values: [AttributeValue] = []

    /// - Parameters:
    ///   - entityName: nil when the class tells it.
    ///   - properties: attributes and to-one relationships, none of them twice.
    ///   - store: the identifier of the store that has the objects, when several may.
    public init(
        of objectClass: (some ManagedObject).Type, entity entityName: String? = nil,
        setting properties: [String], in store: UUIDValue? = nil
    ) {
        self.objectClass = objectClass
        self.entityName = entityName
        self.properties = properties
        self.store = store
    }

    public var isEmpty: Bool { ids.isEmpty }

    /// Adds an object and its values, in the order of the properties. A to-one relationship is set by the id of its
    /// target.
    public mutating func append(_ id: Int64, _ values: [AttributeValue]) {
        precondition(values.count == properties.count, "an object has a value for each property")
        ids.append(id)
        self.values += values
    }
}
