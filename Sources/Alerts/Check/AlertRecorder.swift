internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Records sent alerts in the store. An alert that is not saved yet counts as sent, too.
final class AlertRecorder {
    private let context: ManagedObjectContext
    private let points: AlertPoints
    private let now: @Sendable () -> Timestamp
    private let troubles: AlertTroubles
    /// The last alert of each item, by item ID, that is not saved yet.
    private var unrecorded: [Int64: Told] = [:]
    /// The alerts that were sent while the clock was fast, by item ID.
    ///
    /// If the clock is then set beyond its time, such an alert counts as sent again: the clock was right when it was
    /// sent, and wrong in between.
    private var takenBack: [Int64: Told] = [:]

    private struct Told {
        let due: Timestamp?
        let moment: Timestamp
    }

    init(
        context: ManagedObjectContext, points: AlertPoints, now: @escaping @Sendable () -> Timestamp,
        troubles: AlertTroubles
    ) {
        self.context = context
        self.points = points
        self.now = now
        self.troubles = troubles
    }

    /// Returns the state in the store, updated by an alert that is not saved yet.
    func state(of entry: AlertRecords.Entry) -> AlertState {
        guard let told = unrecorded[entry.itemID] else { return entry.state }
        return points.planner.state(entry.state, passing: told.moment, due: told.due, isTold: true)
    }

    /// Records alerts that were sent.
    ///
    /// - Parameter entries: the entries of these alerts if they have not changed since they were read, otherwise
    ///   `nil`.
    func note(_ alerts: [Alert], at moment: Timestamp, _ entries: [AlertRecords.Entry]?) {
        let told = alerts.lazy.map { ($0.itemID, Told(due: $0.due, moment: moment)) }
        for alert in alerts { takenBack[alert.itemID] = nil }
        guard let entries, unrecorded.isEmpty else {
            unrecorded.merge(told) { $1 }
            _ = record()
            return
        }
        let isRecorded = recording { now in
            try points.record(entries, at: moment) {
                state(of: $0, told: moment, due: $0.state.due, recorded: now)
            }
        }
        if !isRecorded { unrecorded.merge(told) { $1 } }
    }

    /// Records all alerts that are not saved yet in one save, and returns whether that succeeded.
    ///
    /// A failed save is retried at the next check.
    func record() -> Bool {
        countAgain()
        guard !unrecorded.isEmpty else { return true }
        return recording { now in
            // An item that was deleted needs no record.
            let entries = try points.records.entries(unrecorded.keys.sorted(), points.planner.settings)
            let last = unrecorded.values.lazy.map(\.moment).max() ?? now
            try points.record(entries, at: last) { entry in
                unrecorded[entry.itemID].map {
                    state(of: entry, told: $0.moment, due: $0.due, recorded: now)
                } ?? entry.state
            }
            unrecorded = [:]
        }
    }

    // MARK: - Clock changes

    /// Remembers that the last alerts of these items were sent too early if their time is in the future.
    func takeBack(_ entries: [AlertRecords.Entry]) {
        let now = now()
        for entry in entries {
            guard let moment = entry.state.lastAlert, moment > now else { continue }
            takenBack[entry.itemID] = Told(due: entry.state.due, moment: moment)
        }
    }

    /// Remembers unsaved alerts as sent too early if their time is in the future.
    func takeBack(toldAfter now: Timestamp) {
        let early = unrecorded.filter { $0.value.moment > now + AlertPlanner.grace }
        takenBack.merge(early) { $1 }
        for itemID in early.keys { unrecorded[itemID] = nil }
    }

    private func countAgain() {
        guard !takenBack.isEmpty else { return }
        let now = now()
        // A clock that was not set reaches the alert time itself, and the alert is sent then.
        let right = takenBack.filter { $0.value.moment <= now - AlertPlanner.grace }
        unrecorded.merge(right) { present, _ in present }
        for itemID in right.keys { takenBack[itemID] = nil }
    }

    /// The items with an alert that is still not recorded, and their names if they can be read.
    var unrecordedItems: [(id: Int64, name: String?)] {
        unrecorded.keys.sorted().map { ($0, (try? context.object(of: ToDo.self, id: $0))?.name) }
    }

    /// Returns the state of an item after an alert. The next nag is after the time at which the alert is recorded.
    private func state(
        of entry: AlertRecords.Entry, told moment: Timestamp, due: Timestamp?, recorded now: Timestamp
    ) -> AlertState {
        let planner = points.planner
        var state = planner.state(entry.state, passing: moment, due: due, isTold: true)
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
            troubles.end(.alertNotRecorded)
            return true
        } catch {
            troubles.note("Cannot record that alerts were sent: \(error)", .alertNotRecorded)
            return false
        }
    }
}
