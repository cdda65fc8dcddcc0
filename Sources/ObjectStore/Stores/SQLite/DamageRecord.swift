internal import Synchronization

/// What reading a file has found damaged, or that it is gone; the connections to one file share it, whatever their queues.
final class DamageRecord: Sendable {
    private let first = Mutex<StoreError?>(nil)
    private let place = Mutex<DatabasePlace?>(nil)

    /// The damage that was found first; nil as long as there is none.
    var found: StoreError? { first.withLock { $0 } }

    /// Has `lookAtPlace` compare the file with the one that is at its path now. The database is open until `clearPlace`.
    func watch(_ path: String) {
        place.withLock { $0 = DatabasePlace(of: path) }
    }

    /// Finds out whether the file is still where it was, and has its content.
    func lookAtPlace() {
        if let loss = place.withLock({ $0?.loss() }) { record(loss) }
    }

    /// Whether another program has written to the file, so that its log does not belong to it any more.
    var isOverwritten: Bool { place.withLock { $0?.isOverwritten() ?? false } }

    /// Whether the log may have changes of another program, because the index of the log was removed or replaced.
    var isIndexLost: Bool { place.withLock { $0?.isIndexLost() ?? false } }

    /// Removes the log of a file that is not there any more. The database is closed.
    ///
    /// - Parameter keepingLog: whether the log belongs to the file that is there.
    func clearPlace(keepingLog: Bool) {
        let isReplaced = found?.code == .replaced
        place.withLock {
            if isReplaced, !keepingLog { $0?.removeCompanions() }
            $0 = nil
        }
    }

    /// Remembers an error of the file, if it is damage.
    func note(_ error: StoreError) {
        // A page that cannot be read may be one of another file.
        if error.code == .damaged || error.code == .notADatabase { lookAtPlace() }
        if error.code == .damaged || error.code == .replaced { record(error) }
    }

    private func record(_ error: StoreError) {
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
