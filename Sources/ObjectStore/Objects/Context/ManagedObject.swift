/// One object of an entity, as one context sees it.
///
/// Subclass it to declare the properties of the entity with their types:
///
///     final class Book: ManagedObject {
///         @Attribute(.required, .length(1...200)) var title: String
///         @Attribute var published: Timestamp?
///         @ToOne var publisher: Publisher?
///         @ToMany(inverse: \Author.books) var authors: RelatedObjects<Author>
///     }
///
/// A context has at most one object for each row, so references to the same row are identical. A context and its
/// objects belong to one queue. None of them is `Sendable`.
open class ManagedObject {
    /// The state of an object in relation to its store.
    enum State {
        /// New. The next save inserts it.
        case inserted
        /// In the store. Only the changed columns may differ from its row.
        case saved
        /// Deleted here. The next save deletes its row.
        case deleted
        /// Not part of the context: its deletion was saved, it was deleted or rolled back before its first save, or
        /// it is a prototype.
        case detached
    }

    /// Whether the object has the values of the store, as far as the context knows.
    enum Freshness {
        case current
        /// Another context or program may have saved the object since it was read.
        case doubtful
        /// Another context has saved the object since it was read.
        case outdated
    }

    /// The lists of the context that an object is in.
    struct Lists: OptionSet {
        let rawValue: UInt8

        /// The list of changed objects.
        static let tracked = Lists(rawValue: 1)
        /// The list of changes that are not yet written to the open transaction.
        static let queued = Lists(rawValue: 2)
    }

    // A fetch makes many objects, and most of them are only read. The order of these properties leaves no gaps, and
    // the properties that few objects need are in `extras`. An insertion of many objects spends a considerable part of
    // its time in checks of exclusive access, so properties that are only changed for a moment do without.

    /// The registry that the object was created with. It never changes, so reading a property need not retain it. Use
    /// it only for facts that are the same in all stores, and `home` for the others.
    final let registry: ObjectRegistry
    /// The object's ID within its entity. It is assigned when the object is inserted and never changes. The ID of a
    /// saved object is never used again for another object of the entity.
    public final let id: Int64
    /// The current values, in the order of the entity's columns.
    final let values: RowValues
    final var state: State
    final var freshness = Freshness.current {
        didSet {
            home.table.outdatedCount += (freshness == .current ? 0 : 1) - (oldValue == .current ? 0 : 1)
        }
    }
    /// Whether the store or its open transaction has a row of the object.
    final var hasRow = false
    @exclusivity(unchecked) final var lists: Lists = []
    /// The columns that were set since the object was read or saved, or since it was inserted.
    @exclusivity(unchecked) final var changed = ColumnSet.none
    /// The changed columns that are not yet written to the store's open transaction.
    @exclusivity(unchecked) final var unwritten = ColumnSet.none
    private final var extras: Extras?

    /// The properties that most objects do not need.
    private final class Extras {
        var assigned: ObjectRegistry?
        var savedValues: RowValues?
        var related: RelatedIDs?
        var changedPairs = 0
    }

    /// The extras, which this makes if the object has none.
    private final var ownExtras: Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    /// The registry of the store that the object was assigned to while it was new, or `nil` if it was not assigned.
    final var assigned: ObjectRegistry? {
        get { extras?.assigned }
        set { if newValue != nil || extras != nil { ownExtras.assigned = newValue } }
    }

    /// The values in the store, or `nil` if the object has no changed columns.
    final var savedValues: RowValues? {
        get { extras?.savedValues }
        set { if newValue != nil || extras != nil { ownExtras.savedValues = newValue } }
    }

    /// The known IDs of its to-many relationships, or `nil` if none was used.
    final var related: RelatedIDs? {
        get { extras?.related }
        set { if newValue != nil || extras != nil { ownExtras.related = newValue } }
    }

    /// The number of pairs in its many-to-many relationships that the next save adds or removes.
    final var changedPairs: Int {
        get { extras?.changedPairs ?? 0 }
        set { if newValue != 0 || extras != nil { ownExtras.changedPairs = newValue } }
    }

    /// Creates the object for a context. Subclasses inherit this initializer and have no other.
    public required init(_ placement: consuming ObjectPlacement) {
        id = placement.id
        state = placement.state
        registry = placement.registry.takeRetainedValue()
        values = placement.values.take()
        // `registry.table` would be retained and released. The object has just taken over the registry, which keeps it.
        if state != .detached { placement.registry._withUnsafeGuaranteedRef { $0.table.insert(self) } }
    }

    deinit {
        // `home` and its table would be retained and released, which is a considerable part of the cost of an object.
        if extras == nil { leave(.passUnretained(registry)) } else { leave(.passUnretained(home)) }
        values.releaseShared()
    }

    private func leave(_ registry: Unmanaged<ObjectRegistry>) {
        registry._withUnsafeGuaranteedRef {
            if state != .detached { $0.table.remove(id) }
            if freshness != .current { $0.table.outdatedCount -= 1 }
        }
    }

    // MARK: - Members to override

    /// The name of the entity that `EntityDescription(Book.self)` derives from the class. It is the name of the class.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity that is derived from the class is abstract: it has no objects but those of its subclasses.
    ///
    ///     class Item: ManagedObject {
    ///         override class var isAbstract: Bool { self == Item.self }
    ///     }
    open class var isAbstract: Bool { false }

    /// Sets values of a new object that the model cannot express, such as a new UUID or the current time.
    ///
    /// The context calls this method once, when it inserts the object. The object already has the defaults of its
    /// entity. The method is not called for objects that are read, restored by undo, or made by a migration.
    open func awakeFromInsert() {}

    /// Checks the values of the object beyond the rules of the model.
    ///
    /// Throw the error that `invalid(_:detail:)` returns:
    ///
    ///     override func validate() throws {
    ///         if let returned, returned < lent { throw invalid("returned", detail: "is before it was lent") }
    ///     }
    ///
    /// A save calls this method for each object that it inserts or updates. At that time all objects satisfy the
    /// rules of the model, so required values can be read. The save reports the validation errors of all objects
    /// together. The method must not change anything. It is not called by `updateAll`, `updateEach` or a migration.
    open func validate() throws {}

    /// Returns an error about one property for `validate` to throw.
    ///
    /// - Parameters:
    ///   - property: The name of the property.
    ///   - detail: The problem, without the value, which may be private.
    public final func invalid(_ property: String, detail: String) -> ValidationError {
        ValidationError([
            .init(entity: entity.name, id: id, property: property, rule: .custom, detail: detail)
        ])
    }

    // MARK: - Identity and state

    /// The entity of the object.
    public final var entity: Entity { registry.entity }

    /// The entity with the table that has the object's row.
    final var storedEntity: Entity { registry.stored }

    /// The registry of the entity in the object's store.
    final var home: ObjectRegistry { assigned ?? registry }

    /// The position of the object's store in the coordinator.
    final var storePosition: Int {
        // `home.store` would retain and release the registry, at several places for each object of a save.
        if let assigned { return assigned.store }
        return registry.store
    }

    /// The context, or `nil` if it was released.
    public final var context: ManagedObjectContext? { registry.context }

    /// The object's ID together with its entity and store. It changes only when a new object is assigned to another
    /// store.
    public final var objectID: ObjectID { home.objectID(id) }

    /// Whether the next save inserts the object.
    public final var isInserted: Bool { state == .inserted }

    /// Whether the next save changes the object's row or one of its many-to-many relationships.
    public final var isUpdated: Bool { state == .saved && (!changed.isEmpty || changedPairs > 0) }

    /// Whether the object is deleted or its insertion was rolled back. The deletion may still be unsaved.
    public final var isDeleted: Bool { state == .deleted || state == .detached }

    /// Whether the next save would write the object.
    public final var hasChanges: Bool {
        state == .inserted || state == .deleted || isUpdated
    }

    /// Whether the next save inserts, updates or deletes the object's row.
    final var changesRow: Bool {
        state == .inserted || state == .deleted || state == .saved && !changed.isEmpty
    }

    /// Whether the object can be read and changed: it is neither deleted nor rolled back.
    final var isAlive: Bool { state == .inserted || state == .saved }

    /// Whether the store has the object, regardless of unsaved changes.
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

/// The data from which a context creates an object: its registry, ID, values and state.
///
/// Exactly one object is created from it and takes over its references. Retaining and releasing them once more would
/// be a considerable part of the cost of an object.
public struct ObjectPlacement: ~Copyable {
    let registry: Unmanaged<ObjectRegistry>
    let id: Int64
    let values: RowValues.Passed
    let state: ManagedObject.State

    init(registry: ObjectRegistry, id: Int64, values: consuming RowValues, state: ManagedObject.State) {
        self.registry = .passRetained(registry)
        self.id = id
        self.values = .init(values)
        self.state = state
    }
}
