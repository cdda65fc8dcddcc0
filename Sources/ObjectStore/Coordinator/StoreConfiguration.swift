/// Which store to open, and how: what `addStore` of a coordinator takes.
public struct StoreConfiguration: Sendable {
    let open: @Sendable (ManagedObjectModel) throws -> any PersistentStore

    /// A store in an SQLite database. A missing file, and the directories to it, are made for the owner alone.
    public static func sqlite(path: String) -> Self {
        Self { model in try SQLiteStore(path: path, model: model) }
    }
}

extension PersistentStoreCoordinator {
    /// Opens a store and adds it.
    public func addStore(_ configuration: StoreConfiguration) throws {
        try addStore(configuration.open(model))
    }
}
