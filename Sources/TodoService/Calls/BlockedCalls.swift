internal import Alerts
internal import Dispatch
internal import ObjectStore

/// The calls that wait because a background change or another program has the write lock of the store.
///
/// Confined to the daemon's queue.
final class BlockedCalls {
    /// The longest wait for another program. The wait for a background change has no limit.
    static let secondsLimit = 5.0
    /// The time between two attempts while another program has the lock.
    private static let retrySeconds = 0.05

    private let queue: DispatchQueue
    /// Whether a background change has the write lock.
    private let hasBackgroundWriter: () -> Bool
    private var waiting: [() -> Void] = []
    private var isRetrying = false

    init(queue: DispatchQueue, hasBackgroundWriter: @escaping () -> Bool) {
        self.queue = queue
        self.hasBackgroundWriter = hasBackgroundWriter
    }

    /// Calls `again` when the store may be free, if `error` shows that it is locked.
    ///
    /// In that case the call has changed nothing yet, because it takes the lock first.
    ///
    /// - Returns: false for another error, or after the time limit since `moment`. `again` is not called then.
    func wait(after error: any Error, since moment: DispatchTime, _ again: @escaping () -> Void) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        switch (error as? StoreError)?.code {
        case .backgroundWriter?: break
        case .locked?:
            guard hasBackgroundWriter() || .now() < moment + Self.secondsLimit else { return false }
        default: return false
        }
        waiting.append(again)
        retryLater()
        return true
    }

    /// Lets all waiting calls try again.
    func retryAll() {
        dispatchPrecondition(condition: .onQueue(queue))
        let all = waiting
        waiting = []
        for again in all { again() }
    }

    private func retryLater() {
        guard !isRetrying, !hasBackgroundWriter() else { return }
        isRetrying = true
        QueueConfined(self, to: queue).async(afterSeconds: Self.retrySeconds) { calls in
            calls.isRetrying = false
            calls.retryAll()
        }
    }
}
