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
    @usableFromInline var appendedIDs: [Int64] = []
    /// Those of the first object, then those of the second one.
    @usableFromInline var values: [AttributeValue] = []

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

    /// The objects, in the order in which they were appended.
    public var ids: [Int64] { appendedIDs }

    public var isEmpty: Bool { appendedIDs.isEmpty }

    /// Adds an object and its values, in the order of the properties. A to-one relationship is set by the id of its
    /// target.
    // Inlined, so that no array is made where one is written down.
    @inlinable
    public mutating func append(_ id: Int64, _ values: [AttributeValue]) {
        precondition(values.count == properties.count, "an object has a value for each property")
        appendedIDs.append(id)
        self.values.append(contentsOf: values)
    }
}
