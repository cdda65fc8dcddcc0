internal import Platform

/// The readers of a container. A reader is opened when all others are in use.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [CoordinatorQueue] = []
        /// The number of readers, idle or in use.
        var count = 0
        /// The reads that wait for a reader, by their numbers. Each is given one, or `nil` to open it.
        var waiting: [(number: Int, read: Waiting)] = []
        var lastNumber = 0
        var isClosed = false
        /// The calls that wait for the end of all readers.
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private typealias Waiting = CheckedContinuation<CoordinatorQueue?, any Error>

    private let model: ManagedObjectModel
    private let limit: Int
    private let opening: @Sendable () throws -> any StoreReader
    private let state = Locked(State())

    init(
        model: ManagedObjectModel, limit: Int, opening: @escaping @Sendable () throws -> any StoreReader
    ) {
        self.model = model
        self.limit = limit
        self.opening = opening
    }

    /// Runs `body` with a coordinator that reads one state.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (PersistentStoreCoordinator) throws -> Result
    ) async throws -> Result {
        let reader = try await take()
        do {
            let result = try await reader.run { coordinator, job in
                let store = coordinator.store as? any StoreReader
                try store?.beginState()
                defer { store?.endState() }
                return try job.interruptible { try body(coordinator) }
            }
            await giveBack(reader)
            return result
        } catch {
            await giveBack(reader)
            throw error
        }
    }

    /// Closes all readers, after the reads that run.
    func close() async {
        let (waiting, idle) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.idle) = ([], []) }
            return (state.waiting, state.idle)
        }
        for (_, read) in waiting { read.resume(throwing: Self.closed) }
        for reader in idle { await giveBack(reader) }
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.count > 0 { state.closing.append(continuation) }
                return state.count == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private static var closed: StoreError { StoreError(.noStore, "the container is closed") }

    private func take() async throws -> CoordinatorQueue {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let reader = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let next = next(number, continuation) { return continuation.resume(with: next) }
                // The task may have been cancelled before the read waited.
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
        if let reader { return reader }
        do {
            return try await CoordinatorQueue.open(model: model, opening)
        } catch {
            await giveBack(nil)
            throw error
        }
    }

    /// Returns an idle reader, or `nil` to open one. Returns no result if the read has to wait.
    private func next(_ number: Int, _ read: Waiting) -> Result<CoordinatorQueue?, any Error>? {
        state.withLock { state in
            if state.isClosed { return .failure(Self.closed) }
            if let idle = state.idle.popLast() { return .success(idle) }
            guard state.count < limit else {
                state.waiting.append((number, read))
                return nil
            }
            state.count += 1
            return .success(nil)
        }
    }

    /// Ends a read that waits.
    private func abandon(_ number: Int) {
        let read = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).read }
        }
        read?.resume(throwing: CancellationError())
    }

    /// Passes a reader to the read that has waited longest. `nil` is a reader that could not be opened.
    private func giveBack(_ reader: CoordinatorQueue?) async {
        let isClosed = state.withLock { $0.isClosed }
        if isClosed { await reader?.close() }
        let (next, closing) = state.withLock { state -> (Waiting?, [CheckedContinuation<Void, Never>]) in
            guard state.waiting.isEmpty else { return (state.waiting.removeFirst().read, []) }
            if let reader, !isClosed {
                state.idle.append(reader)
                return (nil, [])
            }
            state.count -= 1
            guard state.count == 0 else { return (nil, []) }
            defer { state.closing = [] }
            return (nil, state.closing)
        }
        next?.resume(returning: reader)
        for close in closing { close.resume() }
    }
}
