internal import Dispatch
internal import Platform

/// A coordinator with a queue of its own.
///
/// `@unchecked Sendable`: the coordinator is used only on the queue, and closed when nothing runs there any more.
final class CoordinatorQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private let coordinator: PersistentStoreCoordinator
    /// An observation of the coordinator, if its user has one.
    private var observation: ObservationToken?
    /// Interrupts the running statement, or `nil` if the store is closed or cannot be interrupted.
    private var interruption: (@Sendable () -> Void)?
    /// Opens the store for one reader, or `nil` if other queues cannot read it.
    let readerOpening: (@Sendable () throws -> any StoreReader)?

    /// Creates a queue, and a coordinator to which `addStore` adds the store. The queue keeps the observation that it
    /// returns.
    init(
        _ queue: DispatchQueue, model: ManagedObjectModel,
        addStore: (PersistentStoreCoordinator) throws -> ObservationToken?
    ) throws {
        self.queue = queue
        coordinator = PersistentStoreCoordinator(model: model)
        observation = try addStore(coordinator)
        interruption = (coordinator.store as? any StoreReader)?.interruption
        readerOpening = (coordinator.store as? any ParallelReadable)?.readerOpening()
    }

    /// Opens a store on a new queue, because that may wait for the disk.
    static func open(
        model: ManagedObjectModel, _ store: @escaping @Sendable () throws -> any StoreReader
    ) async throws -> CoordinatorQueue {
        let queue = DispatchQueue(label: "ObjectStore")
        return try await queue.run {
            try CoordinatorQueue(queue, model: model) {
                try $0.addStore(store())
                return nil
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
    /// - Throws: The error of `body`, or a `CancellationError` if the task is cancelled before its turn.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (PersistentStoreCoordinator, CancellableJob) throws -> Result
    ) async throws -> Result {
        let job = CancellableJob()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                job.wait { continuation.resume(throwing: CancellationError()) }
                queue.async { [self] in
                    guard job.begin(interruption) else { return }
                    continuation.resume(with: Swift.Result { try body(coordinator, job) })
                }
            }
        } onCancel: {
            job.cancel()
        }
    }
}

extension DispatchQueue {
    /// Runs `body` on the queue and suspends the task until it has returned.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// The work of one task on a queue, which the task's cancellation ends: before its turn, or by an interruption.
final class CancellableJob: Sendable {
    private enum Phase {
        case new
        /// In the queue. The closure ends the job before its turn.
        case waiting(@Sendable () -> Void)
        case running
        /// Running a part that a cancellation may interrupt.
        case interruptible
    }

    private struct State {
        var phase = Phase.new
        var isCancelled = false
        /// Interrupts the running statement, or `nil` if the store cannot be interrupted.
        var interruption: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// Puts the job into the queue. `abandon` is called if the task is cancelled before its turn.
    func wait(_ abandon: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.phase = .waiting(abandon) }
            return state.isCancelled
        }
        if isCancelled { abandon() }
    }

    /// Begins the work, whose statements `interruption` interrupts. Returns `false` if the job was abandoned.
    func begin(_ interruption: (@Sendable () -> Void)?) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.phase = .running
            state.interruption = interruption
            return true
        }
    }

    /// Runs the part of the work that a cancellation interrupts. The beginning and the end of a transaction are no such
    /// part.
    ///
    /// - Throws: The error of `body`, or a `CancellationError` if the task was cancelled before `body` returned.
    func interruptible<Value>(_ body: () throws -> Value) throws -> Value {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.phase = .interruptible
        }
        let result = Result { try body() }
        let isCancelled = state.withLock { state in
            state.phase = .running
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
        return try result.get()
    }

    func cancel() {
        let abandon: (@Sendable () -> Void)? = state.withLock { state in
            state.isCancelled = true
            guard case .waiting(let abandon) = state.phase else { return nil }
            return abandon
        }
        abandon?()
        interrupt()
    }

    /// Interrupts the work until its interruptible part ends. An interruption between two statements has no effect, so
    /// it is repeated.
    private func interrupt() {
        let isRunning = state.withLock { state in
            guard case .interruptible = state.phase, let interruption = state.interruption else {
                return false
            }
            // The lock keeps the part from ending, so the call interrupts nothing else.
            interruption()
            return true
        }
        guard isRunning else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { self.interrupt() }
    }
}
