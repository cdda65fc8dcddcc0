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
    /// The number of times that the key path was applied before. It decides the values of attributes.
    let round: Int
    /// The objects that were handed out. They live until the recording ends, because a class may read properties in its
    /// `deinit`.
    private var objects: [ManagedObject] = []
    private var hasEnded: Bool

    init(round: Int = 0, hasEnded: Bool = false) {
        self.round = round
        self.hasEnded = hasEnded
    }

    /// The kind of property at the end of the path.
    enum End {
        /// An object: the start, or the target of a to-one relationship.
        case object
        /// An attribute, with the placeholder that it returned.
        case attribute(AttributeValue)
        /// A composite attribute. The key path may lead to a part of it.
        case composite(any CompositeKeyReading)
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
        objects.append(object)
        return object
    }

    /// Ends the recording. Properties that are read later do not belong to the path.
    func finish() {
        hasEnded = true
        current = nil
        objects = []
    }

    /// Objects without values have unusual IDs, by which a path that ends in `id` is recognized.
    private static let firstID: Int64 = .min + 1

    func read<Value: AttributeValueConvertible>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Value {
        guard let value = Value.placeholder(for: declaration, second: round > 0) else {
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
        guard !hasEnded else { return value }
        names.append(ExternalValue.attribute)
        isExternal = true
        return value
    }

    /// Records a composite attribute, whose parts have the values of this round.
    func readComposite<Value: CompositeValue>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Value {
        if let mistake = Value.mistake {
            fatalError(
                "\(type(of: object).entityName).\(declaration.name) cannot be in a key path: \(mistake)")
        }
        let layout = CompositeLayout<Value.Composed>.shared
        append(declaration, of: object, end: .composite(layout))
        let value: Value.Composed = layout.value {
            layout.placeholder(of: $0, round: round)
        } reportUnreadable: { _ in
        }
        return Value(composed: value)
    }

    func follow<Destination: ManagedObject>(
        _ object: ManagedObject, _ declaration: PropertyDeclaration
    ) -> Destination? {
        guard !hasEnded else { return nil }
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
        guard !hasEnded else { return }
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
    /// The parts of the composite attribute at the end of the path, with its name, or `nil` if it ends in something else.
    let parts: [String]?
    /// The names, with those of composite attributes and their parts on their own.
    let keys: [String]

    var isRelationship: Bool { isObject || isCollection }

    /// Reads the properties of a key path, or returns `nil` if it does not consist of declared properties.
    init?(_ path: AnyKeyPath, of objectClass: ManagedObject.Type) {
        let recorder = KeyRecorder()
        defer { recorder.finish() }
        let start = recorder.start(objectClass)
        guard let value = start[keyPath: path], !recorder.isBroken else { return nil }
        var names = recorder.names
        var isObject = false
        var isCollection = false
        var isCount = false
        var parts: [String]?
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
            // A computed property is refused, unless it returns the attribute itself, whatever its value is.
            let again = KeyRecorder(round: 1)
            defer { again.finish() }
            guard let value = value as? any AttributeValueConvertible, value.attributeValue == placeholder,
                let other = again.start(objectClass)[keyPath: path] as? any AttributeValueConvertible,
                again.names == names, !again.isBroken, case .attribute(let second) = again.end,
                other.attributeValue == second
            else { return nil }
        case .composite(let reading):
            let values = (0..<reading.rounds).compactMap { round in
                let again = KeyRecorder(round: round)
                defer { again.finish() }
                return again.start(objectClass)[keyPath: path]
            }
            guard values.count == reading.rounds, let owner = names.popLast(),
                let found = reading.part(values: values)
            else { return nil }
            names.append(found.name.isEmpty ? owner : "\(owner).\(found.name)")
            parts = found.parts?.map { "\(owner).\($0)" }
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
        self.parts = parts
        keys =
            names.contains { $0.contains(".") } ? names.flatMap { FetchPredicate.Path.keys(of: $0) } : names
    }
}

/// A `RelatedObjects` of any class.
private protocol RelatedObjectsType {}

extension RelatedObjects: RelatedObjectsType {}
