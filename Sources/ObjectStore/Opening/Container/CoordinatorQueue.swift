internal import Dispatch
internal import Synchronization

/// A coordinator with a queue of its own.
///
/// `@unchecked Sendable`: the coordinator is used only on the queue, and closed when nothing runs there any more.
final class CoordinatorQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private let coordinator: PersistentStoreCoordinator
    /// Interrupts the running statement, or `nil` if the store is closed or cannot be interrupted.
    private var interruption: (@Sendable () -> Void)?
    /// Opens the store for one reader, or `nil` if other queues cannot read it.
    let readerOpening: (@Sendable () throws -> any StoreReader)?

    /// Creates a queue, and a coordinator to which `addStore` adds the store.
    init(
        _ queue: DispatchQueue = DispatchQueue(label: "ObjectStore"), model: ManagedObjectModel,
        addStore: (PersistentStoreCoordinator) throws -> Void
    ) throws {
        self.queue = queue
        coordinator = PersistentStoreCoordinator(model: model)
        try addStore(coordinator)
        interruption = (coordinator.store as? any StoreReader)?.interruption
        readerOpening = (coordinator.store as? any ParallelReadable)?.readerOpening()
    }

    /// Opens a store on a new queue, because that may wait for the disk.
    static func open(
        model: ManagedObjectModel, _ store: @escaping @Sendable () throws -> any StoreReader
    ) async throws -> CoordinatorQueue {
        let queue = DispatchQueue(label: "ObjectStore")
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try CoordinatorQueue(queue, model: model) { try $0.addStore(store()) } })
            }
        }
    }

    deinit {
        coordinator.close()
    }

    /// Closes the store after all earlier calls.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                // A later call must not interrupt a closed connection.
                interruption = nil
                coordinator.close()
                continuation.resume()
            }
        }
    }

    /// Runs `body` on the queue, after all earlier calls.
    ///
    /// - Throws: The error of `body`, or a `CancellationError` if the task is cancelled before `body` returns.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (PersistentStoreCoordinator, CancellableJob) throws -> Result
    ) async throws -> Result {
        let job = CancellableJob()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(
                        with: Swift.Result {
                            try job.begin(interruption)
                            defer { job.end() }
                            do {
                                return try body(coordinator, job)
                            } catch {
                                throw job.isInterrupted ? CancellationError() : error
                            }
                        })
                }
            }
        } onCancel: {
            job.cancel()
        }
    }
}

/// The work of one task on a queue, which the task's cancellation interrupts.
final class CancellableJob: Sendable {
    private struct State {
        var isCancelled = false
        /// Whether the cancellation came before the end of the work that it may interrupt.
        var isInterrupted = false
        var isInterruptible = false
        /// Interrupts the running statement, or `nil` if the store cannot be interrupted.
        var interruption: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Begins the work that `interruption` interrupts.
    func begin(_ interruption: (@Sendable () -> Void)?) throws {
        try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            state.isInterruptible = true
            state.interruption = interruption
        }
    }

    /// Ends the part of the work that can be interrupted, and throws if it was.
    func endInterruption() throws {
        end()
        if isInterrupted { throw CancellationError() }
    }

    func end() {
        state.withLock { $0.isInterruptible = false }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.isInterrupted = state.isInterrupted || state.isInterruptible
        }
        interrupt()
    }

    /// Interrupts the work until it ends. An interruption between two statements has no effect, so it is repeated.
    private func interrupt() {
        let isRunning = state.withLock { state in
            guard state.isInterruptible, let interruption = state.interruption else { return false }
            // The lock keeps the work from ending, so the call interrupts nothing else.
            interruption()
            return true
        }
        guard isRunning else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { self.interrupt() }
    }
}
