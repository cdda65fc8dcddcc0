extension ManagedObjectContext {
    /// Returns all objects that have the given value at a key.
    public func objects<Object: ManagedObject, Value: AttributeValueConvertible>(
        of objectClass: Object.Type, matching key: KeyPath<Object, Value>, equals value: Value,
        orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try objects(
            of: objectClass, matching: RecordedKey.of(key).text, equals: value, orderedBy: order)
    }

    /// Returns all objects with a to-one relationship that leads to the given object, or to none.
    public func objects<Object: ManagedObject, Destination: ManagedObject>(
        of objectClass: Object.Type, matching key: KeyPath<Object, Destination?>, equals object: Destination?,
        orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try objects(
            of: objectClass, matching: RecordedKey.of(key).text, equals: object, orderedBy: order)
    }

    /// Returns the only object that has the given value at a key, or `nil` if there is none.
    ///
    /// - Throws: A `FetchError` if there are several.
    public func object<Object: ManagedObject, Value: AttributeValueConvertible>(
        of objectClass: Object.Type, matching key: KeyPath<Object, Value>, equals value: Value
    ) throws -> Object? {
        try object(of: objectClass, matching: RecordedKey.of(key).text, equals: value)
    }

    /// Fetches the objects of a to-many relationship for many owners, with a few fetches instead of one for each
    /// owner. Keep the result while the relationship is used.
    public func prefetch<Owner: ManagedObject, Element: ManagedObject>(
        _ key: KeyPath<Owner, RelatedObjects<Element>>, of owners: [Owner]
    ) throws -> [Element] {
        try prefetch(RecordedKey.of(key).text, of: owners).map { unsafeDowncast($0, to: Element.self) }
    }

    /// Fetches the objects of a to-one relationship for many owners, with a few fetches instead of one for each owner. Keep
    /// the result while the relationship is used.
    ///
    /// The key may be at the end of to-one relationships. The result has the objects on the way, too, if they are of the
    /// class.
    public func prefetch<Owner: ManagedObject, Destination: ManagedObject>(
        _ key: KeyPath<Owner, Destination?>, of owners: [Owner]
    ) throws -> [Destination] {
        try prefetch(RecordedKey.of(key).text, of: owners).compactMap { $0 as? Destination }
    }

    /// Sets properties of all objects that match a request, with one statement and without creating the objects.
    ///
    ///     try context.updateAll(Book.where { $0.published == nil }) {
    ///         $0.genre = .novel
    ///         $0.inPrint = false
    ///     }
    ///
    /// See `updateAll(_:setting:)`. The target of a relationship has to be saved in the store of the objects, or the method
    /// throws a ``PropertyError`` or a ``StoreError`` of the code `crossStore`.
    ///
    /// - Returns: The number of objects that match the request.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ assign: (inout NewValues<Object>) throws -> Void
    ) throws -> Int {
        var values = NewValues<Object>()
        try assign(&values)
        return try update(request, values.values, targets: values.targets)
    }
}

/// The values that `updateAll` sets. Its members are the attributes and to-one relationships of the class.
@dynamicMemberLookup
public struct NewValues<Object: ManagedObject> {
    private(set) var values: [String: any AttributeValueConvertible] = [:]
    /// The new targets of relationships, by the names of these.
    private(set) var targets: [String: ManagedObject] = [:]

    /// The new value of an attribute. It can only be set.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: ReferenceWritableKeyPath<Object, Value>
    ) -> Value {
        @available(
            *, unavailable,
            message: "the new value is the same for all objects; it cannot be computed from old values"
        )
        get { fatalError("unavailable") }
        set { values[RecordedKey.of(member).propertyText] = newValue }
    }

    /// The new value of a composite attribute. It can only be set.
    public subscript<Value: CompositeValue>(
        dynamicMember member: ReferenceWritableKeyPath<Object, Value>
    ) -> Value {
        @available(
            *, unavailable,
            message: "the new value is the same for all objects; set a part by its key path: $0[\\.home.city]"
        )
        get { fatalError("unavailable") }
        set {
            let layout = CompositeLayout<Value.Composed>.shared
            let parts = RecordedKey.of(member).parts ?? []
            for (name, part) in zip(parts, layout.values(of: newValue)) { values[name] = StoredPart(part) }
        }
    }

    /// The new value of an attribute, which may be a part of a composite attribute: `$0[\.home.city] = "Paris"`. It can only
    /// be set.
    public subscript<Value: AttributeValueConvertible>(key: ReferenceWritableKeyPath<Object, Value>) -> Value
    {
        @available(
            *, unavailable,
            message: "the new value is the same for all objects; it cannot be computed from old values"
        )
        get { fatalError("unavailable") }
        set { values[RecordedKey.of(key).text] = newValue }
    }

    /// The new target of a to-one relationship. It can only be set.
    public subscript<Destination: ManagedObject>(
        dynamicMember member: ReferenceWritableKeyPath<Object, Destination?>
    ) -> Destination? {
        @available(*, unavailable, message: "the new target is the same for all objects; it cannot be read")
        get { fatalError("unavailable") }
        set {
            let name = RecordedKey.of(member).text
            values.updateValue(newValue?.id, forKey: name)
            targets[name] = newValue
        }
    }
}

/// The stored value of a part of a composite attribute, which has the type of the part already.
private struct StoredPart: AttributeValueConvertible {
    static var attributeTypes: [AttributeType] { [] }
    static var admitsNull: Bool { true }
    let attributeValue: AttributeValue

    init(_ value: AttributeValue) { attributeValue = value }

    init?(attributeValue: AttributeValue) { self.init(attributeValue) }
}
