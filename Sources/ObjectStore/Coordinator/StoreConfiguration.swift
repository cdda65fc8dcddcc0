/// Which store to open, and how: what `addStore` of a coordinator takes.
public struct StoreConfiguration: Sendable {
    let open: @Sendable (ManagedObjectModel) throws -> any PersistentStore
    /// Brings a store of an older model to this one, or only says what that would take. Nil when there is
    /// nothing to do.
    let migrate: @Sendable (ManagedObjectModel, StoreMigration, _ isForecast: Bool) throws -> MigrationReport?

    /// A store in an SQLite database. A missing file, and the directories to it, are made for the owner alone.
    public static func sqlite(path: String) -> Self {
        Self { model in
            try SQLiteStore(path: path, model: model)
        } migrate: { model, migration, isForecast in
            let migrator = SQLiteMigrator(path: path, model: model, migration)
            return try isForecast ? migrator.forecast() : migrator.migrate()
        }
    }
}

extension PersistentStoreCoordinator {
    /// Opens a store and adds it.
    ///
    /// A store of an older model is an error that names both versions, and stays as it is.
    public func addStore(_ configuration: StoreConfiguration) throws {
        try addStore(configuration.open(model))
    }

    /// Opens a store and adds it; one of an older model is migrated first.
    ///
    /// - Returns: what the migration did; nil when there was none.
    /// - Throws: a `StoreError` for a store that is newer, damaged or of an unknown model, a `MappingError` when
    ///   no mapping leads to the model, a `ValidationError` that names the rows which the new model does not
    ///   allow, or what a policy throws. Then the store is as it was.
    @discardableResult
    public func addStore(
        _ configuration: StoreConfiguration, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        let report = try configuration.migrate(model, migration, false)
        try addStore(configuration)
        return report
    }

    /// What `addStore` would migrate, with nothing written; nil when there is no store, or it needs no migration.
    public func forecast(
        _ configuration: StoreConfiguration, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        try configuration.migrate(model, migration, true)
    }
}
