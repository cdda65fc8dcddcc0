internal import Synchronization

/// The cancellation of some work, when no client waits for it any more. May be used on any queue.
final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Throws if the work was cancelled.
    func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CallerDisconnected() }
    }
}

/// Thrown to end a change for which no caller waits.
struct CallerDisconnected: Error {}
