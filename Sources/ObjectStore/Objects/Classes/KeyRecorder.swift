internal import CivilTime

/// A recorder of the properties that a key path reads.
///
/// The key path is applied to an object without values, whose properties report that they are read. An attribute then
/// returns a placeholder, and a to-one relationship another such object.
final class KeyRecorder {
    private(set) var names: [String] = []
    private(set) var end = End.object
    /// The last object that was handed out. The next read has to be one of its properties.
    private(set) var current: ManagedObject?
    /// Whether the reads are no path: a computed property has read something else as well.
    private(set) var isBroken = false
    /// Whether the last attribute that was read is an external one.
    private(set) var isExternal = false

    /// The kind of property at the end of the path.
    enum End {
        /// An object: the start, or the target of a to-one relationship.
        case object
        /// An attribute, with the placeholder that it returned.
        case attribute(AttributeValue)
        /// A to-many relationship.
        case objects
        /// The number of objects in a to-many relationship.
        case count
    }

    /// Returns the object to which the key path is applied.
    func start(_ objectClass: ManagedObject.Type) -> ManagedObject {
        let object = objectClass.init(
            ObjectPlacement(withoutValues: objectClass, id: Self.firstID + Int64(names.count), recorder: self)
        )
        current = object
        return object
    }

    /// Objects without values have unusual IDs, by which a path that ends in `id` is recognized.
    private static let firstID: Int64 = .min + 1

    func read<Value: AttributeValueConvertible>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Value {
        guard let value = Value.placeholder(for: declaration) else {
            fatalError(
                "\(type(of: object).entityName).\(declaration.name) cannot be in a key path, because no value of "
                    + "\(Value.self) is known; give the attribute a default, or name it by text")
        }
        append(declaration, of: object, end: .attribute(value.attributeValue))
        return value
    }

    /// Records an external attribute, which is at the end of a relationship.
    func readExternal<Value: AttributeValueConvertible>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Value {
        let value: Value = read(object, declaration)
        names.append(ExternalValue.attribute)
        isExternal = true
        return value
    }

    func follow<Destination: ManagedObject>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Destination? {
        append(declaration, of: object, end: .object)
        return start(Destination.self) as? Destination
    }

    func collect<Element>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> RelatedObjects<Element> {
        append(declaration, of: object, end: .objects)
        return RelatedObjects(owner: object, position: 0)
    }

    func count() -> Int {
        if case .objects = end { end = .count } else { refuse() }
        return 0
    }

    /// Records that the key path uses something that has no name in a path.
    func refuse() {
        isBroken = true
    }

    private func append(_ declaration: PropertyDeclaration, of object: ManagedObject, end: End) {
        if object !== current { refuse() }
        current = nil
        names.append(declaration.name)
        self.end = end
    }
}

/// The property that a key path leads to, along to-one relationships.
struct RecordedKey {
    /// The names of the relationships and of the property. A path that ends in the ID of an object ends in `id`.
    let names: [String]
    /// Whether the path ends in a to-one relationship, and leads to an object.
    let isObject: Bool
    /// Whether the path ends in a to-many relationship.
    let isCollection: Bool
    /// Whether the path leads to the number of objects in the to-many relationship at its end.
    let isCount: Bool
    /// Whether the path ends in an external attribute, whose value is at the end of a relationship.
    let isExternal: Bool

    var isRelationship: Bool { isObject || isCollection }

    /// Reads the properties of a key path, or returns `nil` if it does not consist of declared properties.
    init?(_ path: AnyKeyPath, of objectClass: ManagedObject.Type) {
        let recorder = KeyRecorder()
        let start = recorder.start(objectClass)
        guard let value = start[keyPath: path], !recorder.isBroken else { return nil }
        var names = recorder.names
        var isObject = false
        var isCollection = false
        var isCount = false
        switch recorder.end {
        case .object:
            guard let object = recorder.current else { return nil }
            if value as? Int64 == object.id {
                names.append("id")
            } else {
                guard value as? ManagedObject === object, !names.isEmpty else { return nil }
                isObject = true
            }
        case .attribute(let placeholder):
            // A computed property is refused, unless it returns the attribute itself.
            guard let value = value as? any AttributeValueConvertible, value.attributeValue == placeholder
            else { return nil }
        case .objects:
            guard value is any RelatedObjectsType else { return nil }
            isCollection = true
        case .count:
            guard value is Int else { return nil }
            isCount = true
        }
        isExternal = recorder.isExternal
        (self.names, self.isObject, self.isCollection, self.isCount) = (
            names, isObject, isCollection, isCount
        )
    }
}

/// A `RelatedObjects` of any class.
private protocol RelatedObjectsType {}

extension RelatedObjects: RelatedObjectsType {}

extension AttributeValueConvertible {
    /// Returns a value that an attribute returns while a key path is recorded, or `nil` if none is known.
    fileprivate static func placeholder(for declaration: PropertyDeclaration) -> Self? {
        let lists = (elementType?.placeholders ?? []).compactMap { ListValue.text([$0]) }.map {
            AttributeValue.string($0)
        }
        for value in lists + attributeTypes.reversed().flatMap(\.placeholders) {
            if let value = Self(attributeValue: value) { return value }
        }
        if case .attribute(let attribute) = declaration.content,
            let value = Self(attributeValue: attribute.defaultValue)
        {
            return value
        }
        if let cases = Self.self as? any CaseIterable.Type { return firstCase(cases) as? Self }
        // The bits of an enumeration without associated values. Nothing but the comparison of the value follows.
        return _isPOD(Self.self) ? zero : nil
    }

    private static func firstCase<Cases: CaseIterable>(_ cases: Cases.Type) -> Any? { cases.allCases.first }

    private static var zero: Self {
        withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Self>.size, 1), alignment: MemoryLayout<Self>.alignment
        ) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.load(as: Self.self)
        }
    }
}

extension AttributeType {
    /// Values that a computed property is unlikely to return, and then the first raw values of an enumeration.
    fileprivate var placeholders: [AttributeValue] {
        switch self {
        case .string: [.string("key")]
        case .integer16, .integer32, .integer64: [.integer(7919), .integer(0), .integer(1)]
        case .double: [.double(7919.5)]
        case .decimal: [.decimal("7919.5")]
        case .boolean: [.boolean(true)]
        case .date: [.date(Timestamp(secondsSince1970: 7919.5))]
        case .binary: [.binary([79, 19])]
        case .uuid: [.uuid(UUIDValue(high: 7919, low: 7919))]
        case .uri: [.uri("key:")]
        }
    }
}
