/// Stands between the contexts of one model and the store that keeps their objects.
///
/// A coordinator, its contexts and their objects belong to one queue. None of them is `Sendable`, so the
/// compiler keeps them there.
public final class PersistentStoreCoordinator {
    public let model: ManagedObjectModel
    public private(set) var store: (any PersistentStore)?
    /// The last id that was given out, of each entity; nil until the first is wanted.
    private var lastIDs: [Int64?]
    /// The context whose unsaved changes stand in the open transaction, so that its fetches see them. A
    /// context that goes away takes itself out.
    private unowned(unsafe) var writer: ManagedObjectContext?
    /// Set while `batch` runs.
    var batch: Batch?
    let history = ChangeHistory()
    let observers = ObserverList<SavedChanges>()

    public init(model: ManagedObjectModel) {
        self.model = model
        lastIDs = Array(repeating: nil, count: model.entities.count)
    }

    deinit {
        store?.close()
    }

    /// Adds a store that is open already: one of your own kind.
    public func addStore(_ store: any PersistentStore) throws {
        guard self.store == nil else {
            throw StoreError(
                .other, "the coordinator has a store already; make another coordinator for this one")
        }
        self.store = store
    }

    /// Closes the store and goes on with one that holds the same.
    func replaceStore(with store: any PersistentStore) {
        self.store?.close()
        self.store = store
    }

    /// Closes the store; the contexts cannot read or save any more.
    public func close() {
        abandonWriter()
        store?.close()
        store = nil
    }

    /// Calls `handler` after each save that is on disk, whichever context made it, until the observation
    /// is cancelled or gone.
    public func observeSaves(_ handler: @escaping (SavedChanges) -> Void) -> Observation {
        observers.add(handler)
    }

    func openStore() throws -> any PersistentStore {
        guard let store else {
            throw StoreError(.noStore, "the coordinator has no store; add one before the objects are used")
        }
        return store
    }

    /// An id that no object of the entity has or had.
    func nextID(of entity: Entity) throws -> Int64 {
        let last = try lastIDs[entity.index] ?? openStore().largestID(of: entity)
        lastIDs[entity.index] = last + 1
        return last + 1
    }

    /// Gives no id up to that one to a new object.
    func reserveIDs(of entity: Entity, upTo id: Int64) throws {
        lastIDs[entity.index] = max(try lastIDs[entity.index] ?? openStore().largestID(of: entity), id)
    }

    // MARK: - Whose transaction is open

    func isWriter(_ context: ManagedObjectContext) -> Bool {
        writer === context
    }

    /// Opens a level of transaction for the unsaved changes of `context`, unless it has one.
    func openTransaction(for context: ManagedObjectContext) throws {
        guard writer !== context else { return }
        abandonWriter()
        try openLevel()
        writer = context
    }

    /// Opens a level of transaction; the first of a batch stands inside of the batch's own.
    func openLevel() throws {
        let store = try openStore()
        try batch?.open(store)
        try store.begin()
    }

    /// Keeps what the context wrote.
    func commitTransaction(of context: ManagedObjectContext) throws {
        precondition(writer === context, "only the context with the open transaction commits it")
        try openStore().commit()
        writer = nil
    }

    /// Takes back what another context wrote without saving, so that `context` neither sees nor saves it.
    func enter(_ context: ManagedObjectContext) {
        if writer !== context { abandonWriter() }
    }

    /// Takes back what a context wrote without saving; the context writes it again when it needs to.
    func abandonWriter() {
        guard let writer else { return }
        self.writer = nil
        store?.rollback()
        writer.forgetWritten()
    }

    /// The open transaction cannot go on after `error`. When the store gave up all levels, the saves of a
    /// batch are lost with it.
    func transactionFailed(_ error: any Error) {
        abandonWriter()
        if let batch, store?.transactionDepth == 0 { batch.fail(error) }
    }
}
