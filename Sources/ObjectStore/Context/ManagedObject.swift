/// One object of an entity, as one context sees it.
///
/// Subclass it to give the properties of the entity names and types:
///
///     final class Book: ManagedObject {
///         @Attribute("title") var title: String
///         @Attribute("published") var published: Timestamp?
///         @ToOne("publisher") var publisher: Publisher?
///         @ToMany("authors") var authors: RelatedObjects<Author>
///     }
///
/// Within a context there is one object for each id, so two objects are the same row when they are the
/// same object. A context and its objects belong to one queue; none of them is `Sendable`.
open class ManagedObject {
    /// Where an object stands between the context and its store.
    enum State {
        /// New: the store gets it with the next save.
        case inserted
        /// As the store has it, but for its changed columns.
        case saved
        /// The store loses it with the next save.
        case deleted
        /// Gone: deleted and saved, rolled back before it was ever saved, or made only to be looked at.
        case detached
    }

    /// Whether the values are those of the store, as far as the context knows.
    enum Freshness {
        case current
        /// The object may have been saved by another context since it was read.
        case doubtful
        /// The object was saved by another context since it was read.
        case outdated
    }

    /// The one that the object was made with: good for what is alike in all stores. It never changes, so that
    /// reading a property need not keep it alive meanwhile.
    final let registry: ObjectRegistry
    /// The one of the store to which the object was assigned when it was new.
    final var assigned: ObjectRegistry?
    /// Given when the object is inserted, never changed, never given again to another object of the entity.
    public final let id: Int64
    /// In the order of the entity's columns.
    final let values: RowValues
    /// The values as the store has them, while any differs.
    final var savedValues: RowValues?
    /// The columns that were set since the object was read or saved.
    final var changed = ColumnSet.none
    /// Those among them that the store's open transaction does not have yet.
    final var unwritten = ColumnSet.none
    /// Whether the store, or its open transaction, has a row of the object.
    final var hasRow = false
    final var state: State
    /// Whether the context keeps the object among its changes.
    final var isTracked = false
    /// Whether the context keeps it among the changes that the store's open transaction does not have yet.
    final var isQueued = false
    final var freshness = Freshness.current {
        didSet {
            home.outdatedCount += (freshness == .current ? 0 : 1) - (oldValue == .current ? 0 : 1)
        }
    }
    /// The number of pairs of many-to-many relationships with it that the next save adds or removes.
    final var changedPairs: Int32 = 0
    /// What is known of its to-many relationships; nil when none was used.
    final var related: RelatedIDs?

    /// A context makes the objects; a subclass inherits this and has no other initializer.
    public required init(_ placement: consuming ObjectPlacement) {
        id = placement.id
        state = placement.state
        registry = placement.registry.takeRetainedValue()
        values = placement.values.takeRetainedValue()
        if state != .detached { registry.table.insert(self) }
    }

    deinit {
        if state != .detached { home.table.remove(id) }
        if freshness != .current { home.outdatedCount -= 1 }
    }

    // MARK: - What a subclass may add

    /// Called once, when the object was inserted and has the defaults of its entity: the place for values that a model
    /// cannot say, such as a new UUID or the present moment.
    ///
    /// It is not called for objects that are read, that an undo brings back, or that a migration makes.
    open func awakeFromInsert() {}

    /// Throws what is wrong with the values of the object beyond the rules of the model, best by `invalid(_:_:)`.
    ///
    ///     override func validate() throws {
    ///         if let returned, returned < lent { throw invalid("returned", "is before it was lent") }
    ///     }
    ///
    /// A save asks each object that it inserts or changes, when all of them keep the rules; so what is required can be
    /// read. It reports what it finds together. The method changes nothing. Updates of many objects at once make no
    /// objects and ask none, and neither does a migration.
    open func validate() throws {}

    /// What `validate` throws about one property: an error that says what is wrong with it, without its value.
    public final func invalid(_ property: String, _ detail: String) -> ValidationError {
        ValidationError([
            .init(entity: entity.name, id: id, property: property, rule: .custom, detail: detail)
        ])
    }

    // MARK: - What it is

    public final var entity: Entity { registry.entity }

    /// What the objects of the entity share in the store that the object belongs to.
    final var home: ObjectRegistry { assigned ?? registry }

    /// Nil when the context is gone.
    public final var context: ManagedObjectContext? { registry.context }

    /// Its name changes when a new object is assigned to another store, and at no other time.
    public final var objectID: ObjectID { home.objectID(id) }

    /// Whether the next save puts it into the store.
    public final var isInserted: Bool { state == .inserted }

    /// Whether the next save changes its row, or a many-to-many relationship of it.
    public final var isUpdated: Bool { state == .saved && (!changed.isEmpty || changedPairs > 0) }

    /// Whether the next save takes it out of the store, or one has.
    public final var isDeleted: Bool { state == .deleted || state == .detached }

    public final var hasChanges: Bool {
        state == .inserted || state == .deleted || isUpdated
    }

    /// Whether the next save adds, changes or removes its row.
    final var changesRow: Bool {
        state == .inserted || state == .deleted || state == .saved && !changed.isEmpty
    }

    /// Whether it can be read and changed: it is neither deleted nor rolled back.
    final var isAlive: Bool { state == .inserted || state == .saved }

    /// Whether the store has it, unsaved changes apart.
    final var isInStore: Bool { state == .saved || state == .deleted }
}

extension ManagedObject: Hashable {
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
        left === right
    }

    public final func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// What a context hands to a new object: its entity, its id, its values.
///
/// Exactly one object is made of it, which takes over what it refers to: counting references on the way would
/// be a good part of the cost of an object.
public struct ObjectPlacement: ~Copyable {
    let registry: Unmanaged<ObjectRegistry>
    let id: Int64
    let values: Unmanaged<RowValues>
    let state: ManagedObject.State

    init(registry: ObjectRegistry, id: Int64, values: consuming RowValues, state: ManagedObject.State) {
        self.registry = .passRetained(registry)
        self.id = id
        self.values = .passRetained(values)
        self.state = state
    }

    init(prototypeOf entity: Entity) {
        self.init(
            registry: ObjectRegistry(entity: entity, context: nil), id: 0, values: .make(entity.defaults),
            state: .detached)
    }
}

/// The name of an object that outlives it: its entity, its id, and its store.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    public let entity: String
    public let id: Int64
    /// The identifier of the store; nil for the store that was added to the coordinator first.
    public let store: UUIDValue?

    public init(entity: String, id: Int64, store: UUIDValue? = nil) {
        self.entity = entity
        self.id = id
        self.store = store
    }

    /// `Book 12`, and `Book 12 in the store 6F9C…` when it is not in the first store.
    public var description: String {
        "\(entity) \(id)" + (store.map { " in the store \($0)" } ?? "")
    }
}
