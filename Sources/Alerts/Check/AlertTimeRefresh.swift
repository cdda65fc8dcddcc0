internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Keeps the stored alert times valid when the settings or the clock have changed.
///
/// They are computed again in batches. Confined to the queue of the alert loop.
final class AlertTimeRefresh {
    private let alertTimes: AlertTimes
    private let recorder: AlertRecorder
    private let quiet: QuietPeriods
    private let coordinator: PersistentStoreCoordinator
    private let errorLog: AlertErrorLog
    /// The ID after which the items still need new alert times, or `nil` if all stored alert times are valid.
    private var position: Int64?
    private var isQueued = false
    /// Whether the clock was set back since the alert times were computed. The batches then find the alerts that were
    /// sent too early.
    private var wasClockSetBack = false
    private var isClockOfStartChecked = false
    /// Whether the clock was right at the start and the store does not show it yet.
    private var isClockUnrecorded = false
    /// The changes of the time zone after which the moments of dates and floating times were set, or `nil` if they were
    /// not set since the start.
    private var zoneChanges: Int?

    init(
        alertTimes: AlertTimes, recorder: AlertRecorder, quiet: QuietPeriods,
        coordinator: PersistentStoreCoordinator, errorLog: AlertErrorLog
    ) {
        self.alertTimes = alertTimes
        self.recorder = recorder
        self.quiet = quiet
        self.coordinator = coordinator
        self.errorLog = errorLog
    }

    /// Applies settings, and returns whether the alert times must be computed again.
    func apply(_ settings: AlertSettings) -> Bool {
        let areOfOneLead = alertTimes.areOfOneLead
        guard alertTimes.apply(settings) else { return false }
        // The state looks as if the alert at the due time had been sent, but it was not.
        if areOfOneLead { wasClockSetBack = true }
        position = 0
        return true
    }

    // MARK: - Batches

    /// Whether all stored alert times are valid.
    var isComplete: Bool { position == nil }

    /// Computes the alert times of the next batch of items.
    ///
    /// - Returns: whether another batch must be queued. `beginBatch` is called then.
    func computeBatch() -> Bool {
        guard let begin = position, !isQueued, !coordinator.hasBackgroundWriter else { return false }
        do {
            position = try alertTimes.refresh(
                after: begin,
                whenSentEarly: wasClockSetBack ? { [recorder] in recorder.revoke($0) } : nil)
            if position == nil { wasClockSetBack = false }
            errorLog.end(.alertTimeRefresh)
        } catch {
            // Retried at the next check.
            errorLog.record("Cannot compute the alert times: \(error)", of: .alertTimeRefresh)
            return false
        }
        isQueued = position != nil
        return isQueued
    }

    /// Begins the batch that was queued.
    func beginBatch() { isQueued = false }

    /// Sets the moments of dates and floating times again if the time zone has changed.
    ///
    /// - Returns: whether another batch must be queued. `beginBatch` is called then.
    func refreshLocalTimes() -> Bool {
        let changes = alertTimes.zoneChanges
        guard zoneChanges != changes, !isQueued, !coordinator.hasBackgroundWriter else { return false }
        do {
            isQueued = try alertTimes.refreshLocalTimes()
            if !isQueued { zoneChanges = changes }
            errorLog.end(.localTimes)
        } catch {
            // Retried at the next check.
            errorLog.record("Cannot set the times of items in the time zone: \(error)", of: .localTimes)
            return false
        }
        return isQueued
    }

    // MARK: - Clock changes

    /// Finds out whether the clock was set back since the check before or, at the first check, while the daemon was
    /// off.
    func checkClock(at now: Timestamp, after previous: Timestamp?) {
        if !isClockOfStartChecked {
            checkClockOfStart(at: now)
        } else if let previous, now < previous - AlertPlanner.grace {
            clockWasSetBack(to: now)
        }
        if isClockUnrecorded { recordClock(at: now) }
    }

    /// Finds out whether the clock was set back while the daemon was off.
    ///
    /// If it was, the store has a record of a sent alert, or the end of a quiet period, in the future.
    private func checkClockOfStart(at now: Timestamp) {
        do {
            let wasClockAhead = try alertTimes.wasClockAhead(at: now)
            if wasClockAhead || quiet.hasEndedRequest(after: now + AlertPlanner.grace) {
                clockWasSetBack(to: now)
            } else if alertTimes.planner.settings.nag != nil {
                // The time of the next nag may come from the clock before the change, even if no recorded alert shows
                // it.
                position = 0
            }
            isClockOfStartChecked = true
            isClockUnrecorded = !wasClockAhead
            errorLog.end(.clockCheck)
        } catch {
            // Retried at the next check.
            errorLog.record("Cannot find out whether the clock was set back: \(error)", of: .clockCheck)
        }
    }

    /// Records that the clock was right at the start, so that the next start need not read all items.
    private func recordClock(at now: Timestamp) {
        guard !coordinator.hasBackgroundWriter else { return }
        do {
            try alertTimes.recordClock(at: now)
            isClockUnrecorded = false
        } catch let error as StoreError where error.code == .locked {
            // Retried at the next check.
        } catch {
            isClockUnrecorded = false
            errorLog.report("Cannot record the time of the first check: \(error)", .evaluationFailed)
        }
    }

    /// Adjusts the state after the clock was set back.
    ///
    /// Nags are due sooner then. Alerts that were sent while the clock was fast may have to be sent again at their
    /// time, and a quiet period may continue.
    func clockWasSetBack(to now: Timestamp) {
        wasClockSetBack = true
        isClockUnrecorded = false
        position = 0
        recorder.revoke(sentAfter: now)
        quiet.clockWasSetBack(to: now)
    }
}
