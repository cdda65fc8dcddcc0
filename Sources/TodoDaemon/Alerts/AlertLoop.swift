package import CivilTime
package import Dispatch
internal import Glibc
package import ObjectStore
package import Reminders
internal import Systemd

/// Looks once a minute for what is to be told, has it announced, and records that it was.
///
/// Announcing comes first: after a crash between the two a reminder may be told once more, but none is lost. Everything
/// here happens on the daemon's queue.
package final class AlertLoop {
    package private(set) var lastTick: Timestamp?
    package private(set) var doNotDisturb: DoNotDisturb

    private let context: ManagedObjectContext
    private let rule: AlertRule
    private let points: AlertPoints
    private var settings: AlertSettings { points.planner.settings }
    /// Items of this priority or a more urgent one are told at quiet times too.
    private var breakThrough: Int16?

    private let sink: any AlertSink
    private let schedule: AlertSchedule
    private let queue: DispatchQueue
    private let zone: LocalZone
    private let now: @Sendable () -> Timestamp
    private let log: Log
    /// Called when the store could not be read or written.
    package var whenFaultOccurs: () -> Void = {}
    private var timer: (any DispatchSourceTimer)?
    private var clockWatch: ClockWatch?

    /// The items of alerts that are on their way: they are not given out again, however long it takes.
    private var announced: Set<Int64> = []
    /// What they were made of, by the number of the announcement: it is wanted again when it is recorded.
    private var objects: [Int: [ManagedObject]] = [:]
    private var lastAnnouncement = 0
    /// Empty when nothing is being announced; who ends the daemon waits for that.
    package let announcements = DispatchGroup()
    /// What was told of which the store does not know it yet: it counts all the same.
    private var unrecorded: [Int64: Told] = [:]
    /// Since when alerts are held back.
    private var heldSince: Timestamp?
    /// Beyond which item the stored points have still to be computed anew; nil when they are right.
    private var refreshPosition: Int64?
    private var isRefreshQueued = false
    /// The earliest point that is stored; nil when that is not known. Before it a look needs no query.
    private var earliestPoint: Timestamp?
    private var saves: Observation?
    /// A trouble that lasts is logged when it begins, not once a minute.
    private var troubles: Set<MessageID> = []

    private struct Told {
        let due: Timestamp?
        let moment: Timestamp
    }

    /// Reads from the store what a person said about being disturbed. `points` has to be of the same context.
    package init(
        context: ManagedObjectContext, points: AlertPoints, sink: any AlertSink,
        schedule: AlertSchedule, queue: DispatchQueue, zone: LocalZone,
        now: @escaping @Sendable () -> Timestamp, log: Log
    ) throws {
        self.context = context
        self.points = points
        self.sink = sink
        self.schedule = schedule
        self.queue = queue
        self.zone = zone
        self.now = now
        self.log = log
        rule = try AlertRule()
        doNotDisturb = DoNotDisturb()
        doNotDisturb.read(from: context.coordinator.store)
        saves = context.coordinator.observeSaves { [unowned self] _ in earliestPoint = nil }
    }

    // MARK: - Settings

    /// Puts settings in force. When the stored points depend on what has changed they are computed anew, a portion
    /// at a time.
    package func use(_ settings: AlertSettings, quietHours: QuietHours?, breakThrough: Int16?) {
        doNotDisturb.hours = quietHours
        self.breakThrough = breakThrough
        if points.use(settings) {
            refreshPosition = 0
            refresh()
        }
    }

    /// Computes the points of the next portion of items, and has the rest done after what waits in the queue.
    private func refresh() {
        guard let position = refreshPosition, !isRefreshQueued else { return }
        do {
            refreshPosition = try points.refresh(beyond: position)
            troubles.remove(.evaluationFailed)
        } catch {
            // Tried again at the next look.
            return trouble("Cannot compute when items are to be told: \(error)", .evaluationFailed)
        }
        guard refreshPosition != nil else { return }
        isRefreshQueued = true
        QueueConfined(self, to: queue).async { loop in
            loop.isRefreshQueued = false
            loop.refresh()
            if loop.refreshPosition == nil { loop.evaluate() }
        }
    }

    /// Changes whether alerts are held back, and remembers it over a restart.
    package func changeDoNotDisturb(_ change: (inout DoNotDisturb) -> Void) throws {
        var changed = doNotDisturb
        change(&changed)
        try changed.write(to: context.coordinator.store)
        doNotDisturb = changed
    }

    /// The stretch of quiet that it is now; nil when alerts are given.
    package var quietPeriod: QuietPeriod? { doNotDisturb.period(at: now(), zone: zone.current) }

    // MARK: - Time

    package func start() throws {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.tick() }
        self.timer = timer
        arm()
        timer.resume()
        let loop = QueueConfined(self, to: queue)
        clockWatch = try ClockWatch(queue: queue) { loop.async { $0.tick() } }
        evaluate()
    }

    package func stop() {
        timer?.cancel()
        timer = nil
        clockWatch = nil
    }

    private func tick() {
        // A stopped loop may still find a tick in its queue.
        guard timer != nil else { return }
        arm()
        evaluate()
    }

    /// Sets the timer for one tick; an absolute time of the wall clock, so that it holds through a suspend.
    private func arm() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time = timespec(tv_sec: schedule.next(after: time.tv_sec), tv_nsec: 0)
        timer?.schedule(wallDeadline: DispatchWallTime(timespec: time))
    }

    // MARK: - Looking

    /// Looks now, and returns the alerts that are on their way.
    @discardableResult
    package func evaluate() -> [Alert] {
        let now = now()
        zone.refresh()
        let wasSetBack = lastTick.map { now < $0 - AlertPlanner.grace } ?? false
        lastTick = now
        // Nags are set for a moment of the clock as it was.
        if wasSetBack, settings.nag != nil { refreshPosition = 0 }
        refresh()
        _ = record()
        noteQuiet(at: now)
        if let earliestPoint, now < earliestPoint {
            heldSince = nil
            return []
        }
        do {
            let findings = try findings(at: now)
            try pass(findings, at: now)
            troubles.remove(.evaluationFailed)
            announce(findings, at: now)
            if !findings.isQuiet {
                heldSince = nil
                if findings.alerts.isEmpty { try noteEarliestPoint() }
            }
            return findings.alerts
        } catch {
            context.rollback()
            trouble("Cannot look for what is due: \(error)", .evaluationFailed)
            return []
        }
    }

    /// What `evaluate` would announce now.
    package func preview() throws -> [Alert] {
        try findings(at: now()).alerts
    }

    private struct Findings {
        let isQuiet: Bool
        var alerts: [Alert] = []
        /// What the alerts were made of.
        var objects: [ManagedObject] = []
        /// The items of which nobody is to be told, though their time has come.
        var passed: [ToDo] = []
        /// How many of these fell due too long ago.
        var tooOldCount = 0
    }

    private func findings(at now: Timestamp) throws -> Findings {
        var findings = Findings(isQuiet: doNotDisturb.period(at: now, zone: zone.current) != nil)
        if findings.isQuiet, breakThrough == nil { return findings }
        let items = try context.fetch(
            rule.request(
                now: now, quiet: settings.quiet, lowestPriority: findings.isQuiet ? breakThrough : nil))
        let alarms = try context.prefetch("alarms", of: items)
        for item in items where !announced.contains(item.id) {
            switch points.planner.action(for: state(of: item), at: now, heldSince: heldSince) {
            case .wait: break
            case .tell(let kind): findings.alerts.append(Alert(kind, of: item))
            case .pass: findings.passed.append(item)
            case .giveUp:
                findings.passed.append(item)
                findings.tooOldCount += 1
            }
        }
        findings.objects = items + alarms
        findings.alerts.sort { Alert.isDueEarlier($0, $1) }
        return findings
    }

    private func noteEarliestPoint() throws {
        earliestPoint =
            try context.fetch(rule.firstRequest).first?.nextAlertDate
            ?? Timestamp(secondsSince1970: .greatestFiniteMagnitude)
    }

    /// As the store has it, and what it does not know yet.
    private func state(of item: ToDo) -> AlertState {
        let state = item.alertState(settings)
        guard let told = unrecorded[item.id] else { return state }
        return points.planner.state(state, passing: told.moment, due: told.due, isTold: true)
    }

    /// Remembers since when alerts are held back.
    private func noteQuiet(at now: Timestamp) {
        var begin = doNotDisturb.period(at: now, zone: zone.current)?.since
        if let wish = doNotDisturb.wish, now >= wish.period.until {
            if wish.isQuiet { begin = begin ?? wish.period.since }
            do {
                try changeDoNotDisturb { $0.forgetEndedWish(at: now) }
            } catch {
                trouble("Cannot record that a time of quiet is over: \(error)", .alertNotRecorded)
            }
        }
        if let begin { heldSince = min(heldSince ?? begin, begin) }
    }

    private func pass(_ findings: Findings, at now: Timestamp) throws {
        guard !findings.passed.isEmpty else { return }
        for item in findings.passed {
            item.take(
                points.planner.state(state(of: item), passing: now, due: item.dueDate, isTold: false))
        }
        try context.save()
        guard findings.tooOldCount > 0 else { return }
        let items = findings.tooOldCount == 1 ? "item" : "items"
        log.write(
            .notice,
            "\(findings.tooOldCount) \(items) fell due longer than \(settings.catchUp) ago; nobody is told")
    }

    // MARK: - Announcing

    private func announce(_ findings: Findings, at now: Timestamp) {
        guard !findings.alerts.isEmpty else { return }
        let announcement = Announcement(
            findings.alerts, at: now, heldSince: findings.isQuiet ? nil : heldSince)
        announced.formUnion(announcement.alerts.map(\.itemID))
        lastAnnouncement += 1
        let number = lastAnnouncement
        objects[number] = findings.objects
        announcements.enter()
        let loop = QueueConfined(self, to: queue)
        sink.announce(announcement) { told in
            loop.async { $0.finish(announcement, number, told: told) }
        }
    }

    private func finish(_ announcement: Announcement, _ number: Int, told: [Alert]) {
        defer { objects[number] = nil }
        announced.subtract(announcement.alerts.map(\.itemID))
        for alert in told { unrecorded[alert.itemID] = Told(due: alert.due, moment: announcement.moment) }
        _ = record()
        announcements.leave()
    }

    // MARK: - Recording

    /// Writes down what was told, all in one save; what fails is tried again at the next look.
    private func record() -> Bool {
        guard !unrecorded.isEmpty else { return true }
        do {
            // An item that was deleted meanwhile needs no record.
            let items = try unrecorded.keys.compactMap { try context.object(of: ToDo.self, id: $0) }
            let alarms = try context.prefetch("alarms", of: items)
            for item in items { item.take(state(of: item)) }
            withExtendedLifetime(alarms) {}
            try context.save()
            unrecorded = [:]
            troubles.remove(.alertNotRecorded)
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
        for id in unrecorded.keys.sorted() {
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
        guard troubles.insert(id).inserted else { return }
        log.write(.error, message, id: id)
        whenFaultOccurs()
    }
}
