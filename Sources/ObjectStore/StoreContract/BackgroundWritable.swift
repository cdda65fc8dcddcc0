/// A store that a background writer can write while the store's coordinator continues to read one state.
///
/// The coordinator calls the methods on its own queue.
public protocol BackgroundWritable: PersistentStore {
    /// Whether a background writer has the write lock of the store.
    var hasBackgroundWriter: Bool { get }

    /// Gives the write lock to a background writer.
    ///
    /// Until ``endBackgroundWrite()``, this store reads one state, and writes to it throw a ``StoreError`` with the
    /// code `backgroundWriter`.
    ///
    /// - Returns: a function that opens the store for the background writer, on any queue, or `nil` if the store cannot
    ///   be opened a second time.
    func beginBackgroundWrite() throws -> (@Sendable () throws -> any PersistentStore)?

    /// Makes this store read the state that the background writer has saved last.
    func readSavedState()

    /// Takes the write lock back. The background writer must have closed its store before.
    func endBackgroundWrite()
}
