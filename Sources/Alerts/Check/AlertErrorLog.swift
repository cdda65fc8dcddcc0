internal import Systemd

/// The current failures of the alert loop. A failure that lasts is logged when it begins, not once a minute.
final class AlertErrorLog {
    private let log: Log
    private let faultDidOccur: () -> Void
    private var current: [MessageID: String] = [:]

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
        guard current.updateValue(message, forKey: id) == nil else { return }
        log.write(.error, message, id: id)
    }

    func end(_ id: MessageID) { current[id] = nil }

    /// The messages of the failures that have not ended.
    var messages: [String] { current.values.sorted() }
}
