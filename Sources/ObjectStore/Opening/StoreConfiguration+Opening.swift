extension StoreConfiguration {
    /// Opens the store.
    ///
    /// - Parameter new: The store to create if there is none.
    package func open(
        _ model: ManagedObjectModel, making new: NewStore = NewStore()
    ) throws -> any PersistentStore {
        let store = try kind.open(self, model, new)
        if let lockTimeout { store.waitForLocks(seconds: lockTimeout) }
        return store
    }

    /// Returns the store's description of itself, or `nil` if there is no store. Nothing is written.
    public func storedMetadata() throws -> StoreMetadata? {
        guard let migrator = kind.migrator else { return try file?.metadata(among: []) }
        let transaction = try migrator(self)
        defer { transaction.close() }
        return try transaction.metadata()
    }

    /// Migrates a store of an older model, or only forecasts the migration.
    ///
    /// - Returns: A report of the migration, or `nil` if there is nothing to do.
    func migrate(
        _ model: ManagedObjectModel, _ migration: StoreMigration, isForecast: Bool
    ) throws -> MigrationReport? {
        guard file != nil || kind.migrator != nil else { return nil }
        if isReadOnly {
            // A read-only store is not migrated. If it has an older model, opening it fails.
            if isForecast { try open(model).close() }
            return nil
        }
        if let migrator = kind.migrator {
            let transaction = try migrator(self)
            defer { transaction.close() }
            let migrator = DatabaseMigrator(transaction, to: model, migration)
            return try isForecast ? migrator.forecast() : migrator.migrate()
        }
        guard let file else { return nil }
        // The migration locks the store alone, so programs that share a store of the model do not begin one.
        if isShared, try file.metadata(among: [])?.versionHash == model.versionHash { return nil }
        let migrator = StoreMigrator(file, to: model, migration)
        return try isForecast ? migrator.forecast() : migrator.migrate()
    }
}
