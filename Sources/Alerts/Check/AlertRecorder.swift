internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Records sent alerts in the store. An alert that is not saved yet counts as sent, too.
final class AlertRecorder {
    private let context: ManagedObjectContext
    private let alertTimes: AlertTimes
    private let now: @Sendable () -> Timestamp
    private let errorLog: AlertErrorLog
    /// The last alert of each item, by item ID, that is not saved yet.
    private var unrecorded: [Int64: SentAlert] = [:]
    /// The alerts that were sent while the clock was fast, by item ID.
    ///
    /// If the clock is then set beyond its time, such an alert counts as sent again: the clock was right when it was
    /// sent, and wrong in between.
    private var revoked: [Int64: SentAlert] = [:]

    private struct SentAlert {
        let due: Timestamp?
        let moment: Timestamp
    }

    init(
        context: ManagedObjectContext, alertTimes: AlertTimes, now: @escaping @Sendable () -> Timestamp,
        errorLog: AlertErrorLog
    ) {
        self.context = context
        self.alertTimes = alertTimes
        self.now = now
        self.errorLog = errorLog
    }

    /// Returns the state in the store, updated by an alert that is not saved yet.
    func state(of entry: AlertRows.Entry) -> AlertState {
        guard let delivered = unrecorded[entry.itemID] else { return entry.state }
        return alertTimes.planner.state(
            entry.state, afterAlertsUpTo: delivered.moment, due: delivered.due, isSent: true)
    }

    /// Records alerts that were sent.
    ///
    /// - Parameter entries: the entries of these alerts if they have not changed since they were read, otherwise
    ///   `nil`.
    func record(_ alerts: [Alert], at moment: Timestamp, _ entries: [AlertRows.Entry]?) {
        let delivered = alerts.lazy.map { ($0.itemID, SentAlert(due: $0.due, moment: moment)) }
        for alert in alerts { revoked[alert.itemID] = nil }
        guard let entries, unrecorded.isEmpty else {
            unrecorded.merge(delivered) { $1 }
            _ = recordPending()
            return
        }
        let isRecorded = recording { now in
            try alertTimes.record(entries, at: moment) {
                state(of: $0, delivered: moment, due: $0.state.due, recorded: now)
            }
        }
        if !isRecorded { unrecorded.merge(delivered) { $1 } }
    }

    /// Records all alerts that are not saved yet in one save, and returns whether that succeeded.
    ///
    /// A failed save is retried at the next check.
    func recordPending() -> Bool {
        countAgain()
        guard !unrecorded.isEmpty else { return true }
        return recording { now in
            // An item that was deleted needs no record.
            let entries = try alertTimes.rows.entries(
                unrecorded.keys.sorted(), settings: alertTimes.planner.settings)
            let last = unrecorded.values.lazy.map(\.moment).max() ?? now
            try alertTimes.record(entries, at: last) { entry in
                unrecorded[entry.itemID].map {
                    state(of: entry, delivered: $0.moment, due: $0.due, recorded: now)
                } ?? entry.state
            }
            unrecorded = [:]
        }
    }

    // MARK: - Clock changes

    /// Remembers that the last alerts of these items were sent too early if their time is in the future.
    func revoke(_ entries: [AlertRows.Entry]) {
        let now = now()
        for entry in entries {
            guard let moment = entry.state.lastAlert, moment > now else { continue }
            revoked[entry.itemID] = SentAlert(due: entry.state.due, moment: moment)
        }
    }

    /// Remembers unsaved alerts as sent too early if their time is in the future.
    func revoke(sentAfter now: Timestamp) {
        let early = unrecorded.filter { $0.value.moment > now + AlertPlanner.grace }
        revoked.merge(early) { $1 }
        for itemID in early.keys { unrecorded[itemID] = nil }
    }

    private func countAgain() {
        guard !revoked.isEmpty else { return }
        let now = now()
        // A clock that was not set reaches the alert time itself, and the alert is sent then.
        let right = revoked.filter { $0.value.moment <= now - AlertPlanner.grace }
        unrecorded.merge(right) { present, _ in present }
        for itemID in right.keys { revoked[itemID] = nil }
    }

    /// The items with an alert that is still not recorded, and their names if they can be read.
    var unrecordedItems: [(id: Int64, name: String?)] {
        unrecorded.keys.sorted().map { id in
            do {
                return (id, try context.object(of: ToDo.self, id: id)?.name)
            } catch {
                errorLog.report("Cannot read the name of item \(id): \(error)", .evaluationFailed)
                return (id, nil)
            }
        }
    }

    /// Returns the state of an item after an alert. The next nag is after the time at which the alert is recorded.
    private func state(
        of entry: AlertRows.Entry, delivered moment: Timestamp, due: Timestamp?, recorded now: Timestamp
    ) -> AlertState {
        let planner = alertTimes.planner
        var state = planner.state(entry.state, afterAlertsUpTo: moment, due: due, isSent: true)
        state.next = planner.next(of: state, after: now)
        return state
    }

    /// Runs `body`, and returns whether the alerts were recorded.
    ///
    /// Does nothing while a background writer has the store's write lock. The daemon checks again when it is
    /// released.
    private func recording(_ body: (_ now: Timestamp) throws -> Void) -> Bool {
        if context.coordinator.hasBackgroundWriter { return false }
        do {
            try body(now())
            errorLog.end(.alertRecord)
            return true
        } catch {
            errorLog.record("Cannot record that alerts were sent: \(error)", of: .alertRecord)
            return false
        }
    }
}
