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
        return properties.contains { property in
            let key = ownKey(of: property)
            return (key.parts ?? key.names).contains(where: changed.contains)
        }
    }

    /// Returns the last saved value of an attribute: `item.savedValue(of: \.dueDate)`. For an object that was never saved,
    /// it is the current value.
    ///
    /// - Throws: A ``PropertyError`` if the type of the property cannot hold the value, such as nil before the first save.
    public func savedValue<Value: AttributeValueConvertible>(of property: KeyPath<Self, Value>) throws
        -> Value
    {
        let name = ownKey(of: property).names[0]
        let saved = try savedValue(of: name)
        guard let value = Value(attributeValue: saved) else {
            throw PropertyError(
                entity: entity.name, property: name,
                problem: "has a saved value of the type \(saved.typeName), which \(Value.self) cannot hold")
        }
        return value
    }

    /// Returns the last saved value of a composite attribute: `person.savedValue(of: \.home)`. For an object that was never
    /// saved, it is the current value.
    ///
    /// - Throws: A ``PropertyError`` if the type of a part cannot hold the value.
    public func savedValue<Value: CompositeValue>(of property: KeyPath<Self, Value>) throws -> Value {
        let name = ownKey(of: property).names[0]
        let columns = CompositeColumns(CompositeLayout<Value.Composed>.shared, of: name, in: entity)
        let saved = rowValues(asSaved: true)
        var unreadable: Int?
        let value: Value = columns.value {
            saved[$0]
        } reportUnreadable: {
            unreadable = $0
        }
        guard let unreadable else { return value }
        throw PropertyError(
            entity: entity.name, property: entity.columns[unreadable].name,
            problem: "has a saved value that its type cannot hold")
    }

    private func ownKey(of property: PartialKeyPath<Self>) -> RecordedKey {
        let key = KnownKeys.key(of: property, of: Self.self)
        guard key.names.count == 1 || key.isExternal else {
            fatalError("\(entity.name).\(key.text) is not a property of the object itself")
        }
        return key
    }
}
