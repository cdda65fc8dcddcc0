/// In what a store keeps its objects.
public enum StoreKind: String, Hashable, Sendable, CaseIterable {
    /// An SQLite database.
    case sqlite
    /// The document format of Core Data's own XML stores, held in memory as a whole while it is open.
    case xml
    /// A compact file, held in memory as a whole while it is open.
    case binary
    /// Nothing that outlives the store.
    case memory
}

/// Which store to open, and how: what `addStore` of a coordinator takes.
public struct StoreConfiguration: Hashable, Sendable {
    public let kind: StoreKind
    /// The file; nil in memory.
    public let path: String?
    /// Whether the store is only read: it has to be there and of the coordinator's model, and nothing of it or
    /// in its directory is ever written. Saving a change of its objects is an error.
    public let isReadOnly: Bool

    /// A store in a file. A missing file, and the directories to it, are made for the owner alone.
    ///
    /// What is in memory only has no path, and would be empty if it could not be written.
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
    /// - Parameter new: the store to make if there is none.
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

    /// The store's description of itself, or `nil` if there is no store. Nothing is written.
    public func storedMetadata() throws -> StoreMetadata? {
        try migratingStore?.metadata(among: [])
    }

    /// How a file that is written whole is read and written; nil for what is no such file.
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

    /// Brings a store of an older model to this one, or only says what that would take. Nil when there is
    /// nothing to do.
    func migrate(
        _ model: ManagedObjectModel, _ migration: StoreMigration, isForecast: Bool
    ) throws -> MigrationReport? {
        guard let store = migratingStore else { return nil }
        if isReadOnly {
            // What is only read is not migrated: one of an older model is refused when it is opened.
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
    /// A store of an older model is an error that names both versions, and stays as it is.
    ///
    /// - Parameter configuration: the configuration of the model whose entities the store is for; nil for all.
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

    /// Opens a store and adds it; one of an older model is migrated first.
    ///
    /// - Returns: what the migration did; nil when there was none.
    /// - Throws: a `StoreError` for a store that is newer, damaged or of an unknown model, a `MappingError` when
    ///   no mapping leads to the model, a `ValidationError` that names the rows which the new model does not
    ///   allow, or what a policy throws. Then the store is as it was.
    @discardableResult
    public func addStore(
        _ store: StoreConfiguration, configuration name: String? = nil, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        let report = try store.migrate(model, migration, isForecast: false)
        try addStore(store, configuration: name)
        return report
    }

    /// What `addStore` would migrate, with nothing written; nil when there is no store, or it needs no migration.
    public func forecast(
        _ configuration: StoreConfiguration, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        try configuration.migrate(model, migration, isForecast: true)
    }
}
