internal import Dispatch
internal import ObjectStore

/// Who wants to change something while the store cannot be written: a change that takes long has it, or another program.
///
/// It belongs to the daemon's queue.
final class WaitingRoom {
    /// Another program is waited for so long; a change of our own however long it takes.
    static let secondsLimit = 5.0
    /// How often is tried whether another program is done.
    private static let retrySeconds = 0.05

    private let queue: DispatchQueue
    /// Whether a change of our own has the store.
    private let isLent: () -> Bool
    private var waiting: [() -> Void] = []
    private var isRetrying = false

    init(queue: DispatchQueue, isLent: @escaping () -> Bool) {
        self.queue = queue
        self.isLent = isLent
    }

    /// Has `again` called when the store may be free, if `error` says that it is locked: who is told so by the first thing
    /// that he does has done nothing yet.
    ///
    /// - Returns: false, and nothing is called, after another error, or when who came at that time has waited long enough.
    func wait(after error: any Error, since moment: DispatchTime, _ again: @escaping () -> Void) -> Bool {
        guard (error as? StoreError)?.code == .locked else { return false }
        guard isLent() || .now() < moment + Self.secondsLimit else { return false }
        waiting.append(again)
        retryLater()
        return true
    }

    /// Lets everybody try again.
    func open() {
        let all = waiting
        waiting = []
        for again in all { again() }
    }

    private func retryLater() {
        guard !isRetrying, !isLent() else { return }
        isRetrying = true
        QueueConfined(self, to: queue).async(afterSeconds: Self.retrySeconds) { room in
            room.isRetrying = false
            room.open()
        }
    }
}
