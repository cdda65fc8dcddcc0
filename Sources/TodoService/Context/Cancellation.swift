internal import Synchronization

/// Whether a caller still waits for some work. May be used on any queue.
final class CallerPresence: Sendable {
    private let hasEnded = Atomic(false)

    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Throws if no caller waits any more.
    func check() throws {
        if hasEnded.load(ordering: .relaxed) { throw CallerDisconnected() }
    }
}

/// Thrown to end a change for which no caller waits.
struct CallerDisconnected: Error {}
