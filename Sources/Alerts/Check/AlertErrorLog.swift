internal import Systemd

/// The current failures of the alert loop. A failure that lasts is logged when it begins, not once a minute.
final class AlertErrorLog {
    private let log: Log
    private let faultDidOccur: () -> Void
    private var lasting: Set<MessageID> = []

    /// Creates a log of failures.
    ///
    /// - Parameter faultDidOccur: called at each failure.
    init(_ log: Log, faultDidOccur: @escaping () -> Void) {
        self.log = log
        self.faultDidOccur = faultDidOccur
    }

    func record(_ message: String, _ id: MessageID) {
        // Called for a lasting failure, too, because its cause may have changed.
        faultDidOccur()
        guard lasting.insert(id).inserted else { return }
        log.write(.error, message, id: id)
    }

    func end(_ id: MessageID) { lasting.remove(id) }
}
