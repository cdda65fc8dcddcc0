/// The attributes and to-one relationships of an object, as they were at one moment.
///
/// An object belongs to the queue of its context. Its snapshot can leave that queue, because it is `Sendable`:
///
///     let books = try await container.read { try $0.fetch(Book.all).map { $0.snapshot() } }
///     print(books[0].title)
///
/// The members are those of the class. A to-one relationship is the ``ObjectID`` of its target. To-many relationships and
/// properties of other objects are no members: read them while the context is at hand.
@dynamicMemberLookup
public struct ObjectSnapshot<Object: ManagedObject>: Hashable, Sendable {
    /// The ID of the object, with which a context finds the object again.
    public let objectID: ObjectID
    private let entity: Entity
    /// The values of the columns of the entity.
    private let values: [AttributeValue]

    init(_ object: Object) {
        objectID = object.objectID
        entity = object.entity
        values = entity.columns.indices.map { object.values[$0] }
    }

    /// The value of an attribute, or the number of the object in its entity.
    public subscript<Value: AttributeValueConvertible>(dynamicMember key: KeyPath<Object, Value>) -> Value {
        let name = Self.name(key)
        let stored =
            if let column = entity.column(named: name) {
                values[column]
            } else {
                AttributeValue.integer(objectID.id)
            }
        guard let value = Value(attributeValue: stored) else {
            fatalError("\(objectID).\(name) is required and had no value when its snapshot was made")
        }
        return value
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
        do throws(UnreadablePart) {
            return try columns.value { values[$0] }
        } catch {
            fatalError(
                "\(objectID).\(entity.columns[error.position].name) has a value that its type cannot hold")
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
        guard recorded.names.count == 1, !recorded.isCount else {
            fatalError(
                "\(recorded.text) is not in a snapshot of \(Object.self), which has its own properties only")
        }
        return recorded.names[0]
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.objectID == right.objectID && left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(objectID)
        hasher.combine(values)
    }
}

extension ManagedObjectClass {
    /// Returns the current values of the object, with unsaved changes, for use on any queue.
    public func snapshot() -> ObjectSnapshot<Self> { ObjectSnapshot(self) }
}
