package import CivilTime
package import Dispatch
internal import Glibc
package import ObjectStore
package import Reminders
internal import Systemd

/// Looks once a minute for what is about to fall due, has it announced, and records that it was.
///
/// Announcing comes first: after a crash between the two a reminder may be told once more, but none is lost. Everything
/// here happens on the daemon's queue.
package final class AlertLoop {
    /// When the next look is due.
    package enum Schedule: Sendable {
        /// At the full minutes of the clock on the wall.
        case minutes
        /// So many seconds after the last one; for tests.
        case seconds(Int)
    }

    package var rule: AlertRule
    package private(set) var lastTick: Timestamp?

    private let context: ManagedObjectContext
    private let sink: any AlertSink
    private let schedule: Schedule
    private let queue: DispatchQueue
    private let now: @Sendable () -> Timestamp
    private let log: Log
    private var timer: (any DispatchSourceTimer)?

    /// Alerts are out and not told yet, so that the next tick must not give them out again.
    private var isAnnouncing = false
    /// Empty when nothing is being announced; who ends the daemon waits for that.
    package let announcements = DispatchGroup()
    /// When items were told of which the store does not know it yet: the quiet time holds for them all the same.
    private var unrecorded: [Int64: Timestamp] = [:]
    /// A trouble that lasts is logged when it begins, not once a minute.
    private var isInTrouble = false

    package init(
        context: ManagedObjectContext, rule: AlertRule, sink: any AlertSink, schedule: Schedule,
        queue: DispatchQueue, now: @escaping @Sendable () -> Timestamp, log: Log
    ) {
        self.context = context
        self.rule = rule
        self.sink = sink
        self.schedule = schedule
        self.queue = queue
        self.now = now
        self.log = log
    }

    // MARK: - Time

    package func start() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            self?.arm()
            self?.evaluate()
        }
        self.timer = timer
        arm()
        timer.resume()
        evaluate()
    }

    package func stop() {
        timer?.cancel()
        timer = nil
    }

    /// Sets the timer for one tick; an absolute time of the wall clock, so that it holds through a suspend.
    private func arm() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        switch schedule {
        case .minutes:
            time = timespec(tv_sec: (time.tv_sec / 60 + 1) * 60, tv_nsec: 0)
        case .seconds(let count):
            time.tv_sec += count
        }
        timer?.schedule(wallDeadline: DispatchWallTime(timespec: time))
    }

    // MARK: - Looking

    /// Looks now.
    package func evaluate() {
        let now = now()
        lastTick = now
        guard !isAnnouncing else { return }
        _ = record()
        do {
            let due = try context.fetch(rule.request(now: now)).filter { item in
                unrecorded[item.id].map { !rule.isQuiet(sinceAlertAt: $0, now: now) } ?? true
            }
            announce(due.map(Self.alert), at: now)
        } catch {
            trouble("Cannot look for what is due: \(error)", .evaluationFailed)
        }
    }

    private static func alert(for item: ToDo) -> Alert {
        Alert(
            kind: .dueSoon, itemID: item.id, uid: item.uid, name: item.name, due: item.dueDate,
            category: item.category?.name, priority: item.priority)
    }

    private func announce(_ alerts: [Alert], at moment: Timestamp) {
        guard !alerts.isEmpty else { return }
        isAnnouncing = true
        announcements.enter()
        let loop = QueueConfined(self, to: queue)
        sink.announce(Announcement(alerts, at: moment)) { told in
            loop.async { $0.wereTold(told, at: moment) }
        }
    }

    private func wereTold(_ alerts: [Alert], at moment: Timestamp) {
        isAnnouncing = false
        for alert in alerts { unrecorded[alert.itemID] = moment }
        _ = record()
        announcements.leave()
    }

    // MARK: - Recording

    /// Writes down when items were told, all in one save; what fails is tried again at the next tick.
    private func record() -> Bool {
        guard !unrecorded.isEmpty else { return true }
        do {
            for (id, moment) in unrecorded {
                // An item that was deleted meanwhile needs no record.
                try context.object(of: ToDo.self, id: id)?.lastAlertDate = moment
            }
            try context.save()
            unrecorded = [:]
            isInTrouble = false
            return true
        } catch {
            context.rollback()
            trouble("Cannot record that alerts were given: \(error)", .alertNotRecorded)
            return false
        }
    }

    /// Records what is still to be recorded, before the store is closed. What cannot be saved at a second try either is
    /// named in the journal, item by item.
    package func recordLast() -> Bool {
        if record() || record() { return true }
        for (id, _) in unrecorded.sorted(by: { $0.key < $1.key }) {
            let name = (try? context.object(of: ToDo.self, id: id))?.name
            log.write(
                .error, "The last alert of item \(id) could not be saved; it may be given once more",
                id: .itemNotSaved,
                fields: [(name: "TODO_ID", value: String(id))]
                    + (name.map { [(name: "TODO_NAME", value: $0)] } ?? []))
        }
        return false
    }

    private func trouble(_ message: String, _ id: MessageID) {
        guard !isInTrouble else { return }
        isInTrouble = true
        log.write(.error, message, id: id)
    }
}
