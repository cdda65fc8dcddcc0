internal import Synchronization

/// The readers of a container. A reader is opened when all others are in use.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [CoordinatorQueue] = []
        /// The number of readers, idle or in use.
        var count = 0
        /// The reads that wait for a reader. Each is given one, or `nil` to open it.
        var waiting: [CheckedContinuation<CoordinatorQueue?, any Error>] = []
        var isClosed = false
    }

    private let model: ManagedObjectModel
    private let limit: Int
    private let opening: @Sendable () throws -> any StoreReader
    private let state = Mutex(State())

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
        defer { giveBack(reader) }
        return try await reader.run { coordinator, _ in
            let store = coordinator.store as? any StoreReader
            try store?.beginState()
            defer { store?.endState() }
            return try body(coordinator)
        }
    }

    /// Closes all readers that are idle, and the others when their reads end.
    func close() async {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.count -= state.idle.count
            state.idle = []
            defer { state.waiting = [] }
            return state.waiting
        }
        for read in waiting { read.resume(throwing: Self.closed) }
    }

    private static var closed: StoreError { StoreError(.noStore, "the container is closed") }

    private func take() async throws -> CoordinatorQueue {
        let reader: CoordinatorQueue? = try await withCheckedThrowingContinuation { continuation in
            let next: Swift.Result<CoordinatorQueue?, any Error>? = state.withLock { state in
                if state.isClosed { return .failure(Self.closed) }
                if let idle = state.idle.popLast() { return .success(idle) }
                guard state.count < limit else {
                    state.waiting.append(continuation)
                    return nil
                }
                state.count += 1
                return .success(nil)
            }
            if let next { continuation.resume(with: next) }
        }
        if let reader { return reader }
        do {
            return try CoordinatorQueue("reader", model: model) { try $0.addStore(opening()) }
        } catch {
            giveBack(nil)
            throw error
        }
    }

    /// Passes a reader to the read that has waited longest. `nil` is a reader that could not be opened.
    private func giveBack(_ reader: CoordinatorQueue?) {
        let next = state.withLock { state -> CheckedContinuation<CoordinatorQueue?, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            if let reader, !state.isClosed { state.idle.append(reader) } else { state.count -= 1 }
            return nil
        }
        next?.resume(returning: reader)
    }
}
