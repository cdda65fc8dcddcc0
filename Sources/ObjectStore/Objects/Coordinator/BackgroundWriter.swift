/// The right to write a store on another queue, while the coordinator that gave it goes on reading.
public struct BackgroundWriter: Sendable {
    let model: ManagedObjectModel
    let openStore: @Sendable () throws -> any PersistentStore

    /// Opens the store for writing, with a coordinator that belongs to the calling queue. Close the coordinator before
    /// ``PersistentStoreCoordinator/endBackgroundWrite()``.
    public func open() throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(openStore())
        return coordinator
    }
}

extension PersistentStoreCoordinator {
    /// Gives the store's write lock to a background writer, so that a long change can run on another queue while the
    /// contexts of this coordinator continue to read.
    ///
    /// The contexts read the current state until `merge` or `endBackgroundWrite`, regardless of later saves. Until
    /// `endBackgroundWrite`, their saves fail with a `StoreError` of the code `backgroundWriter`.
    ///
    /// - Returns: The background writer's access, or `nil` if the coordinator does not have exactly one store, or if
    ///   that store is not a writable SQLite database that other connections can read.
    /// - Throws: A ``StoreError``. Its code is `misuse` inside of a batch, or while there is a background writer.
    public func beginBackgroundWrite() throws -> BackgroundWriter? {
        guard batch == nil else {
            throw StoreError(
                .misuse, "a background write cannot begin inside of a batch; begin it afterwards")
        }
        guard !hasBackgroundWriter else {
            throw StoreError(
                .misuse, "there is a background writer already; end its write before the next one begins")
        }
        guard places.count == 1, let store = places[0].background else { return nil }
        abandonWriter()
        let model = model
        return try store.beginBackgroundWrite().map { BackgroundWriter(model: model, openStore: $0) }
    }

    /// Whether a background writer has the write lock of a store.
    public var hasBackgroundWriter: Bool {
        places.contains { $0.background?.hasBackgroundWriter ?? false }
    }

    /// Makes the contexts see the changes that a background writer has saved, and reports them to the observers.
    ///
    /// A read that fails is not an error: the object is read again when it is needed.
    ///
    /// - Parameters:
    ///   - changes: The changes that the observers of the background writer's coordinator were given.
    ///   - contexts: All contexts of this coordinator. They must not have unsaved changes, because the
    ///     background writer may have used the IDs of their new objects.
    /// - Throws: A ``StoreError`` of the code `misuse` if a context has unsaved changes, or if there is no background
    ///   writer. Nothing changes then.
    public func merge(_ changes: SavedChanges, into contexts: [ManagedObjectContext]) throws {
        guard hasBackgroundWriter else {
            throw StoreError(
                .misuse, "there is no background writer; merge its changes before endBackgroundWrite")
        }
        if let unsaved = contexts.first(where: \.hasChanges) {
            let name = unsaved.changedObjects.first.map { ", such as \($0.objectID)" } ?? ""
            throw StoreError(
                .misuse,
                "a context has unsaved changes\(name); nothing was merged, roll the context back and merge again"
            )
        }
        for place in places { place.background?.readSavedState() }
        forgetLastIDs()
        history.distrustObjects()
        for context in contexts {
            context.refreshReadable()
            context.observers.notify(.merged(changes))
        }
        observers.notify(changes)
        reportToLiveResults(.saved(changes, by: nil, isDirect: true))
        reportToLiveResults(.settled)
    }

    /// Takes the write lock back from the background writer. The contexts can save again.
    public func endBackgroundWrite() {
        for place in places { place.background?.endBackgroundWrite() }
    }
}
