extension ManagedObject {
    /// Returns an error about one property for `validate` to throw: `invalid(\Book.pages, detail: "is 0")`.
    public final func invalid<Object: ManagedObject>(
        _ property: PartialKeyPath<Object>, detail: String
    ) -> ValidationError {
        invalid(KnownKeys.key(of: property, of: Object.self).propertyText, detail: detail)
    }
}

extension ManagedObjectClass {
    /// Returns whether at least one of these properties has an unsaved change: `item.hasChanges(\.dueDate)`.
    ///
    /// The keys are of properties of the object itself. A one-to-many relationship never has a change: it is a change of the
    /// objects at its other end.
    public func hasChanges(_ properties: PartialKeyPath<Self>...) -> Bool {
        guard hasChanges else { return false }
        let changed = changedProperties
        return properties.contains { changed.contains(ownName(of: $0)) }
    }

    /// Returns the last saved value of an attribute: `item.savedValue(of: \.dueDate)`. For an object that was never saved,
    /// it is the current value.
    ///
    /// - Throws: A ``PropertyError`` if the type of the property cannot hold the value, such as nil before the first save.
    public func savedValue<Value: AttributeValueConvertible>(of property: KeyPath<Self, Value>) throws
        -> Value
    {
        let name = ownName(of: property)
        let saved = try savedValue(of: name)
        guard let value = Value(attributeValue: saved) else {
            throw PropertyError(
                entity: entity.name, property: name,
                problem: "has a saved value of the type \(saved.typeName), which \(Value.self) cannot hold")
        }
        return value
    }

    private func ownName(of property: PartialKeyPath<Self>) -> String {
        let key = KnownKeys.key(of: property, of: Self.self)
        guard entity.property(named: key.names[0]) != nil, key.names.count == 1 || key.isExternal else {
            fatalError("\(entity.name).\(key.text) is not a property of the object itself")
        }
        return key.names[0]
    }
}
