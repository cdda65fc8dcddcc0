/// New values for some properties of many objects of one entity. Each object has its own values.
///
///     var updates = ObjectUpdates(of: Book.self, setting: ["pages", "rating"])
///     updates.append(id: 3, values: [.integer(474), .double(4.5)])
///     try context.updateEach([updates])
public struct ObjectUpdates: Sendable {
    let objectClass: ManagedObject.Type
    let entityName: String?
    /// The identifier of the store that has the objects, or `nil` if only one store can have them.
    let store: UUIDValue?
    /// The names of the properties to set.
    public let properties: [String]
    /// The IDs of the objects, in the order in which they were appended.
    public private(set) var ids: [Int64] = []
    /// The values of all objects, one object after the other.
    private(set) var values: [AttributeValue] = []
    /// The first object that was appended with too few or too many values, and their number. `updateEach` refuses it.
    private(set) var mismatch: (id: Int64, count: Int)?

    /// Creates an empty list of updates.
    ///
    /// - Parameters:
    ///   - objectClass: The class of the objects.
    ///   - entityName: The name of the entity, or `nil` if the class determines it.
    ///   - properties: The attributes and to-one relationships to set, without duplicates.
    ///   - store: The identifier of the store that has the objects. It is required if several stores can have them.
    public init(
        of objectClass: (some ManagedObject).Type, entity entityName: String? = nil,
        setting properties: [String], in store: UUIDValue? = nil
    ) {
        self.objectClass = objectClass
        self.entityName = entityName
        self.properties = properties
        self.store = store
    }

    /// Whether there are no objects to change.
    public var isEmpty: Bool { ids.isEmpty }

    /// Adds an object and its values, in the order of `properties`. A to-one relationship is set by the ID of its
    /// target.
    ///
    /// `updateEach` throws a ``FetchError`` if the number of values is not that of the properties.
    public mutating func append(id: Int64, values: [AttributeValue]) {
        guard values.count == properties.count else {
            if mismatch == nil { mismatch = (id, values.count) }
            return
        }
        ids.append(id)
        self.values += values
    }
}
