internal import Synchronization

/// What reading a file has found damaged; the connections to one file share it, whatever their queues.
final class DamageRecord: Sendable {
    private let first = Mutex<StoreError?>(nil)

    /// The damage that was found first; nil as long as there is none.
    var found: StoreError? { first.withLock { $0 } }

    /// Remembers an error of the file, if it is damage.
    func note(_ error: StoreError) {
        guard error.code == .damaged else { return }
        first.withLock { $0 = $0 ?? error }
    }

    /// Nothing more is written to a file of which a part cannot be read.
    func refuseWriting() throws {
        if let found { throw found }
    }
}
