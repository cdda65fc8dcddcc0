/// The format in which a store keeps its objects.
public enum StoreKind: String, Hashable, Sendable, CaseIterable {
    /// An SQLite database.
    case sqlite
    /// A document in the format of Core Data's XML stores. While it is open, all of it is in memory.
    case xml
    /// A compact binary file. While it is open, all of it is in memory.
    case binary
    /// Memory only. The objects do not outlive the store.
    case memory
}

/// The kind, the path and the access mode of a store that a coordinator's `addStore` opens.
public struct StoreConfiguration: Hashable, Sendable {
    public let kind: StoreKind
    /// The path of the file, or `nil` for a store in memory.
    public let path: String?
    /// Whether the store is opened read-only.
    ///
    /// A read-only store must exist and have the coordinator's model. Nothing in it or in its directory is ever
    /// written. Saving a change of its objects is an error.
    public let isReadOnly: Bool

    /// Creates a configuration for a store in a file.
    ///
    /// A missing file and missing directories are created with access for the owner only. For a store in memory,
    /// `path` and `readOnly` are ignored.
    public init(_ kind: StoreKind, path: String, readOnly: Bool = false) {
        self.kind = kind
        self.path = kind == .memory ? nil : path
        isReadOnly = kind == .memory ? false : readOnly
    }

    public static func sqlite(path: String, readOnly: Bool = false) -> Self {
        Self(.sqlite, path: path, readOnly: readOnly)
    }

    public static func xml(path: String, readOnly: Bool = false) -> Self {
        Self(.xml, path: path, readOnly: readOnly)
    }

    public static func binary(path: String, readOnly: Bool = false) -> Self {
        Self(.binary, path: path, readOnly: readOnly)
    }

    public static var memory: Self { Self(.memory, path: "") }

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

extension PersistentStoreCoordinator {
    /// Opens a store and adds it.
    ///
    /// - Parameter name: The configuration of the model that contains the entities of the store, or `nil` for all
    ///   entities.
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
