/// Where a program works with objects: it reads them, changes them, and saves all changes or none.
///
/// A context belongs to one queue, like its coordinator and its objects. There is one object for each id.
/// The context holds the objects that have unsaved changes; it knows the others, but does not keep them
/// alive.
///
/// Fetches see unsaved changes: the context writes them to the store's open transaction first, where they
/// stay invisible to everybody else until they are saved.
public final class ManagedObjectContext {
    /// What to do when another context saved an object that this one saves too.
    public enum ConflictPolicy: Hashable, Sendable {
        /// `save` throws a `ConflictError` and saves nothing.
        case error
        /// The properties that this context changed win; of the others the saved ones stay.
        case mineWins
        /// The properties that the other context changed win; the other changes of this one are saved.
        case theirsWins
    }

    /// One pair of a many-to-many relationship.
    struct PairKey: Hashable {
        /// The position of the store.
        let store: Int
        let link: Int
        let ownerID: Int64
        let otherID: Int64
    }

    public let coordinator: PersistentStoreCoordinator
    public var conflictPolicy: ConflictPolicy = .error
    /// Whether the objects come from a migration. It keeps values that are there twice, its references are checked when
    /// all objects are there, and what a class does to its objects is not meant for those.
    var isMigrating = false
    /// The first read that failed inside of a property, where nothing can be thrown. `save` throws it until
    /// the context is rolled back.
    public private(set) var failure: (any Error)?

    /// Those of the first store in the order of the model's entities, then those of the second one.
    private(set) var registries: [ObjectRegistry] = []
    /// The objects that were changed, in the order of their first change.
    var tracked: [ManagedObject] = []
    /// The pairs of many-to-many relationships that were added (true) or removed.
    var pairs: [PairKey: Bool] = [:]
    /// Those among the changes that the open transaction does not have yet.
    var unwrittenObjects: [ManagedObject] = []
    var unwrittenPairs: [(key: PairKey, isAdded: Bool)] = []
    /// How many of the coordinator's saves were this context's own.
    var ownSaves = 0
    /// How often this context itself made void what it knew of to-many relationships.
    var voidings = 0
    let observers = ObserverList<ContextEvent>()
    let undoLog = UndoLog()
    private let historyReader: ChangeHistory.Reader
    /// Whether an object in memory may not be current.
    var hasOutdatedObjects: Bool { registries.contains { $0.outdatedCount > 0 } }
    /// Objects that a relationship led to lately: kept, so that walking over a list does not read the same
    /// few objects again and again.
    var recent = RecentObjects()

    public init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
        historyReader = coordinator.history.contextBegins()
        makeRegistries(upTo: 0)
    }

    deinit {
        if coordinator.isWriter(self) { coordinator.abandonWriter() }
        coordinator.history.contextEnds(historyReader)
        for registry in registries { registry.context = nil }
    }

    public var model: ManagedObjectModel { coordinator.model }

    /// Whether a save would change the store.
    public var hasChanges: Bool {
        !pairs.isEmpty || tracked.contains(where: \.hasChanges)
    }

    /// The objects that the next save puts into the store.
    public var insertedObjects: [ManagedObject] { tracked.filter(\.isInserted) }

    /// The objects that the next save changes: their rows, or many-to-many relationships of theirs.
    public var updatedObjects: [ManagedObject] { tracked.filter(\.isUpdated) }

    /// The objects that the next save takes out of the store.
    public var deletedObjects: [ManagedObject] { tracked.filter { $0.state == .deleted } }

    /// All of these together, in the order of their first change.
    public var changedObjects: [ManagedObject] { tracked.filter(\.hasChanges) }

    /// Calls `handler` at every change of an object of this context, before and after its saves, and after its
    /// rollbacks.
    public func observe(_ handler: @escaping (ContextEvent) -> Void) -> Observation {
        observers.add(handler)
    }

    // MARK: - Inside

    /// Runs a read whose failure cannot be thrown where it happens; `save` throws it.
    func reading<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            noteFailure(error)
            return nil
        }
    }

    func noteFailure(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Grows whenever what is known of to-many relationships becomes void: by a save of another context too.
    var relatedEpoch: Int { voidings + coordinator.history.saves - ownSaves }

    func forgetFailure() {
        failure = nil
    }

    /// Marks the objects in memory that other contexts have saved since this was called last.
    // Inlined, because it is asked for at each step along a relationship.
    @inline(__always)
    func learnOfOtherSaves() {
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
            object.freshness = .outdated
        }
        history.advance(historyReader)
    }

    /// Leaves the entries out that this context has just made itself.
    func skipOwnHistory() {
        coordinator.history.advance(historyReader)
    }

    func registry(of entity: Entity, at store: Int) -> ObjectRegistry {
        let position = store &* model.entities.count &+ entity.index
        if position >= registries.count { makeRegistries(upTo: store) }
        return registries[position]
    }

    /// Of the objects that a relationship of the object can lead to: they are in its store.
    func registry(ofEntityAt index: Int, besides object: ManagedObject) -> ObjectRegistry {
        registries[object.home.store &* model.entities.count &+ index]
    }

    /// A store may be added when there is a context already.
    private func makeRegistries(upTo store: Int) {
        let first = registries.count / max(model.entities.count, 1)
        for position in first..<store + 1 {
            let identifier = position == 0 ? nil : coordinator.places[position].identifier
            registries += model.entities.map {
                ObjectRegistry(entity: $0, context: self, store: position, storeIdentifier: identifier)
            }
        }
    }

    func entity(_ request: FetchRequest<some ManagedObject>) throws -> Entity {
        try entity(of: type(of: request).objectClass, named: request.entityName)
    }

    /// The entity of a class, or of a name where the class does not tell it.
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
        guard let entity = model.entity(of: objectClass) else {
            throw FetchError(
                .unknownEntity, "the model has no entity of the class \(objectClass); name the entity")
        }
        return entity
    }
}

extension FetchRequest {
    fileprivate static var objectClass: ManagedObject.Type { Object.self }
}

/// What happened to the objects of a context.
public enum ContextEvent {
    case inserted(ManagedObject)
    /// A property of the object got another value.
    case changed(ManagedObject, property: String)
    case deleted(ManagedObject)
    /// A save begins. What an observer changes now is saved with the rest.
    case willSave
    /// The changes are on disk.
    case saved(SavedChanges)
    case rolledBack
    /// What another coordinator has saved is here.
    case merged(SavedChanges)
}
