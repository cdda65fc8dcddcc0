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

    private init(_ kind: StoreKind, _ path: String?) {
        self.kind = kind
        self.path = path
    }

    /// A store in a file. A missing file, and the directories to it, are made for the owner alone.
    public init(_ kind: StoreKind, path: String) {
        self.init(kind, kind == .memory ? nil : path)
    }

    public static func sqlite(path: String) -> Self { Self(.sqlite, path: path) }

    public static func xml(path: String) -> Self { Self(.xml, path: path) }

    public static func binary(path: String) -> Self { Self(.binary, path: path) }

    public static var memory: Self { Self(.memory, nil) }

    /// Opens the store.
    ///
    /// - Parameter identifier: what a store that is made is known by.
    func open(_ model: ManagedObjectModel, identifier: UUIDValue = UUIDValue()) throws -> any PersistentStore
    {
        guard let path else { return MemoryStore(model: model, identifier: identifier) }
        return switch kind {
        case .sqlite: try SQLiteStore(path: path, model: model, identifier: identifier)
        case .xml: try FileStore(path: path, model: model, format: .xml, identifier: identifier)
        case .binary: try FileStore(path: path, model: model, format: .binary, identifier: identifier)
        case .memory: MemoryStore(model: model, identifier: identifier)
        }
    }

    /// Brings a store of an older model to this one, or only says what that would take. Nil when there is
    /// nothing to do.
    func migrate(
        _ model: ManagedObjectModel, _ migration: StoreMigration, isForecast: Bool
    ) throws -> MigrationReport? {
        guard let path else { return nil }
        let store: any MigratingStore
        switch kind {
        case .sqlite: store = MigratingSQLiteStore(path: path)
        case .xml: store = MigratingFileStore(path: path, format: XMLFormat())
        case .binary: store = MigratingFileStore(path: path, format: BinaryFormat())
        case .memory: return nil
        }
        let migrator = StoreMigrator(store, to: model, migration)
        return try isForecast ? migrator.forecast() : migrator.migrate()
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
        let report = try configuration.migrate(model, migration, isForecast: false)
        try addStore(configuration)
        return report
    }

    /// What `addStore` would migrate, with nothing written; nil when there is no store, or it needs no migration.
    public func forecast(
        _ configuration: StoreConfiguration, migrating migration: StoreMigration
    ) throws -> MigrationReport? {
        try configuration.migrate(model, migration, isForecast: true)
    }
}
