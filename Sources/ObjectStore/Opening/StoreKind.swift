/// A kind of store: how the stores of one format are opened, copied, checked and migrated.
///
/// This module has the kinds ``sqlite`` and ``memory``. Other modules add kinds of their own: a format of files that are
/// written whole, or anything that opens a ``PersistentStore``.
///
///     extension StoreKind {
///         static let csv = StoreKind("csv", format: { TableFormat() })
///     }
///
/// Kinds with the same name are equal.
public struct StoreKind: Hashable, Sendable, CustomStringConvertible {
    /// Opens a store, or creates it if there is none.
    package typealias Opener =
        @Sendable (_ store: StoreConfiguration, _ model: ManagedObjectModel, _ new: NewStore) throws
        -> any PersistentStore

    /// Begins to migrate the store of a configuration. Nothing is written before `begin` of the transaction is called.
    package typealias Migrator =
        @Sendable (_ store: StoreConfiguration) throws -> any MigrationTransaction

    /// The name of the kind, such as `sqlite`.
    public let name: String
    let open: Opener
    /// Returns the file of a store, or `nil` if the stores of this kind are not files of this library.
    let file: @Sendable (_ path: String) -> (any StoreFile)?
    /// Migrates a store in a database server, or `nil` for all other kinds.
    let migrator: Migrator?

    init(
        _ name: String, file: @escaping @Sendable (_ path: String) -> (any StoreFile)?,
        migrating migrator: Migrator? = nil, open: @escaping Opener
    ) {
        self.name = name
        self.open = open
        self.file = file
        self.migrator = migrator
    }

    /// Creates a kind of store that is in a database server.
    ///
    /// - Parameters:
    ///   - open: Opens the store. If there is none, it creates the new store and fills it.
    ///   - migrator: Begins to migrate a store.
    package init(_ name: String, making open: @escaping Opener, migrating migrator: @escaping Migrator) {
        self.init(name, file: { _ in nil }, migrating: migrator, open: open)
    }

    /// Creates a kind of store in a file that is read whole when it is opened, and written whole by each commit.
    ///
    /// - Parameters:
    ///   - name: The name of the kind. No other kind of the program has it.
    ///   - format: Makes the format of one store.
    public init(_ name: String, format: @escaping @Sendable () -> any StoreFormat) {
        self.init(
            name, file: { WholeFile(path: $0, format: format()) },
            open: { store, model, new in
                let path = try store.requirePath()
                try store.refuseHistory()
                if store.isReadOnly { return try FileStore(reading: path, model: model, format: format()) }
                return try FileStore(path: path, model: model, format: format(), making: new)
            })
    }

    /// Creates a kind of store that you implement.
    ///
    /// A coordinator can open such a store and copy another store into it. ``StoreBackup`` and migrations to another
    /// model do not know its files.
    ///
    /// - Parameters:
    ///   - name: The name of the kind. No other kind of the program has it.
    ///   - open: Opens the store of a configuration, or creates it if there is none. It throws a ``StoreError`` if the
    ///     store belongs to another model; see ``StoreMetadata/require(_:path:)``.
    public init(
        _ name: String,
        opening open:
            @escaping @Sendable (_ store: StoreConfiguration, _ model: ManagedObjectModel) throws
            -> any PersistentStore
    ) {
        self.init(
            name, file: { _ in nil },
            open: { configuration, model, new in
                let store = try open(configuration, model)
                do {
                    let recorder = store as? any HistoryRecording
                    let isShared = (store as? any SharedStore)?.isShared ?? false
                    if !(recorder?.recordsHistory ?? false) || configuration.isShared && !isShared {
                        try configuration.refuseHistory()
                    }
                    try new.fill(store)
                } catch {
                    store.close()
                    throw error
                }
                return store
            })
    }

    /// The name of the kind.
    public var description: String { name }

    /// Whether two kinds have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name of the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension StoreKind {
    /// An SQLite database.
    public static let sqlite = StoreKind(
        "sqlite", file: { DatabaseFile(path: $0) },
        open: { store, model, new in
            let path = try store.requirePath()
            guard path != SQLiteStore.pathInMemory else {
                throw StoreError(
                    .misuse, "is not the path of a file; use the kind \(StoreKind.sqliteInMemory)", path: path
                )
            }
            let opened: SQLiteStore
            switch (store.isReadOnly, store.isShared) {
            case (true, true):
                throw StoreError(
                    .misuse, "a store that is only read is not shared; leave out one of the options",
                    path: path)
            case (true, false): opened = try SQLiteStore(path: path, model: model, readOnly: true)
            case (false, true): opened = try SQLiteStore(sharing: path, model: model, making: new)
            case (false, false): opened = try SQLiteStore(path: path, model: model, making: new)
            }
            guard store.recordsHistory else { return opened }
            do {
                try opened.beginHistory()
                return opened
            } catch {
                opened.close()
                throw error
            }
        })

    /// An SQLite database in memory, with SQL and a history. It does not outlive the store.
    ///
    /// It has one connection, so a ``PersistentContainer`` reads one after the other.
    public static let sqliteInMemory = StoreKind(
        "sqliteInMemory", file: { _ in nil },
        open: { configuration, model, new in
            guard !configuration.isShared else {
                throw StoreError(.misuse, "a store in memory cannot be shared by several programs")
            }
            let store = try SQLiteStore(inMemoryOf: model, making: new)
            if configuration.recordsHistory { try store.beginHistory() }
            return store
        })

    /// Memory only, without SQLite. The objects do not outlive the store.
    public static let memory = StoreKind(
        "memory", file: { _ in nil },
        open: { configuration, model, new in
            try configuration.refuseHistory()
            let store = MemoryStore(model: model, identifier: new.identifier)
            try new.fill(store)
            return store
        })
}
