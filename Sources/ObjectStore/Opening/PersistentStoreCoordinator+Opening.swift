extension PersistentStoreCoordinator {
    /// Opens a store and adds it.
    ///
    /// - Parameters:
    ///   - store: The store, which is created if it does not exist and is not read-only.
    ///   - name: The configuration of the model that contains the entities of the store, or `nil` for all entities.
    /// - Throws: A `StoreError`. If the store has an older model, the error names both versions, and the store does
    ///   not change.
    public func addStore(_ store: StoreConfiguration, configuration name: String? = nil) throws {
        _ = try entities(ofConfiguration: name)
        let opened = try store.open(model)
        do {
            try addStore(opened, configuration: name)
        } catch {
            opened.close()
            throw error
        }
    }

    /// Opens a store and adds it. A store of an older model is migrated first.
    ///
    /// - Returns: A report of the migration, or `nil` if there was none.
    /// - Throws: A `StoreError` if the store is newer, damaged or of an unknown model, or a `MappingError` if no
    ///   mapping leads to the model. Throws a `ValidationError` if the new model does not allow some rows, which the
    ///   error names. Errors of a policy are thrown, too. In all these cases the store does not change.
    @discardableResult
    public func addStore(
        _ store: StoreConfiguration, configuration name: String? = nil, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        let report = try store.migrate(model, migration, isForecast: false)
        try addStore(store, configuration: name)
        return report
    }

    /// Returns a report of the migration that `addStore` would perform, or `nil` if there is no store or no need for
    /// one. Nothing is written.
    public func forecast(
        _ configuration: StoreConfiguration, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        try configuration.migrate(model, migration, isForecast: true)
    }
}
