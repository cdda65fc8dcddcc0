internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// The quiet periods: the hours of the configuration, the period that the user chose, and the urgent items that get
/// alerts even then.
///
/// Confined to the queue of the alert loop.
final class QuietPeriods {
    private var doNotDisturb = DoNotDisturb()
    /// The least urgent priority at which alerts are sent even in quiet periods, or `nil`.
    private(set) var breakThrough: Int16?
    /// The time since which alerts have been delayed, or `nil`.
    private var delayedSince: Timestamp?
    private let coordinator: PersistentStoreCoordinator
    private let zone: LocalZone
    private let errorLog: AlertErrorLog

    /// Reads the period that the user chose from the store.
    init(_ coordinator: PersistentStoreCoordinator, zone: LocalZone, _ errorLog: AlertErrorLog) {
        self.coordinator = coordinator
        self.zone = zone
        self.errorLog = errorLog
        doNotDisturb.read(from: coordinator.store)
    }

    // MARK: - Settings

    func apply(_ hours: QuietHours?, breakThrough: Int16?) {
        doNotDisturb.hours = hours
        self.breakThrough = breakThrough
    }

    /// Changes the period that the user chose and saves it, so that it survives a restart.
    func change(_ change: (inout DoNotDisturb) -> Void) throws {
        var changed = doNotDisturb
        change(&changed)
        try changed.write(to: coordinator.store)
        doNotDisturb = changed
        errorLog.end(.quietPeriodRecord)
    }

    /// Reads the time zone of the machine again if it has changed.
    func refreshZone() { zone.refresh() }

    // MARK: - Periods

    /// Returns the quiet period at this time, or `nil` if alerts are not delayed then.
    func period(at moment: Timestamp) -> QuietPeriod? {
        doNotDisturb.period(at: moment, zone: zone.current)
    }

    /// Returns the forecast that predicts when alerts with a future alert time are sent.
    func forecast(at now: Timestamp) -> AlertForecast {
        AlertForecast(now: now, doNotDisturb: doNotDisturb, breakThrough: breakThrough, zone: zone.current)
    }

    // MARK: - Delayed alerts

    /// Keeps the time since which alerts have been delayed, and clears a quiet period of the user that has ended.
    func update(at now: Timestamp) {
        var begin = period(at: now)?.since
        if let request = doNotDisturb.request, now >= request.period.until {
            if request.isQuiet { begin = begin ?? request.period.since }
            endPastRequest(at: now)
        }
        if let begin { delayedSince = min(delayedSince ?? begin, begin) }
    }

    private func endPastRequest(at now: Timestamp) {
        guard !coordinator.hasBackgroundWriter else { return }
        do {
            try change { $0.endPastRequest(at: now) }
        } catch {
            // Retried at the next check.
            errorLog.record("Cannot record that the quiet period is over: \(error)", of: .quietPeriodRecord)
        }
    }

    /// Returns the time since which the alerts of these entries were delayed, or `nil` if they were not.
    ///
    /// - Parameter previous: the time of the check before, or `nil` for the first one.
    func delayBegin(
        of entries: [AlertRows.Entry], at now: Timestamp, after previous: Timestamp?
    ) -> Timestamp? {
        delayedSince ?? unnoticedDelayBegin(of: entries, at: now, after: previous)
    }

    /// Returns the start of quiet hours that ended without a check, because the daemon was off or the machine slept.
    ///
    /// Returns `nil` unless these quiet hours delayed the alert of one of the entries.
    private func unnoticedDelayBegin(
        of entries: [AlertRows.Entry], at now: Timestamp, after previous: Timestamp?
    ) -> Timestamp? {
        guard !entries.isEmpty, let period = doNotDisturb.hours?.lastPeriod(before: now, zone: zone.current),
            (previous ?? period.since) < period.until
        else { return nil }
        let wereDelayed = entries.contains { entry in
            entry.state.next.map { $0 >= period.since && $0 < period.until } ?? false
        }
        return wereDelayed ? period.since : nil
    }

    /// Forgets the delay, because the delayed alerts have been found.
    func endDelay() { delayedSince = nil }

    // MARK: - Clock changes

    /// Whether a quiet period of the user ended after this time, which is in the future.
    func hasEndedRequest(after moment: Timestamp) -> Bool { doNotDisturb.hasEndedRequest(after: moment) }

    /// Continues a quiet period of the user that ended only by a wrong clock.
    func clockWasSetBack(to now: Timestamp) {
        guard !coordinator.hasBackgroundWriter else { return }
        do {
            try change { $0.restoreEndedRequest(at: now) }
        } catch {
            errorLog.report("Cannot record that the quiet period continues: \(error)", .alertNotRecorded)
        }
    }
}
