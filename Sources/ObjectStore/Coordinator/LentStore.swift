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

    /// Makes the contexts see the changes that were saved in the store that is lent, and reports them to the observers.
    ///
    /// A read that fails is no error: what cannot be read now is read when it is needed.
    ///
    /// - Parameter contexts: all contexts of this coordinator. None of them may have unsaved changes: the ids of its new
    ///   objects may have been given to others.
    /// - Throws: a ``StoreError`` if a context has unsaved changes, and then changes nothing.
    public func merge(_ changes: SavedChanges, into contexts: [ManagedObjectContext]) throws {
        precondition(isLent, "changes are merged while the store is lent")
        if let unsaved = contexts.first(where: \.hasChanges) {
            let name = unsaved.changedObjects.first.map { ", such as \($0.objectID)" } ?? ""
            throw StoreError(
                .other,
                "a context has unsaved changes\(name); nothing was merged, roll the context back and merge again"
            )
        }
        for place in places { (place.store as? SQLiteStore)?.seePresentState() }
        forgetLastIDs()
        history.distrustObjects()
        for context in contexts {
            context.refreshAllReadable()
            context.observers.tell(.merged(changes))
        }
        observers.tell(changes)
    }

    /// Ends the loan: the contexts can save again.
    public func takeBack() {
        for place in places { (place.store as? SQLiteStore)?.takeBack() }
    }
}
