internal import Synchronization

/// Whether somebody still waits for what is being done; asked from any queue.
final class Demand: Sendable {
    private let hasEnded = Atomic(false)

    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Throws when nobody waits any more.
    func check() throws {
        if hasEnded.load(ordering: .relaxed) { throw NobodyWaits() }
    }
}

/// Ends a change of which nobody would hear.
struct NobodyWaits: Error {}
