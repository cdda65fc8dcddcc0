internal import Glibc

extension PersistentStoreCoordinator {
    /// Rewrites the store as one of another kind, and goes on with that one. Nothing is lost: ids, relationships
    /// and metadata stay as they are, and so do the objects of the contexts.
    ///
    /// The new store has to be new. When anything fails the coordinator keeps the old one, and a file that was
    /// made goes away. The old file stays where it is, closed.
    @discardableResult
    public func migrate(
        store: any PersistentStore, to configuration: StoreConfiguration
    ) throws -> any PersistentStore {
        let isNew = configuration.path.map { !FileSystem.exists($0) } ?? false
        let new = try configuration.open(model, identifier: store.metadata.identifier)
        do {
            try migrate(store: store, to: new)
        } catch {
            new.close()
            if isNew, let path = configuration.path {
                for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            }
            throw error
        }
        return new
    }

    /// Rewrites the store as one that is open already, empty, and of the same model, such as one of your own
    /// kind. It keeps the identifier that it has; the coordinator and its contexts go on naming the objects by the
    /// identifier of the store that was there before.
    public func migrate(store: any PersistentStore, to new: any PersistentStore) throws {
        guard let place = places.first(where: { $0.store === store }) else {
            throw StoreError(
                .noStore, "the store is not one of the coordinator; add it before it is migrated")
        }
        guard batch == nil else {
            throw StoreError(.other, "a store cannot be migrated inside of a batch; do it afterwards")
        }
        abandonWriter()
        try StoreCopy(model: model, source: store, destination: new).run()
        place.store.close()
        place.store = new
    }
}
