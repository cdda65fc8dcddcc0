internal import Systemd

/// A part of the alert loop's work that is repeated until it succeeds.
enum AlertTask {
    case check, nextAlertTime, alertTimeRefresh, localTimes, clockCheck, alertRecord, quietPeriodRecord
    /// An alert for an item with an infinite date.
    case unusableItem

    var messageID: MessageID {
        switch self {
        case .alertRecord, .quietPeriodRecord: .alertNotRecorded
        case .check, .nextAlertTime, .alertTimeRefresh, .localTimes, .clockCheck, .unusableItem:
            .evaluationFailed
        }
    }
}

/// The failures of the alert loop. A failed task is logged at its first failure, not once a minute.
final class AlertErrorLog {
    private let log: Log
    private let faultDidOccur: () -> Void
    /// The message of each task that failed when it was tried last.
    private var current: [AlertTask: String] = [:]

    /// Creates a log of failures.
    ///
    /// - Parameter faultDidOccur: called at each failure.
    init(_ log: Log, faultDidOccur: @escaping () -> Void) {
        self.log = log
        self.faultDidOccur = faultDidOccur
    }

    func record(_ message: String, of task: AlertTask) {
        // Called for a lasting failure, too, because its cause may have changed.
        faultDidOccur()
        guard current.updateValue(message, forKey: task) == nil else { return }
        log.write(.error, message, id: task.messageID)
    }

    /// Ends the failure of a task that has succeeded.
    func end(_ task: AlertTask) { current[task] = nil }

    /// Logs the failure of something that is not tried again.
    func report(_ message: String, _ id: MessageID) {
        faultDidOccur()
        log.write(.error, message, id: id)
    }

    /// The messages of the failures that have not ended.
    var messages: [String] { current.values.sorted() }
}
