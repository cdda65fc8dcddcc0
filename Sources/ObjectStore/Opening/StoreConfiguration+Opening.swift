extension StoreConfiguration {
    /// Opens the store.
    ///
    /// - Parameter new: The store to create if there is none.
    func open(_ model: ManagedObjectModel, making new: NewStore = NewStore()) throws -> any PersistentStore {
        guard let path else {
            let store = MemoryStore(model: model, identifier: new.identifier)
            try new.fill(store)
            return store
        }
        if isReadOnly { return try openForReading(path, model) }
        return switch kind {
        case .sqlite: try SQLiteStore(path: path, model: model, making: new)
        case .xml: try FileStore(path: path, model: model, format: .xml, making: new)
        case .binary: try FileStore(path: path, model: model, format: .binary, making: new)
        case .memory: MemoryStore(model: model)
        }
    }

    /// Returns the store's description of itself, or `nil` if there is no store. Nothing is written.
    public func storedMetadata() throws -> StoreMetadata? {
        try migratingStore?.metadata(among: [])
    }

    /// The format of a file that is read and written as a whole, or `nil` for other stores.
    var fileFormat: (any StoreFormat)? {
        switch kind {
        case .xml: XMLFormat()
        case .binary: BinaryFormat()
        case .sqlite, .memory: nil
        }
    }

    private func openForReading(_ path: String, _ model: ManagedObjectModel) throws -> any PersistentStore {
        switch kind {
        case .sqlite: try SQLiteStore(path: path, model: model, readOnly: true)
        case .xml: try FileStore(path: path, model: model, format: .xml, readOnly: true)
        case .binary: try FileStore(path: path, model: model, format: .binary, readOnly: true)
        case .memory: MemoryStore(model: model)
        }
    }

    /// Migrates a store of an older model, or only forecasts the migration.
    ///
    /// - Returns: A report of the migration, or `nil` if there is nothing to do.
    func migrate(
        _ model: ManagedObjectModel, _ migration: StoreMigration, isForecast: Bool
    ) throws -> MigrationReport? {
        guard let store = migratingStore else { return nil }
        if isReadOnly {
            // A read-only store is not migrated. If it has an older model, opening it fails.
            if isForecast { try open(model).close() }
            return nil
        }
        let migrator = StoreMigrator(store, to: model, migration)
        return try isForecast ? migrator.forecast() : migrator.migrate()
    }

    private var migratingStore: (any MigratingStore)? {
        guard let path else { return nil }
        return switch kind {
        case .sqlite: MigratingSQLiteStore(path: path)
        case .xml: MigratingFileStore(path: path, format: XMLFormat())
        case .binary: MigratingFileStore(path: path, format: BinaryFormat())
        case .memory: nil
        }
    }
}
