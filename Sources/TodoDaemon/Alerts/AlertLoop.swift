package import CivilTime
package import Dispatch
package import ObjectStore
package import Reminders
internal import Systemd

/// Looks once a minute for what is to be told, has it announced, and records that it was.
///
/// Announcing comes first: after a crash between the two a reminder may be told once more, but none is lost. Everything
/// here happens on the daemon's queue.
package final class AlertLoop {
    package private(set) var lastTick: Timestamp?
    /// How long the last look took, until what it found was on its way.
    package private(set) var lastTickDuration: Duration?
    package private(set) var doNotDisturb: DoNotDisturb

    private let context: ManagedObjectContext
    private let rule: AlertRule
    private let look: AlertLook
    private let points: AlertPoints
    private var settings: AlertSettings { points.planner.settings }
    /// Whether a change that takes long has the store: nothing is written then.
    private var isStoreLent: Bool { context.coordinator.isLent }
    /// Items of this priority or a more urgent one are told at quiet times too.
    private var breakThrough: Int16?

    private let sink: any AlertSink
    private let schedule: AlertSchedule
    private let queue: DispatchQueue
    private let zone: LocalZone
    private let now: @Sendable () -> Timestamp
    private let log: Log
    private let troubles: AlertTroubles
    private let recorder: AlertRecorder
    /// Called when the store could not be read or written.
    package var whenFaultOccurs: () -> Void {
        get { troubles.whenFaultOccurs }
        set { troubles.whenFaultOccurs = newValue }
    }
    /// Called after the look at each full minute.
    package var whenMinuteHasCome: () -> Void = {}
    private var timer: MinuteTimer?
    /// For the alert times between two full minutes.
    private var exactTimer: MomentTimer?

    /// The alerts that are on their way, by announcement: they are not given out again, however long it takes.
    private var underWay: [Int: [Alert]] = [:]
    private var announcementCount = 0
    /// How many saves there were: without one between them, what a look has read holds when it is recorded.
    private var saveCount = 0
    /// Empty when nothing is being announced; who ends the daemon waits for that.
    package let announcements = DispatchGroup()
    /// Since when alerts are held back.
    private var heldSince: Timestamp?
    /// Beyond which item the stored points have still to be computed anew; nil when they are right.
    private var refreshPosition: Int64?
    private var isRefreshQueued = false
    /// Whether the clock was set back since the points were computed: what was told too early has to be found.
    private var wasClockSetBack = false
    private var isClockOfStartChecked = false
    private var saves: Observation?

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
        troubles = AlertTroubles(log)
        recorder = AlertRecorder(context: context, points: points, now: now, troubles: troubles)
        rule = try AlertRule()
        look = try AlertLook(rule, points.records)
        doNotDisturb = DoNotDisturb()
        doNotDisturb.read(from: context.coordinator.store)
        saves = context.coordinator.observeSaves { [unowned self] _ in
            saveCount += 1
        }
    }

    // MARK: - Settings

    /// Puts settings in force. When the stored points depend on what has changed they are computed anew, a portion
    /// at a time.
    package func use(_ settings: AlertSettings, quietHours: QuietHours?, breakThrough: Int16?) {
        doNotDisturb.hours = quietHours
        self.breakThrough = breakThrough
        let areOfOneLead = points.areOfOneLead
        if points.use(settings) {
            // The alert at the due time was not sent then, though it seems so.
            if areOfOneLead { wasClockSetBack = true }
            refreshPosition = 0
            refresh()
        }
    }

    /// Computes the points of the next portion of items, and has the rest done after what waits in the queue.
    private func refresh() {
        guard let position = refreshPosition, !isRefreshQueued, !isStoreLent else { return }
        do {
            refreshPosition = try points.refresh(
                beyond: position,
                whenToldEarly: wasClockSetBack ? { [recorder] in recorder.takeBack($0) } : nil)
            if refreshPosition == nil { wasClockSetBack = false }
            troubles.end(.evaluationFailed)
        } catch {
            // Tried again at the next look.
            return troubles.note("Cannot compute when items are to be told: \(error)", .evaluationFailed)
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
        timer = try MinuteTimer(schedule, queue: queue) { [weak self] in
            self?.evaluate()
            self?.whenMinuteHasCome()
        }
        exactTimer = MomentTimer(queue: queue) { [weak self] in self?.evaluate() }
        evaluate()
    }

    package func stop() {
        timer?.stop()
        timer = nil
        exactTimer = nil
    }

    /// - Parameter check: the moment of the last check of all items, or `nil` if nothing is due now.
    private func armExactTimer(after check: Timestamp? = nil) {
        guard let exactTimer else { return }
        do {
            exactTimer.arm(at: try nextExactCheck(after: check))
        } catch {
            exactTimer.arm(at: nil)
            troubles.note("Cannot find the next alert time: \(error)", .evaluationFailed)
        }
    }

    /// The next alert time, or the end of a quiet period, if it is before the next scheduled check. It is in the past if it
    /// came after `check`, while the alerts of that check were sent.
    package func nextExactCheck(after check: Timestamp? = nil) throws -> Timestamp? {
        let now = now()
        let check = min(check ?? now, now)
        let quietEnd = doNotDisturb.period(at: check, zone: zone.current)?.until
        var next = quietEnd
        if quietEnd == nil || breakThrough != nil, let alert = try nextAlertTime(after: check) {
            next = next.map { min($0, alert) } ?? alert
        }
        return next.flatMap { $0 < schedule.next(after: now) ? $0 : nil }
    }

    private func nextAlertTime(after now: Timestamp) throws -> Timestamp? {
        if let earliest = points.earliest, now < earliest { return earliest }
        return try points.records.entriesWithoutLeads(rule.nextRequest(after: now)).first?.state.next
    }

    // MARK: - Looking

    /// Looks now if something that was changed may have to be told.
    package func evaluateIfDue() {
        if let earliest = points.earliest, now() < earliest { return armExactTimer() }
        evaluate()
    }

    /// Looks now, and returns the alerts that are on their way.
    @discardableResult
    package func evaluate() -> [Alert] {
        let begin = ContinuousClock.now
        let now = now()
        defer {
            lastTickDuration = begin.duration(to: .now)
            armExactTimer(after: now)
        }
        zone.refresh()
        let lookBefore = lastTick
        lastTick = now
        if !isClockOfStartChecked {
            checkClockOfStart(at: now)
        } else if let lookBefore, now < lookBefore - AlertPlanner.grace {
            clockWasSetBack(to: now)
        }
        refresh()
        _ = recorder.record()
        noteQuiet(at: now)
        if let earliest = points.earliest, now < earliest {
            heldSince = nil
            return []
        }
        do {
            let findings = try findings(at: now, lookBefore: lookBefore)
            try pass(findings, at: now)
            troubles.end(.evaluationFailed)
            announce(findings, at: now)
            if !findings.isQuiet {
                heldSince = nil
                if findings.alerts.isEmpty { try noteEarliestPoint() }
            }
            return findings.alerts
        } catch {
            troubles.note("Cannot look for what is due: \(error)", .evaluationFailed)
            return []
        }
    }

    /// What `evaluate` would announce now.
    package func preview() throws -> [Alert] {
        try findings(at: now(), lookBefore: lastTick).alerts
    }

    /// The item that a person hears of next, and when; nil when there is none.
    package func nextAlert() throws -> (moment: Timestamp, itemID: Int64, name: String)? {
        let outlook = outlook
        typealias Candidate = (moment: Timestamp, entry: AlertRecords.Entry, isHeld: Bool)
        func first(of request: FetchRequest<ToDo>) throws -> Candidate? {
            try points.records.entriesWithoutLeads(request).compactMap { entry -> Candidate? in
                guard let point = entry.state.next else { return nil }
                let end = outlook.end(ofHolding: point, priority: entry.priority)
                return (end ?? point, entry, end != nil)
            }.min { $0.moment < $1.moment }
        }
        guard var next = try first(of: rule.firstHeardRequest) else { return nil }
        // While it is held back others may be told whose points come later.
        if next.isHeld, let other = try first(of: rule.rivals(before: next.moment)) { next = other }
        if next.isHeld, let breakThrough,
            let other = try first(of: rule.rivals(before: next.moment, lowestPriority: breakThrough)),
            other.moment < next.moment
        {
            next = other
        }
        return (next.moment, next.entry.itemID, next.entry.name)
    }

    /// What becomes of alert points that lie ahead.
    package var outlook: AlertOutlook {
        AlertOutlook(
            now: now(), doNotDisturb: doNotDisturb, breakThrough: breakThrough, zone: zone.current)
    }

    /// Finds out whether the clock was set back while the daemon was off: then an alert is recorded that was sent in the
    /// future, or the end of a quiet period that is in the future.
    private func checkClockOfStart(at now: Timestamp) {
        do {
            let wasClockAhead = try points.wasClockAhead(at: now)
            if wasClockAhead || doNotDisturb.hasEndedWish(after: now + AlertPlanner.grace) {
                clockWasSetBack(to: now)
            } else if settings.nag != nil {
                // The next nag is of the clock as it was, and no alert has to be recorded.
                refreshPosition = 0
            }
            isClockOfStartChecked = true
        } catch {
            // Tried again at the next check.
            troubles.note("Cannot look for what is due: \(error)", .evaluationFailed)
        }
    }

    /// Nags lie nearer then, what was told while the clock was ahead may have to be told at its time, and a time of quiet may
    /// go on.
    private func clockWasSetBack(to now: Timestamp) {
        wasClockSetBack = true
        refreshPosition = 0
        recorder.takeBack(toldAfter: now)
        do {
            if !isStoreLent { try changeDoNotDisturb { $0.takeBackEndedWish(at: now) } }
        } catch {
            troubles.note("Cannot record that a time of quiet goes on: \(error)", .alertNotRecorded)
        }
    }

    private struct Findings {
        let isQuiet: Bool
        /// Since when alerts were held back, when that has just ended.
        var heldSince: Timestamp?
        var alerts: [Alert] = []
        /// Of what the alerts were made.
        var told: [AlertRecords.Entry] = []
        /// The items of which nobody is to be told, though their time has come.
        var passed: [AlertRecords.Entry] = []
        /// How many of these fell due too long ago.
        var tooOldCount = 0
    }

    private func findings(at now: Timestamp, lookBefore: Timestamp?) throws -> Findings {
        var findings = Findings(isQuiet: doNotDisturb.period(at: now, zone: zone.current) != nil)
        if findings.isQuiet, breakThrough == nil { return findings }
        var entries = try look.entries(
            at: now, settings, lowestPriority: findings.isQuiet ? breakThrough : nil)
        if !underWay.isEmpty {
            let announced = Set(underWay.values.joined().map(\.itemID))
            entries.removeAll { announced.contains($0.itemID) }
        }
        if !findings.isQuiet {
            findings.heldSince = heldSince ?? heldUnnoticed(entries, at: now, lookBefore: lookBefore)
        }
        for entry in entries {
            switch points.planner.action(
                for: recorder.state(of: entry), at: now, heldSince: findings.heldSince)
            {
            case .wait: break
            case .tell(let kind):
                findings.alerts.append(entry.alert(kind))
                findings.told.append(entry)
            case .pass: findings.passed.append(entry)
            case .giveUp:
                findings.passed.append(entry)
                findings.tooOldCount += 1
            }
        }
        findings.alerts.sort { Alert.isDueEarlier($0, $1) }
        return findings
    }

    /// The begin of quiet hours that ended while nobody looked, because the daemon did not run or the machine slept;
    /// nil unless some of these items would have been told in them.
    private func heldUnnoticed(
        _ entries: [AlertRecords.Entry], at now: Timestamp, lookBefore: Timestamp?
    ) -> Timestamp? {
        guard !entries.isEmpty, let period = doNotDisturb.hours?.lastPeriod(before: now, zone: zone.current),
            (lookBefore ?? period.since) < period.until
        else { return nil }
        let wereHeld = entries.contains { entry in
            entry.state.next.map { $0 >= period.since && $0 < period.until } ?? false
        }
        return wereHeld ? period.since : nil
    }

    private func noteEarliestPoint() throws {
        points.earliest =
            try points.records.entriesWithoutLeads(rule.firstRequest).first?.state.next
            ?? .never
    }

    /// Remembers since when alerts are held back.
    private func noteQuiet(at now: Timestamp) {
        var begin = doNotDisturb.period(at: now, zone: zone.current)?.since
        if let wish = doNotDisturb.wish, now >= wish.period.until {
            if wish.isQuiet { begin = begin ?? wish.period.since }
            do {
                if !isStoreLent { try changeDoNotDisturb { $0.forgetEndedWish(at: now) } }
            } catch {
                troubles.note("Cannot record that a time of quiet is over: \(error)", .alertNotRecorded)
            }
        }
        if let begin { heldSince = min(heldSince ?? begin, begin) }
    }

    private func pass(_ findings: Findings, at now: Timestamp) throws {
        guard !findings.passed.isEmpty, !isStoreLent else { return }
        try points.record(findings.passed, at: now) { entry in
            points.planner.state(recorder.state(of: entry), passing: now, due: entry.state.due, isTold: false)
        }
        guard findings.tooOldCount > 0 else { return }
        let items = findings.tooOldCount == 1 ? "item" : "items"
        log.write(
            .notice,
            "\(findings.tooOldCount) \(items) fell due longer than \(settings.catchUp) ago; nobody is told")
    }

    // MARK: - Announcing

    private func announce(_ findings: Findings, at now: Timestamp) {
        guard !findings.alerts.isEmpty else { return }
        let announcement = Announcement(findings.alerts, at: now, heldSince: findings.heldSince)
        announcementCount += 1
        underWay[announcementCount] = announcement.alerts
        announcements.enter()
        let loop = QueueConfined(self, to: queue)
        sink.announce(announcement) { [number = announcementCount, entries = findings.told, saveCount] told in
            loop.async { loop in
                loop.underWay[number] = nil
                let isAllAsRead = told.count == entries.count && saveCount == loop.saveCount
                loop.recorder.note(told, at: announcement.moment, isAllAsRead ? entries : nil)
                let now = loop.now()
                if announcement.moment > now + AlertPlanner.grace { loop.clockWasSetBack(to: now) }
                // Another alert time of these items may follow within the minute, or have come by now.
                loop.armExactTimer(after: announcement.moment)
                loop.announcements.leave()
            }
        }
    }

    // MARK: - Recording

    /// Records what is still to be recorded, before the store is closed. What cannot be saved at a second try either is
    /// named in the journal, item by item.
    package func recordLast() -> Bool {
        if recorder.record() || recorder.record() { return true }
        for item in recorder.unrecordedItems {
            log.write(
                .error, "The last alert of item \(item.id) could not be saved; it may be given once more",
                id: .itemNotSaved,
                fields: [(name: "TODO_ID", value: String(item.id))]
                    + (item.name.map { [(name: "TODO_NAME", value: $0)] } ?? []))
        }
        return false
    }
}
