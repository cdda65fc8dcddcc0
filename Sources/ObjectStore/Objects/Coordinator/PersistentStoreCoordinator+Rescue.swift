extension PersistentStoreCoordinator {
    /// Copies the content of a store that has lost its file into a new file, as a store of the same kind.
    ///
    /// `damage` reports a removed or replaced file with the code `replaced`. Such a store can still be read, but it
    /// refuses to be written.
    ///
    /// - Throws: A `StoreError` if there is no such store or the copy cannot be written. Its code is `notADatabase` or
    ///   `damaged` if the content of the store is lost.
    public func rescueReplacedStore(to copy: String) throws {
        guard let store = places.lazy.map(\.store).first(where: { $0.damage?.code == .replaced }) else {
            throw StoreError(.misuse, "no store has lost its file; make a backup")
        }
        guard let store = store as? any RescuableStore else {
            throw StoreError(.misuse, "a store of this kind cannot be copied", path: store.name)
        }
        try store.rescue(to: copy)
    }
}
