internal import Synchronization

/// What reading a file has found damaged, or that it is gone; the connections to one file share it, whatever their queues.
final class DamageRecord: Sendable {
    private let first = Mutex<StoreError?>(nil)
    private let place = Mutex<DatabasePlace?>(nil)

    /// The damage that was found first; nil as long as there is none.
    var found: StoreError? { first.withLock { $0 } }

    /// Has `lookAtPlace` hold the file against what is at its path now.
    func watch(_ path: String) {
        place.withLock { $0 = DatabasePlace(of: path) }
    }

    /// Finds out whether the file is still where it was.
    func lookAtPlace() {
        if let loss = place.withLock({ $0?.loss }) { note(loss) }
    }

    /// Removes what lies beside a file that is not there any more.
    func clearPlace() {
        guard found?.code == .replaced else { return }
        place.withLock { $0?.removeCompanions() }
    }

    /// Remembers an error of the file, if it is damage.
    func note(_ error: StoreError) {
        guard error.code == .damaged || error.code == .replaced else { return }
        first.withLock { $0 = $0 ?? error }
    }

    /// By its path another file would be opened.
    func refuseOpening() throws {
        lookAtPlace()
        if let found, found.code == .replaced { throw found }
    }

    /// Nothing more is written to a file of which a part cannot be read.
    func refuseWriting() throws {
        if let found { throw found }
    }
}
