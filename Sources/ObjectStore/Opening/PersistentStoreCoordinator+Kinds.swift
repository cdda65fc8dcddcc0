extension PersistentStoreCoordinator {
    /// Copies a store into a new store of another kind, and replaces the store with the copy. IDs, relationships,
    /// metadata and the objects of the contexts are kept.
    ///
    /// There must be no file at the path of the new store. The file is written under another name and renamed when
    /// all of it is on disk. After a crash, there is either the complete new store or none. If the migration fails,
    /// the coordinator keeps the old store. Otherwise, the old file is closed and remains where it is.
    @discardableResult
    public func migrate(
        store: any PersistentStore, to configuration: StoreConfiguration
    ) throws -> any PersistentStore {
        let place = try placeToMigrate(store)
        guard !configuration.isReadOnly else {
            throw StoreError(
                .readOnly, "the new store must be writable; choose a configuration that is not read-only",
                path: configuration.path)
        }
        let new = try configuration.open(
            model, making: NewStore(identifier: store.metadata.identifier) { try self.copy(store, into: $0) })
        place.replaceStore(by: new)
        updateCapabilities()
        return new
    }

    /// Copies a store into another store that is already open, and replaces the store with the copy.
    ///
    /// The new store must be empty and of the same model. It may be of a kind that you implement. It keeps its own
    /// identifier, but the coordinator and its contexts still use the identifier of the old store in object IDs.
    public func migrate(store: any PersistentStore, to new: any PersistentStore) throws {
        let place = try placeToMigrate(store)
        try copy(store, into: new)
        place.replaceStore(by: new)
        updateCapabilities()
    }

    private func placeToMigrate(_ store: any PersistentStore) throws -> AddedStore {
        guard let place = places.first(where: { $0.store === store }) else {
            throw StoreError(
                .noStore, "the store is not one of the coordinator; add it before it is migrated")
        }
        guard batch == nil else {
            throw StoreError(.misuse, "a store cannot be migrated inside of a batch; do it afterwards")
        }
        abandonWriter()
        return place
    }

    private func copy(_ store: any PersistentStore, into new: any PersistentStore) throws {
        try StoreCopy(model: model, source: store, destination: new).run()
    }
}
