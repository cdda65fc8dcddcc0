package import CivilTime
package import Dispatch
package import ObjectStore
package import Reminders
internal import Systemd

/// Checks once a minute which items need an alert, sends the alerts, and records them.
///
/// Alerts are sent before they are recorded. After a crash between the two, an alert may be sent twice, but none is
/// lost. Confined to its queue.
package final class AlertLoop {
    package private(set) var lastTick: Timestamp?
    /// The duration of the last check, until its alerts were handed to the sink.
    package private(set) var lastTickDuration: Duration?

    private let queue: DispatchQueue
    private let now: @Sendable () -> Timestamp
    private let timers: AlertTimers
    private let quiet: QuietPeriods
    private let timeRefresh: AlertTimeRefresh
    private let check: AlertCheck
    private let delivery: AlertDelivery
    private let errorLog: AlertErrorLog
    private let minuteDidPass: () -> Void

    /// Reads the do-not-disturb setting from the store.
    ///
    /// - Parameters:
    ///   - alertTimes: uses the same context.
    ///   - faultDidOccur: called when the store could not be read or written.
    ///   - minuteDidPass: called after the check at each full minute.
    package init(
        context: ManagedObjectContext, alertTimes: AlertTimes, sink: any AlertSink, schedule: AlertSchedule,
        queue: DispatchQueue, zone: LocalZone, now: @escaping @Sendable () -> Timestamp, log: Log,
        faultDidOccur: @escaping () -> Void = {}, minuteDidPass: @escaping () -> Void = {}
    ) throws {
        self.queue = queue
        self.now = now
        self.minuteDidPass = minuteDidPass
        let coordinator = context.coordinator
        timers = AlertTimers(schedule, queue: queue)
        errorLog = AlertErrorLog(log, faultDidOccur: faultDidOccur)
        quiet = QuietPeriods(coordinator, zone: zone, errorLog)
        let recorder = AlertRecorder(context: context, alertTimes: alertTimes, now: now, errorLog: errorLog)
        timeRefresh = AlertTimeRefresh(
            alertTimes: alertTimes, recorder: recorder, quiet: quiet, coordinator: coordinator,
            errorLog: errorLog)
        check = try AlertCheck(
            alertTimes: alertTimes, recorder: recorder, quiet: quiet, coordinator: coordinator,
            errorLog: errorLog, log: log)
        delivery = AlertDelivery(
            to: sink, recorder: recorder, coordinator: coordinator, queue: queue, log: log)
    }

    // MARK: - Settings

    /// Applies settings. If the stored alert times depend on a changed setting, they are computed again in batches.
    package func apply(_ settings: AlertSettings, quietHours: QuietHours?, breakThrough: Int16?) {
        dispatchPrecondition(condition: .onQueue(queue))
        quiet.apply(quietHours, breakThrough: breakThrough)
        if timeRefresh.apply(settings) { refresh() }
    }

    /// Computes the alert times of the next batch of items, and queues the rest after the work already in the queue.
    private func refresh() {
        guard timeRefresh.refreshLocalTimes() || timeRefresh.computeBatch() else { return }
        QueueConfined(self, to: queue).async { loop in
            loop.timeRefresh.beginBatch()
            loop.refresh()
            if loop.timeRefresh.isComplete { loop.evaluate() }
        }
    }

    /// Changes the do-not-disturb setting and saves it, so that it survives a restart.
    package func changeDoNotDisturb(_ change: (inout DoNotDisturb) -> Void) throws {
        dispatchPrecondition(condition: .onQueue(queue))
        try quiet.change(change)
    }

    /// The current quiet period, or `nil` if alerts are not delayed.
    package var quietPeriod: QuietPeriod? { quiet.period(at: now()) }

    /// The forecast that predicts when alerts with a future alert time are sent.
    package var forecast: AlertForecast { quiet.forecast(at: now()) }

    // MARK: - Time

    package func start() throws {
        try timers.start { [weak self] in
            self?.evaluate()
            self?.minuteDidPass()
        } exact: { [weak self] in
            self?.evaluate()
        }
        evaluate()
    }

    package func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        timers.stop()
    }

    /// Arms the timer for the next check between two full minutes.
    ///
    /// - Parameter check: the time of the last check of all items, or `nil` if nothing is due now.
    private func armExactTimer(after check: Timestamp? = nil) {
        guard timers.isRunning else { return }
        do {
            timers.arm(at: try nextExactCheck(after: check))
            errorLog.end(.nextAlertTime)
        } catch {
            timers.arm(at: nil)
            errorLog.record("Cannot find the next alert time: \(error)", of: .nextAlertTime)
        }
    }

    /// Returns the next alert time, or the end of a quiet period, if it is before the next scheduled check.
    ///
    /// The result is in the past if that time came after `check`, while the alerts of that check were being sent.
    package func nextExactCheck(after check: Timestamp? = nil) throws -> Timestamp? {
        let now = now()
        let next = try self.check.nextTime(after: min(check ?? now, now))
        return next.flatMap { timers.isBeforeNextCheck($0, now: now) ? $0 : nil }
    }

    // MARK: - Checking

    /// Checks now if a change may have made an alert due.
    package func evaluateIfDue() {
        dispatchPrecondition(condition: .onQueue(queue))
        if check.isNothingDue(at: now()) { return armExactTimer() }
        evaluate()
    }

    /// Checks now, and returns the alerts that are being sent.
    @discardableResult
    package func evaluate() -> [Alert] {
        dispatchPrecondition(condition: .onQueue(queue))
        let begin = ContinuousClock.now
        let now = now()
        defer {
            lastTickDuration = begin.duration(to: .now)
            armExactTimer(after: now)
        }
        quiet.refreshZone()
        let previous = lastTick
        lastTick = now
        timeRefresh.checkClock(at: now, after: previous)
        refresh()
        delivery.recordPending()
        quiet.update(at: now)
        if check.isNothingDue(at: now) {
            quiet.endDelay()
            return []
        }
        guard let findings = check.run(at: now, after: previous, except: delivery.itemIDsBeingSent) else {
            return []
        }
        delivery.send(findings, at: now) { [self] in didDeliver($0) }
        check.finish(findings)
        return findings.alerts
    }

    private func didDeliver(_ batch: AlertBatch) {
        let now = now()
        if batch.moment > now + AlertPlanner.grace { timeRefresh.clockWasSetBack(to: now) }
        // Another alert time of these items may follow within the minute, or may have passed by now.
        armExactTimer(after: batch.moment)
    }

    /// Returns the alerts that `evaluate` would send now.
    package func preview() throws -> [Alert] {
        try check.findings(at: now(), after: lastTick, except: delivery.itemIDsBeingSent).alerts
    }

    /// Returns the next item for which an alert will be sent, and when, or `nil` if there is none.
    package func nextAlert() throws -> (moment: Timestamp, itemID: Int64, name: String)? {
        try check.nextAlert(at: now())
    }

    /// The messages of failures that have not ended, such as a save on a full disk or an item with an infinite date.
    package var failures: [String] { errorLog.messages }

    // MARK: - End

    /// Empty while no alerts are being sent. The daemon waits for that before it ends.
    package var deliveries: DispatchGroup { delivery.deliveries }

    /// Records all unrecorded alerts before the store is closed, and returns whether that succeeded.
    ///
    /// A failed save is retried once. If that fails, too, each item is named in the journal.
    package func recordLast() -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return delivery.recordLast()
    }
}
