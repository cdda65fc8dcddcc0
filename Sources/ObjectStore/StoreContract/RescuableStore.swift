/// A store that can copy its content after its file was removed or replaced.
public protocol RescuableStore: PersistentStore {
    /// Writes the content that the store has in memory, or in the file that it has open, to a new file.
    ///
    /// - Throws: A ``StoreError``. Its code is `notADatabase` or `damaged` if the content of the store is lost.
    func rescue(to copy: String) throws
}
