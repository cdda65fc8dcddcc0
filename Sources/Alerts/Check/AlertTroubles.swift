internal import Systemd

/// The current failures of the alert loop. A failure that lasts is logged when it begins, not once a minute.
final class AlertTroubles {
    /// Called at each failure.
    var whenFaultOccurs: () -> Void = {}
    private let log: Log
    private var lasting: Set<MessageID> = []

    init(_ log: Log) { self.log = log }

    func note(_ message: String, _ id: MessageID) {
        // Called for a lasting failure, too, because its cause may have changed.
        whenFaultOccurs()
        guard lasting.insert(id).inserted else { return }
        log.write(.error, message, id: id)
    }

    func end(_ id: MessageID) { lasting.remove(id) }
}
