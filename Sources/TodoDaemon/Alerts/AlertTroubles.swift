internal import Systemd

/// What goes wrong with alerts. A trouble that lasts is logged when it begins, not once a minute.
final class AlertTroubles {
    /// Called each time.
    var whenFaultOccurs: () -> Void = {}
    private let log: Log
    private var lasting: Set<MessageID> = []

    init(_ log: Log) { self.log = log }

    func note(_ message: String, _ id: MessageID) {
        // Of what lasts, too: it may have another cause by now.
        whenFaultOccurs()
        guard lasting.insert(id).inserted else { return }
        log.write(.error, message, id: id)
    }

    func end(_ id: MessageID) { lasting.remove(id) }
}
