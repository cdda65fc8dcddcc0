/// The kind, the path and the access mode of a store that a coordinator's `addStore` opens.
public struct StoreConfiguration: Hashable, Sendable {
    /// The kind of the store.
    public let kind: StoreKind
    /// The path of the file, or `nil` for a store in memory.
    public let path: String?
    /// Whether the store is opened read-only.
    ///
    /// A read-only store must exist and have the coordinator's model. Nothing in it or in its directory is ever
    /// written. Saving a change of its objects is an error.
    public let isReadOnly: Bool
    /// Whether the store records each save in its history; see ``PersistentStoreCoordinator/history(after:limit:of:)``.
    ///
    /// A store that has begun to record its history continues to do so whenever it is opened, also without this option,
    /// until ``PersistentStoreCoordinator/discardHistory(of:)``. It is an error to open a store with this option if its
    /// kind cannot record a history.
    public let recordsHistory: Bool
    /// Whether other programs may have the store open for writing at the same time.
    ///
    /// Every program opens the store with this option. Without it, the store is locked for one program. A shared store
    /// records its history.
    public let isShared: Bool
    /// The time in seconds that a save waits for another program that writes to the store, or `nil` for 5 seconds.
    ///
    /// After this time, the save throws a ``StoreError`` of the code `locked`.
    public let lockTimeout: Double?

    /// Creates a configuration for a store in a file.
    ///
    /// A missing file and missing directories are created with access for the owner only. For a store in memory,
    /// `path` and `readOnly` are ignored.
    public init(
        _ kind: StoreKind, path: String, readOnly: Bool = false, history: Bool = false, shared: Bool = false,
        lockTimeout: Double? = nil
    ) {
        self.kind = kind
        self.lockTimeout = lockTimeout
        recordsHistory = history || shared
        isShared = shared
        let isInMemory = kind == .memory || kind == .sqliteInMemory
        self.path = isInMemory ? nil : path
        isReadOnly = isInMemory ? false : readOnly
    }

    /// Returns the configuration of a store in an SQLite database.
    public static func sqlite(
        path: String, readOnly: Bool = false, history: Bool = false, shared: Bool = false,
        lockTimeout: Double? = nil
    ) -> Self {
        Self(
            .sqlite, path: path, readOnly: readOnly, history: history, shared: shared,
            lockTimeout: lockTimeout)
    }

    /// Returns the configuration of a store in an SQLite database in memory.
    public static func sqliteInMemory(history: Bool = false) -> Self {
        Self(.sqliteInMemory, path: "", history: history)
    }

    /// The configuration of a store in memory only, without SQLite.
    public static var memory: Self { Self(.memory, path: "") }

    /// The file of the store, or `nil` if it is not in a file of this library.
    var file: (any StoreFile)? { path.flatMap(kind.file) }

    /// Returns the file of the store.
    ///
    /// - Throws: a `StoreError` if it is not in a file of this library.
    func requireFile() throws(StoreError) -> any StoreFile {
        guard let path else {
            throw StoreError(.misuse, "a store in memory has no file; copy it into a store that has one")
        }
        guard let file = kind.file(path) else {
            throw StoreError(
                .misuse,
                "a store of the kind \(kind) has no file of this library; copy it into a store that has one",
                path: path)
        }
        return file
    }

    /// Throws if the history is to be recorded, for a kind that cannot do so.
    package func refuseHistory() throws(StoreError) {
        guard recordsHistory else { return }
        let need = isShared ? "be shared by several programs" : "record its history"
        throw StoreError(
            .noHistory, "a store of the kind \(kind) cannot \(need); use \(StoreKind.sqlite)", path: path)
    }

    /// Returns the path. Every kind but `memory` has one.
    package func requirePath() throws(StoreError) -> String {
        guard let path else { throw StoreError(.misuse, "a store of the kind \(kind) needs a path") }
        return path
    }
}
