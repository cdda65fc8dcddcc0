/// A background writer's access to a store, for a long change on another queue.
public struct LentStore: Sendable {
    let path: String
    let model: ManagedObjectModel
    let lock: LockFile
    let damageRecord: DamageRecord

    /// Opens the store for writing, with a coordinator that belongs to the calling queue. Close the coordinator
    /// before `takeBack` is called.
    public func open() throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(SQLiteStore(self))
        return coordinator
    }
}

extension PersistentStoreCoordinator {
    /// Gives the store's write lock to a background writer, so that a long change can run on another queue while the
    /// contexts of this coordinator continue to read.
    ///
    /// The contexts read the current state until `merge` or `takeBack`, regardless of later saves. Until `takeBack`,
    /// their saves fail with a `StoreError` of the code `locked`.
    ///
    /// - Returns: The background writer's access, or `nil` if the coordinator does not have exactly one store, or if
    ///   that store is not a writable SQLite database that other connections can read.
    public func lend() throws -> LentStore? {
        precondition(batch == nil && !isLent, "a store is lent outside of a batch, and to one at a time")
        guard places.count == 1, let store = places[0].store as? SQLiteStore else { return nil }
        abandonWriter()
        return try store.lend()
    }

    /// Whether a background writer has the write lock of a store.
    public var isLent: Bool { places.contains { ($0.store as? SQLiteStore)?.isLent ?? false } }

    /// Makes the contexts see the changes that a background writer has saved, and reports them to the observers.
    ///
    /// A read that fails is not an error: the object is read again when it is needed.
    ///
    /// - Parameter contexts: All contexts of this coordinator. They must not have unsaved changes, because the
    ///   background writer may have used the IDs of their new objects.
    /// - Throws: A ``StoreError`` if a context has unsaved changes. Nothing changes then.
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

    /// Takes the write lock back from the background writer. The contexts can save again.
    public func takeBack() {
        for place in places { (place.store as? SQLiteStore)?.takeBack() }
    }
}
