extension PersistentStoreCoordinator {
    /// Writes what a store holds whose file was removed or replaced into a new file, a store of the same kind.
    ///
    /// `damage` tells of such a store, with the code `replaced`. It goes on to be read, and refuses to be written.
    ///
    /// - Throws: a `StoreError`: there is no such store, or the copy cannot be written.
    public func rescueReplacedStore(to copy: String) throws {
        guard let store = places.lazy.map(\.store).first(where: { $0.damage?.code == .replaced }) else {
            throw StoreError(.other, "no store has lost its file; make a backup")
        }
        switch store {
        case let store as SQLiteStore: try SQLiteBackup.copy(store.connection, of: store.path, to: copy)
        case let store as FileStore: try store.write(to: copy)
        default: throw StoreError(.other, "a store of this kind cannot be copied", path: store.name)
        }
    }
}
