internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Writes down what was told; what the store does not know yet counts all the same.
final class AlertRecorder {
    private let context: ManagedObjectContext
    private let points: AlertPoints
    private let now: @Sendable () -> Timestamp
    private let troubles: AlertTroubles
    /// What was told of which the store does not know it yet.
    private var unrecorded: [Int64: Told] = [:]
    /// What was told by a clock that was ahead. Should it be that time after all, it counts again: then the clock was
    /// right, and wrong in between.
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

    /// As the store has it, and what it does not know yet.
    func state(of entry: AlertRecords.Entry) -> AlertState {
        guard let told = unrecorded[entry.itemID] else { return entry.state }
        return points.planner.state(entry.state, passing: told.moment, due: told.due, isTold: true)
    }

    /// Takes note of what was told, and writes it down.
    ///
    /// - Parameter entries: the items of these alerts, when they still are as they were read; nil otherwise.
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

    /// Writes down what was told and is not recorded yet, all in one save; what fails is tried again at the next look.
    func record() -> Bool {
        countAgain()
        guard !unrecorded.isEmpty else { return true }
        return recording { now in
            // An item that was deleted meanwhile needs no record.
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

    // MARK: - A clock that is set

    /// Takes note that these items are to be told once more, because it is not the time yet at which they were.
    func takeBack(_ entries: [AlertRecords.Entry]) {
        let now = now()
        for entry in entries {
            guard let moment = entry.state.lastAlert, moment > now else { continue }
            takenBack[entry.itemID] = Told(due: entry.state.due, moment: moment)
        }
    }

    /// The same for what was told and is not recorded.
    func takeBack(toldAfter now: Timestamp) {
        let early = unrecorded.filter { $0.value.moment > now + AlertPlanner.grace }
        takenBack.merge(early) { $1 }
        for itemID in early.keys { unrecorded[itemID] = nil }
    }

    private func countAgain() {
        guard !takenBack.isEmpty else { return }
        let now = now()
        // A clock that goes on comes to the alert time itself, at which the alert is sent.
        let right = takenBack.filter { $0.value.moment <= now - AlertPlanner.grace }
        unrecorded.merge(right) { present, _ in present }
        for itemID in right.keys { takenBack[itemID] = nil }
    }

    /// The items whose last alert is still not recorded, with the names of those that can be read.
    var unrecordedItems: [(id: Int64, name: String?)] {
        unrecorded.keys.sorted().map { ($0, (try? context.object(of: ToDo.self, id: $0))?.name) }
    }

    /// How an item stands after it was told; nags lie beyond the moment at which that is recorded.
    private func state(
        of entry: AlertRecords.Entry, told moment: Timestamp, due: Timestamp?, recorded now: Timestamp
    ) -> AlertState {
        let planner = points.planner
        var state = planner.state(entry.state, passing: moment, due: due, isTold: true)
        state.next = planner.next(of: state, after: now)
        return state
    }

    /// While a change that takes long has the store, what is to be written waits for its end, at which the daemon looks
    /// again.
    private func recording(_ body: (_ now: Timestamp) throws -> Void) -> Bool {
        if context.coordinator.isLent { return false }
        do {
            try body(now())
            troubles.end(.alertNotRecorded)
            return true
        } catch {
            troubles.note("Cannot record that alerts were given: \(error)", .alertNotRecorded)
            return false
        }
    }
}
