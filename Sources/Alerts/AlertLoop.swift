package import CivilTime
package import Dispatch
package import ObjectStore
package import Reminders
internal import Systemd

/// Checks once a minute which items need an alert, sends the alerts, and records them.
///
/// Alerts are sent before they are recorded. After a crash between the two, an alert may be sent twice, but none is
/// lost. Everything here runs on the daemon's queue.
package final class AlertLoop {
    package private(set) var lastTick: Timestamp?
    /// The duration of the last check, until its alerts were handed to the sink.
    package private(set) var lastTickDuration: Duration?
    package private(set) var doNotDisturb: DoNotDisturb

    private let context: ManagedObjectContext
    private let rule: AlertRule
    private let look: AlertLook
    private let points: AlertPoints
    private var settings: AlertSettings { points.planner.settings }
    /// Whether a background writer has the store's write lock. The loop does not write then.
    private var isStoreLent: Bool { context.coordinator.hasBackgroundWriter }
    /// The least urgent priority at which alerts are sent even in quiet periods, or `nil`.
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
    /// Called after the check at each full minute.
    package var whenMinuteHasCome: () -> Void = {}
    private var timer: MinuteTimer?
    /// Fires at the alert times between two full minutes.
    private var exactTimer: MomentTimer?

    /// The alerts that are being sent, by the number of their batch. They are not sent again, however long it takes.
    private var underWay: [Int: [Alert]] = [:]
    private var announcementCount = 0
    /// The number of saves so far. If none happened since a check, the entries that it read are still valid.
    private var saveCount = 0
    /// Empty while no alerts are being sent. The daemon waits for that before it ends.
    package let announcements = DispatchGroup()
    /// The time since which alerts have been delayed, or `nil`.
    private var heldSince: Timestamp?
    /// The ID after which the items still need new alert times, or `nil` if all stored alert times are valid.
    private var refreshPosition: Int64?
    private var isRefreshQueued = false
    /// Whether the clock was set back since the alert times were computed. `refresh` then finds the alerts that were
    /// sent too early.
    private var wasClockSetBack = false
    private var isClockOfStartChecked = false
    private var saves: Observation?

    /// Reads the do-not-disturb setting from the store. `points` must use the same context.
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

    /// Applies settings. If the stored alert times depend on a changed setting, they are computed again in batches.
    package func use(_ settings: AlertSettings, quietHours: QuietHours?, breakThrough: Int16?) {
        doNotDisturb.hours = quietHours
        self.breakThrough = breakThrough
        let areOfOneLead = points.areOfOneLead
        if points.use(settings) {
            // The state looks as if the alert at the due time had been sent, but it was not.
            if areOfOneLead { wasClockSetBack = true }
            refreshPosition = 0
            refresh()
        }
    }

    /// Computes the alert times of the next batch of items, and queues the rest after the work already in the queue.
    private func refresh() {
        guard let position = refreshPosition, !isRefreshQueued, !isStoreLent else { return }
        do {
            refreshPosition = try points.refresh(
                beyond: position,
                whenToldEarly: wasClockSetBack ? { [recorder] in recorder.takeBack($0) } : nil)
            if refreshPosition == nil { wasClockSetBack = false }
            troubles.end(.evaluationFailed)
        } catch {
            // Retried at the next check.
            return troubles.note("Cannot compute the alert times: \(error)", .evaluationFailed)
        }
        guard refreshPosition != nil else { return }
        isRefreshQueued = true
        QueueConfined(self, to: queue).async { loop in
            loop.isRefreshQueued = false
            loop.refresh()
            if loop.refreshPosition == nil { loop.evaluate() }
        }
    }

    /// Changes the do-not-disturb setting and saves it, so that it survives a restart.
    package func changeDoNotDisturb(_ change: (inout DoNotDisturb) -> Void) throws {
        var changed = doNotDisturb
        change(&changed)
        try changed.write(to: context.coordinator.store)
        doNotDisturb = changed
    }

    /// The current quiet period, or `nil` if alerts are not delayed.
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

    /// Arms the timer for the next check between two full minutes.
    ///
    /// - Parameter check: the time of the last check of all items, or `nil` if nothing is due now.
    private func armExactTimer(after check: Timestamp? = nil) {
        guard let exactTimer else { return }
        do {
            exactTimer.arm(at: try nextExactCheck(after: check))
        } catch {
            exactTimer.arm(at: nil)
            troubles.note("Cannot find the next alert time: \(error)", .evaluationFailed)
        }
    }

    /// Returns the next alert time, or the end of a quiet period, if it is before the next scheduled check.
    ///
    /// The result is in the past if that time came after `check`, while the alerts of that check were being sent.
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

    // MARK: - Checking

    /// Checks now if a change may have made an alert due.
    package func evaluateIfDue() {
        if let earliest = points.earliest, now() < earliest { return armExactTimer() }
        evaluate()
    }

    /// Checks now, and returns the alerts that are being sent.
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
            if let item = findings.unusable.first {
                troubles.note(
                    "Item \(item.itemID) '\(item.name)' gets no alerts, because one of its dates is infinite; 'todod --check' "
                        + "names the date, to be corrected with sqlite3; the other items get their alerts",
                    .evaluationFailed)
            } else {
                troubles.end(.evaluationFailed)
            }
            announce(findings, at: now)
            if !findings.isQuiet {
                heldSince = nil
                if findings.alerts.isEmpty { try noteEarliestPoint() }
            }
            return findings.alerts
        } catch {
            troubles.note("Cannot check for due items: \(error)", .evaluationFailed)
            return []
        }
    }

    /// Returns the alerts that `evaluate` would send now.
    package func preview() throws -> [Alert] {
        try findings(at: now(), lookBefore: lastTick).alerts
    }

    /// Returns the next item for which an alert will be sent, and when, or `nil` if there is none.
    package func nextAlert() throws -> (moment: Timestamp, itemID: Int64, name: String)? {
        let outlook = outlook
        typealias Candidate = (moment: Timestamp, entry: AlertRecords.Entry, isHeld: Bool)
        func first(of request: FetchRequest<ToDo>) throws -> Candidate? {
            try points.records.entriesWithoutLeads(request).compactMap { entry -> Candidate? in
                guard entry.state.isFinite, let point = entry.state.next else { return nil }
                let end = outlook.end(ofHolding: point, priority: entry.priority)
                return (end ?? point, entry, end != nil)
            }.min { $0.moment < $1.moment }
        }
        guard var next = try first(of: rule.firstHeardRequest) ?? first(of: rule.rivals(before: .never))
        else {
            return nil
        }
        // While this alert is delayed, alerts with a later alert time may be sent before it.
        if next.isHeld, let other = try first(of: rule.rivals(before: next.moment)) { next = other }
        if next.isHeld, let breakThrough,
            let other = try first(of: rule.rivals(before: next.moment, lowestPriority: breakThrough)),
            other.moment < next.moment
        {
            next = other
        }
        return (next.moment, next.entry.itemID, next.entry.name)
    }

    /// The outlook that predicts when alerts with a future alert time are sent.
    package var outlook: AlertOutlook {
        AlertOutlook(
            now: now(), doNotDisturb: doNotDisturb, breakThrough: breakThrough, zone: zone.current)
    }

    /// Finds out whether the clock was set back while the daemon was off.
    ///
    /// If it was, the store has a record of a sent alert, or the end of a quiet period, in the future.
    private func checkClockOfStart(at now: Timestamp) {
        do {
            let wasClockAhead = try points.wasClockAhead(at: now)
            if wasClockAhead || doNotDisturb.hasEndedWish(after: now + AlertPlanner.grace) {
                clockWasSetBack(to: now)
            } else if settings.nag != nil {
                // The time of the next nag may come from the clock before the change, even if no recorded alert shows
                // it.
                refreshPosition = 0
            }
            isClockOfStartChecked = true
        } catch {
            // Retried at the next check.
            troubles.note("Cannot check for due items: \(error)", .evaluationFailed)
        }
    }

    /// Adjusts the state after the clock was set back.
    ///
    /// Nags are due sooner then. Alerts that were sent while the clock was fast may have to be sent again at their
    /// time, and a quiet period may continue.
    private func clockWasSetBack(to now: Timestamp) {
        wasClockSetBack = true
        refreshPosition = 0
        recorder.takeBack(toldAfter: now)
        do {
            if !isStoreLent { try changeDoNotDisturb { $0.takeBackEndedWish(at: now) } }
        } catch {
            troubles.note("Cannot record that the quiet period continues: \(error)", .alertNotRecorded)
        }
    }

    private struct Findings {
        let isQuiet: Bool
        /// The time since which alerts were delayed, if the quiet period has just ended.
        var heldSince: Timestamp?
        var alerts: [Alert] = []
        /// The entries from which the alerts were made.
        var told: [AlertRecords.Entry] = []
        /// The entries that are due but get no alert.
        var passed: [AlertRecords.Entry] = []
        /// The entries with a date that is not finite. Nothing can be recorded for them.
        var unusable: [AlertRecords.Entry] = []
        /// The number of passed entries that became due too long ago.
        var tooOldCount = 0
    }

    private func findings(at now: Timestamp, lookBefore: Timestamp?) throws -> Findings {
        var findings = Findings(isQuiet: doNotDisturb.period(at: now, zone: zone.current) != nil)
        if findings.isQuiet, breakThrough == nil { return findings }
        var entries = try look.entries(
            at: now, settings, lowestPriority: findings.isQuiet ? breakThrough : nil)
        findings.unusable = entries.filter { !$0.state.isFinite }
        entries.removeAll { !$0.state.isFinite }
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

    /// Returns the start of quiet hours that ended without a check, because the daemon was off or the machine slept.
    ///
    /// Returns `nil` unless these quiet hours delayed the alert of one of the entries.
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

    /// Keeps the time since which alerts have been delayed, and clears a quiet period of the user that has ended.
    private func noteQuiet(at now: Timestamp) {
        var begin = doNotDisturb.period(at: now, zone: zone.current)?.since
        if let wish = doNotDisturb.wish, now >= wish.period.until {
            if wish.isQuiet { begin = begin ?? wish.period.since }
            do {
                if !isStoreLent { try changeDoNotDisturb { $0.forgetEndedWish(at: now) } }
            } catch {
                troubles.note("Cannot record that the quiet period is over: \(error)", .alertNotRecorded)
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
            "\(findings.tooOldCount) \(items) became due more than \(settings.catchUp) ago; no alert is sent")
    }

    // MARK: - Sending

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
                // Another alert time of these items may follow within the minute, or may have passed by now.
                loop.armExactTimer(after: announcement.moment)
                loop.announcements.leave()
            }
        }
    }

    // MARK: - Recording

    /// Records all unrecorded alerts before the store is closed, and returns whether that succeeded.
    ///
    /// A failed save is retried once. If that fails, too, each item is named in the journal.
    package func recordLast() -> Bool {
        if recorder.record() || recorder.record() { return true }
        for item in recorder.unrecordedItems {
            log.write(
                .error, "The last alert of item \(item.id) could not be saved; it may be sent again",
                id: .itemNotSaved,
                fields: [(name: "TODO_ID", value: String(item.id))]
                    + (item.name.map { [(name: "TODO_NAME", value: $0)] } ?? []))
        }
        return false
    }
}
