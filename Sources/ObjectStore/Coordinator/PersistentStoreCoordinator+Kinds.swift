extension PersistentStoreCoordinator {
    /// Rewrites the store as one of another kind, and goes on with that one. Nothing is lost: ids, relationships
    /// and metadata stay as they are, and so do the objects of the contexts.
    ///
    /// There must be no file at the path of the new store. The file is built under another name, and gets its own when
    /// all of it is on disk: after a crash there is the whole new store or none. When anything fails, the coordinator
    /// keeps the old store. The old file stays where it is, closed.
    @discardableResult
    public func migrate(
        store: any PersistentStore, to configuration: StoreConfiguration
    ) throws -> any PersistentStore {
        let place = try placeToMigrate(store)
        guard !configuration.isReadOnly else {
            throw StoreError(
                .readOnly, "the new store has to be written; choose a configuration that is not read-only",
                path: configuration.path)
        }
        let new = try configuration.open(
            model, making: NewStore(identifier: store.metadata.identifier) { try self.copy(store, into: $0) })
        place.replaceStore(by: new)
        return new
    }

    /// Rewrites the store as one that is open already, empty, and of the same model, such as one of your own
    /// kind. It keeps the identifier that it has; the coordinator and its contexts go on naming the objects by the
    /// identifier of the store that was there before.
    public func migrate(store: any PersistentStore, to new: any PersistentStore) throws {
        let place = try placeToMigrate(store)
        try copy(store, into: new)
        place.replaceStore(by: new)
    }

    private func placeToMigrate(_ store: any PersistentStore) throws -> StorePlace {
        guard let place = places.first(where: { $0.store === store }) else {
            throw StoreError(
                .noStore, "the store is not one of the coordinator; add it before it is migrated")
        }
        guard batch == nil else {
            throw StoreError(.other, "a store cannot be migrated inside of a batch; do it afterwards")
        }
        abandonWriter()
        return place
    }

    private func copy(_ store: any PersistentStore, into new: any PersistentStore) throws {
        try StoreCopy(model: model, source: store, destination: new).run()
    }
}
