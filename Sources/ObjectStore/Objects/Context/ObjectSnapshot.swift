/// The attributes and to-one relationships of an object, as they were at one moment.
///
/// An object belongs to the queue of its context. Its snapshot can leave that queue, because it is `Sendable`:
///
///     let books = try await container.read { try $0.fetch(Book.all).map { $0.snapshot() } }
///     print(books[0].title)
///
/// The members are those of the class. A to-one relationship is the ``ObjectID`` of its target. To-many relationships,
/// external attributes and properties of other objects are no members: read them while the context is at hand.
///
/// A snapshot is `Codable`. Its form has the key `id` and one key for each attribute and to-one relationship. To choose
/// other properties, use an ``ObjectCoding``. A decoder needs the model:
///
///     decoder.userInfo[.managedObjectModel] = model
///     let books = try decoder.decode([ObjectSnapshot<Book>].self, from: data)
@dynamicMemberLookup
public struct ObjectSnapshot<Object: ManagedObject>: Hashable, Sendable {
    let stored: SnapshotValues

    init(_ object: Object) {
        stored = SnapshotValues(object)
    }

    /// The ID of the object, with which a context finds the object again.
    public var objectID: ObjectID { stored.objectID }
    private var entity: Entity { stored.entity }
    private var values: [AttributeValue] { stored.values }

    /// The value of an attribute, or the number of the object in its entity.
    ///
    /// A stored value that the type cannot hold is `nil`, or the default of an attribute that is not optional.
    public subscript<Value: AttributeValueConvertible>(dynamicMember key: KeyPath<Object, Value>) -> Value {
        let name = Self.name(key)
        let column = entity.column(named: name)
        let stored = column.map { values[$0] } ?? .integer(objectID.id)
        if let value = Value(attributeValue: stored) { return value }
        if !stored.isNull, let column,
            let value = UnreadableValue.replacement(Value.self, entity.defaults[column])
        {
            return value
        }
        fatalError("\(objectID).\(name) \(UnreadableValue.problem(of: stored))")
    }

    /// The value of a composite attribute.
    public subscript<Composed: CompositeAttribute>(dynamicMember key: KeyPath<Object, Composed>) -> Composed {
        composite(Self.name(key))
    }

    /// The value of an optional composite attribute.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember key: KeyPath<Object, Composed?>
    ) -> Composed? {
        composite(Self.name(key))
    }

    private func composite<Value: CompositeValue>(_ name: String) -> Value {
        let columns = CompositeColumns(CompositeLayout<Value.Composed>.shared, of: name, in: entity)
        return columns.value {
            values[$0]
        } reportUnreadable: { _ in
        }
    }

    /// The ID of the target of a to-one relationship, or `nil` if there is none.
    public subscript<Destination: ManagedObject>(
        dynamicMember key: KeyPath<Object, Destination?>
    ) -> ObjectID? {
        guard let column = entity.column(named: Self.name(key)), case .integer(let id) = values[column] else {
            return nil
        }
        return ObjectID(
            entity: entity.toOne(at: column).storedDestination, id: id, store: objectID.store)
    }

    /// Returns the name of a property of the object itself.
    private static func name<Value>(_ key: KeyPath<Object, Value>) -> String {
        let recorded = RecordedKey.of(key)
        guard !recorded.isExternal else {
            fatalError(
                "\(recorded.propertyText) is an external attribute and not in a snapshot "
                    + "of \(Object.self); read it from the object")
        }
        guard recorded.names.count == 1, !recorded.isCount else {
            fatalError(
                "\(recorded.text) is not in a snapshot of \(Object.self), which has its own properties only")
        }
        return recorded.names[0]
    }
}

extension ObjectSnapshot: Codable {
    public func encode(to encoder: any Encoder) throws {
        try stored.encode(to: encoder, .whole)
    }

    public init(from decoder: any Decoder) throws {
        stored = try SnapshotValues(from: decoder, of: Object.self)
    }
}

extension ManagedObjectClass {
    /// Returns the current values of the object, with unsaved changes, for use on any queue.
    public func snapshot() -> ObjectSnapshot<Self> { ObjectSnapshot(self) }
}

/// The object ID and the values of a snapshot, without the class.
struct SnapshotValues: Hashable, Sendable {
    let objectID: ObjectID
    let entity: Entity
    /// The values of the columns of the entity.
    let values: [AttributeValue]

    init(_ object: ManagedObject) {
        objectID = object.objectID
        entity = object.entity
        values = entity.columns.indices.map { object.values[$0] }
    }

    init(objectID: ObjectID, entity: Entity, values: [AttributeValue]) {
        (self.objectID, self.entity, self.values) = (objectID, entity, values)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.objectID == right.objectID && left.values == right.values
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(objectID)
        hasher.combine(values)
    }
}
