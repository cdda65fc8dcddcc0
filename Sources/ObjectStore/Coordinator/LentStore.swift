/// A store that its coordinator has lent for a change that takes long, to be made on another queue.
public struct LentStore: Sendable {
    let path: String
    let model: ManagedObjectModel
    let lock: LockFile
    let damageRecord: DamageRecord

    /// Opens the store for writing, with a coordinator that belongs to the queue which calls. Close it before the store
    /// is taken back.
    public func open() throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(SQLiteStore(self))
        return coordinator
    }
}

extension PersistentStoreCoordinator {
    /// Lends the store, so that a change that takes long can be made on another queue while the contexts of this
    /// coordinator go on reading.
    ///
    /// What they read is the state of now, whatever is saved meanwhile, until `merge` or `takeBack`. What they save is
    /// refused with a `StoreError` of the code `locked` until `takeBack`.
    ///
    /// - Returns: nil when there is nothing that can be lent: only a single store in an SQLite database can.
    public func lend() throws -> LentStore? {
        precondition(batch == nil && !isLent, "a store is lent outside of a batch, and to one at a time")
        guard places.count == 1, let store = places[0].store as? SQLiteStore else { return nil }
        abandonWriter()
        return try store.lend()
    }

    /// Whether a store is lent.
    public var isLent: Bool { places.contains { ($0.store as? SQLiteStore)?.isLent ?? false } }

    /// Has the contexts see what was saved in the store that is lent, and tells the observers of it. The contexts are all
    /// that this coordinator has; none of them has unsaved changes.
    public func merge(_ changes: SavedChanges, into contexts: [ManagedObjectContext]) throws {
        precondition(isLent && !contexts.contains(where: \.hasChanges), "unsaved changes cannot be merged")
        for place in places { try (place.store as? SQLiteStore)?.seePresentState() }
        forgetLastIDs()
        history.distrustObjects()
        for context in contexts {
            try context.refreshAll()
            context.observers.tell(.merged(changes))
        }
        observers.tell(changes)
    }

    /// Ends the loan: the contexts can save again.
    public func takeBack() {
        for place in places { (place.store as? SQLiteStore)?.takeBack() }
    }
}
