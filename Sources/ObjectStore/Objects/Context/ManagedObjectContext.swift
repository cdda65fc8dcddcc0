/// A set of objects that a program reads, changes and saves together.
///
/// A context belongs to one queue, like its coordinator and its objects. It has at most one object for each row. It
/// keeps objects with unsaved changes alive. It knows the others, but the program must keep them alive.
///
/// Fetches see unsaved changes: the context first writes them to the store's open transaction. No other context or
/// program sees them there until they are saved.
public final class ManagedObjectContext {
    /// The reaction of a save to objects that another context has saved since this context read them.
    public enum ConflictPolicy: Hashable, Sendable {
        /// `save` throws a `ConflictError` and saves nothing.
        case error
        /// The properties that this context changed are saved. All others keep their values from the store.
        case mineWins
        /// The properties that the other context changed keep their values from the store. Other changes are saved.
        case theirsWins
    }

    /// The reaction of a save to new objects that have the unique values of saved ones.
    public enum UniquenessPolicy: Hashable, Sendable {
        /// `save` throws a `ValidationError` and saves nothing.
        case error
        /// The new object is merged into the saved one, which keeps its values.
        case savedObjectWins
        /// The new object is merged into the saved one, which gets the values that the program has set.
        case newObjectWins
    }

    /// A pair of a many-to-many relationship.
    struct PairKey: Hashable {
        /// The position of the store in the coordinator.
        let store: Int
        let link: Int
        let ownerID: Int64
        let otherID: Int64

        /// The same pair in the other direction.
        var mirrored: PairKey { PairKey(store: store, link: link, ownerID: otherID, otherID: ownerID) }
    }

    /// The coordinator of the stores.
    public let coordinator: PersistentStoreCoordinator
    /// The context that gets the saved changes of this one, or `nil` if this context saves in the stores.
    public let parent: ManagedObjectContext?
    /// The reaction to objects that another context has saved first.
    public var conflictPolicy: ConflictPolicy = .error
    /// The reaction of a save to new objects that have the unique values of saved ones.
    ///
    /// A new object that is merged no longer exists, as if it had been deleted, but without delete rules. Objects that
    /// refer to it refer to the saved object instead. A one-to-one relationship follows the object whose values win. Of
    /// several new objects with the same values, the first counts as saved. A changed object with the unique values of
    /// another saved one is an error with any policy, and so is a new object with those of an object in another store.
    public var uniquenessPolicy: UniquenessPolicy = .error
    /// The name of the context in the history of the stores.
    public var name: String?
    /// The author of the saves of this context in the history of the stores, such as the name of the program.
    public var transactionAuthor: String?
    /// Whether a migration uses the context. Then duplicate values are kept, references are not checked at each save,
    /// and `awakeFromInsert` and `validate` are not called.
    var isMigrating = false
    /// The first failed read or refused change inside a property, which cannot throw. `save` throws an error for it
    /// until the context is rolled back.
    public private(set) var failure: (any Error)?
    /// Whether a save runs code of the program, before it writes anything.
    var isInSaveHook = false

    // Arrays without a check of exclusive access are appended to and replaced, but never changed in place while code of the
    // program may run, such as the `deinit` of a class.

    /// The registries of the first store in the order of the model's entities, then those of the next stores.
    @exclusivity(unchecked) private(set) var registries: [ObjectRegistry] = []
    /// The last class whose entity was looked up, and the entity. Most calls are for the same class as the one before.
    @exclusivity(unchecked) private var lastEntity: (objectClass: ManagedObject.Type, entity: Entity)?
    /// The changed objects, in the order of their first change.
    @exclusivity(unchecked) var tracked: [ManagedObject] = []
    /// The changed pairs of many-to-many relationships.
    var pairs = ChangedPairs()
    /// The objects with changes that the open transaction does not have yet.
    @exclusivity(unchecked) var unwrittenObjects: [ManagedObject] = []
    var unwrittenPairs: [(key: PairKey, isAdded: Bool)] = []
    /// The number of the coordinator's saves that this context made.
    var ownSaves = 0
    /// How often this context itself has invalidated the known IDs of to-many relationships.
    var voidings = 0
    let observers = ObserverList<ContextEvent, Never>()
    /// The handlers that are called before each save.
    let saveHandlers = ObserverList<Void, any Error>()
    let undoLog = UndoLog()
    /// The effects of unsaved changes on attributes that are derived from related objects, or `nil` if the model has none.
    let related: RelatedChanges?
    /// The child contexts that have to know when a refresh discards changes, or `nil` if there were none.
    var discardObservers: ObserverList<Void, Never>?
    private var ancestorObservations: [ObservationToken] = []
    /// The new objects of a child that have an ID of a former object, which an ancestor may have again.
    var revived: [ManagedObject] = []
    /// Whether an ancestor may have got one of these objects back since they were compared with it.
    var areRevivalsDoubtful = false
    private let historyReader: ChangeHistory.Reader
    /// Whether any object in memory may be out of date.
    var hasOutdatedObjects: Bool { registries.contains { $0.table.outdatedCount > 0 } }
    /// Objects that relationships led to recently. They are kept alive so that iterating over a list does not read
    /// the same few objects repeatedly.
    var recent = RecentObjects()
    /// The related objects that the last request for an entity has prefetched, by the position of the entity.
    var prefetched: [Int: [ManagedObject]] = [:]

    /// Creates a context without changes. The context keeps its coordinator.
    public init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
        parent = nil
        related = coordinator.model.relatedDerivations.map { RelatedChanges($0) }
        historyReader = coordinator.history.contextBegins()
        makeRegistries(upTo: 0)
    }

    /// Creates a child of a context, for changes that are kept or discarded together, such as those of a form.
    ///
    /// The child sees the state of its parent with the parent's unsaved changes, in objects of its own. Its `save`
    /// checks its changes and makes them unsaved changes of the parent. Nothing is in the store until the context
    /// without a parent saves. A child that is released or rolled back leaves the parent as it is.
    ///
    /// An object that the parent changes is up to date when the next fetch or relationship leads to it. If both change
    /// the same object, the child's `save` applies its `conflictPolicy`, as between two contexts.
    ///
    /// The child keeps its parent and belongs to the same queue. It has no direct saves, such as `updateAll`, and no
    /// streams.
    public init(parent: ManagedObjectContext) {
        coordinator = parent.coordinator
        self.parent = parent
        related = coordinator.model.relatedDerivations.map { RelatedChanges($0) }
        historyReader = coordinator.history.contextBegins()
        makeRegistries(upTo: 0)
        ancestorObservations = observeAncestors()
    }

    deinit {
        if coordinator.isWriter(self) { coordinator.abandonWriter() }
        coordinator.history.contextEnds(historyReader)
        for registry in registries { registry.forgetContext() }
    }

    /// The model of the coordinator.
    public var model: ManagedObjectModel { coordinator.model }

    /// Whether a save would change the store.
    public var hasChanges: Bool {
        !pairs.isEmpty || tracked.contains(where: \.hasChanges)
    }

    /// The objects that the next save inserts.
    public var insertedObjects: [ManagedObject] { tracked.filter(\.isInserted) }

    /// The objects of which the next save changes the row or a many-to-many relationship.
    public var updatedObjects: [ManagedObject] { tracked.filter(\.isUpdated) }

    /// The objects that the next save deletes.
    public var deletedObjects: [ManagedObject] { tracked.filter { $0.state == .deleted } }

    /// The inserted, updated and deleted objects, in the order of their first change.
    public var changedObjects: [ManagedObject] { tracked.filter(\.hasChanges) }

    /// Calls `handler` at each change of an object of this context, after each save, and after each rollback and
    /// merge, until the observation is cancelled or released.
    public func observe(_ handler: @escaping (ContextEvent) -> Void) -> ObservationToken {
        observers.add(handler)
    }

    /// Calls `handler` when a save begins, until the observation is cancelled or released.
    ///
    /// Changes that the handler makes are saved, too. If it throws an error, `save` throws this error and saves
    /// nothing, and the context keeps all its changes. The handler must neither save this context nor roll it back. If it
    /// does, `save` throws a ``StoreError`` of the code `misuse`.
    public func beforeSave(_ handler: @escaping () throws -> Void) -> ObservationToken {
        saveHandlers.add(handler)
    }

    // MARK: - Implementation

    /// Runs a read in a place that cannot throw. If the read fails, returns `nil`, and the next `save` throws.
    func reading<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            recordFailure(error)
            return nil
        }
    }

    func recordFailure(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// A number that grows whenever the known IDs of to-many relationships become invalid, also by a save of another
    /// context.
    var relatedEpoch: Int { voidings + coordinator.history.saves - ownSaves }

    func forgetFailure() {
        failure = nil
    }

    /// Marks the objects in memory that other contexts have saved since the last call.
    // Inlined, because each step along a relationship calls it.
    @inline(__always)
    func noticeOtherSaves() {
        if historyReader.position != coordinator.history.end { readHistory() }
    }

    private func readHistory() {
        let history = coordinator.history
        if history.hasMissedEntries(historyReader) {
            for object in registries.lazy.flatMap(\.table.objects)
            where object.isInStore && object.freshness == .current {
                object.freshness = .doubtful
            }
        }
        for entry in history.newEntries(for: historyReader) {
            let position = Int(entry.store) * model.entities.count + Int(entry.entity)
            guard position < registries.count, let object = registries[position].table[entry.id],
                object.isInStore
            else { continue }
            // The saved changes may be those that a child has seen in its parent.
            if !entry.isDoubt, parent == nil {
                object.freshness = .outdated
            } else if object.freshness == .current {
                object.freshness = .doubtful
            }
        }
        history.advance(historyReader)
    }

    /// Skips the history entries that this context has just added.
    func skipOwnHistory() {
        coordinator.history.advance(historyReader)
    }

    func registry(of entity: Entity, at store: Int) -> ObjectRegistry {
        let position = store &* model.entities.count &+ entity.index
        if position >= registries.count { makeRegistries(upTo: store) }
        return registries[position]
    }

    /// Returns the registry of the objects that a relationship of `object` can lead to. They are in the same store.
    func registry(ofEntityAt index: Int, besides object: ManagedObject) -> ObjectRegistry {
        registries[object.storePosition &* model.entities.count &+ index]
    }

    /// Adds the registries of all stores up to a position. A store may be added after the context was created.
    private func makeRegistries(upTo store: Int) {
        let first = registries.count / max(model.entities.count, 1)
        for position in first..<store + 1 {
            let identifier = position == 0 ? nil : coordinator.places[position].identifier
            registries += model.entities.map { entity in
                let registry = ObjectRegistry(
                    entity: entity, context: self, store: position, storeIdentifier: identifier)
                for member in model.members[entity.index] { registry.add(member) }
                return registry
            }
        }
    }

    func entity(_ request: FetchRequest<some ManagedObject>) throws -> Entity {
        try entity(of: type(of: request).objectClass, named: request.entityName)
    }

    /// Returns the entity with the given name, or the only entity of the class if there is no name.
    func entity(of objectClass: ManagedObject.Type, named name: String?) throws -> Entity {
        if let name {
            guard let entity = model.entity(named: name) else {
                throw FetchError(.unknownEntity, "the model has no entity \(name)")
            }
            guard objectClass == ManagedObject.self || entity.description.managedObjectClass == objectClass
            else {
                throw FetchError(.unknownEntity, "the objects of \(name) are not of the class \(objectClass)")
            }
            return entity
        }
        if let lastEntity, lastEntity.objectClass == objectClass { return lastEntity.entity }
        guard let entity = model.entity(of: objectClass) else {
            throw FetchError(
                .unknownEntity, "the model has no entity of the class \(objectClass); name the entity")
        }
        lastEntity = (objectClass, entity)
        return entity
    }
}

extension FetchRequest {
    fileprivate static var objectClass: ManagedObject.Type { Object.self }
}

/// An event that a context reports to its observers.
public enum ContextEvent {
    /// An object was inserted.
    case inserted(ManagedObject)
    /// A property of the object was changed.
    case changed(ManagedObject, property: String)
    /// An object was deleted. It is not saved yet.
    case deleted(ManagedObject)
    /// The changes are saved and durable. In a child context, they are changes of its parent now.
    case saved(SavedChanges)
    /// All unsaved changes were discarded.
    case rolledBack
    /// Changes that another coordinator saved were merged into the context.
    case merged(SavedChanges)
}
