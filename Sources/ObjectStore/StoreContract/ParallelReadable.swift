/// A store that readers on other queues can read while it is open.
///
/// The coordinator calls the method on its own queue.
public protocol ParallelReadable: PersistentStore {
    /// Returns a function that opens the store for one reader, on any queue, or `nil` if readers cannot see the saves
    /// of this store.
    func readerOpening() -> (@Sendable () throws -> any StoreReader)?
}

/// A read-only store for one reader.
public protocol StoreReader: PersistentStore {
    /// Keeps the state that is saved now. Until ``endState()``, all reads are of this state.
    func beginState() throws

    /// Ends the reading of one state. Later reads are of the state at their time.
    func endState()

    /// A function that interrupts the running read, which then throws an error. It may be called on any queue until the
    /// store is closed.
    var interruption: @Sendable () -> Void { get }
}
