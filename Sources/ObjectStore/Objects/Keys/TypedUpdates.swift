/// New values for some properties of many objects of a class, with the types of the properties.
///
///     var updates = TypedUpdates(of: Book.self, setting: \.pages, \.rating)
///     updates.append(id: 3, 474, 4.5)
///     try context.updateEach([updates.updates])
public struct TypedUpdates<each Value: AttributeValueConvertible>: Sendable {
    /// The updates without the types.
    public private(set) var updates: ObjectUpdates

    /// Creates an empty list of updates.
    ///
    /// - Parameters:
    ///   - objectClass: The class of the objects.
    ///   - keys: The attributes to set, without duplicates. A to-one relationship is set by the ID of its target:
    ///     `\.publisher?.id`.
    ///   - store: The identifier of the store that has the objects. It is required if several stores can have them.
    public init<Object: ManagedObject>(
        of objectClass: Object.Type, setting keys: repeat KeyPath<Object, each Value>,
        in store: UUIDValue? = nil
    ) {
        var names: [String] = []
        for key in repeat each keys { names.append(RecordedKey.of(key).settableText) }
        updates = ObjectUpdates(of: objectClass, setting: names, in: store)
    }

    /// Adds an object and its values, in the order of the properties.
    public mutating func append(id: Int64, _ values: repeat each Value) {
        var row: [AttributeValue] = []
        row.reserveCapacity(updates.properties.count)
        for value in repeat each values { row.append(value.attributeValue) }
        updates.append(id: id, values: row)
    }
}

extension ObjectUpdates {
    /// Creates an empty list of updates of the properties with these keys, without duplicates:
    /// `ObjectUpdates(of: Book.self, setting: [\.pages, \.rating])`.
    public init<Object: ManagedObject>(
        of objectClass: Object.Type, setting keys: [PartialKeyPath<Object>], in store: UUIDValue? = nil
    ) {
        self.init(
            of: objectClass, setting: keys.flatMap { KnownKeys.key(of: $0, of: Object.self).settableColumns },
            in: store)
    }
}

extension RecordedKey {
    /// The name of the property to set. The ID of a related object is the value of the relationship.
    fileprivate var settableText: String {
        names.count == 2 && names[1] == "id" ? names[0] : propertyText
    }

    /// The names of the columns to set: those of the parts of a composite attribute, or one.
    fileprivate var settableColumns: [String] { parts == nil ? [settableText] : columns }
}
