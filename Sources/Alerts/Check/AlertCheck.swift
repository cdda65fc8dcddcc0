internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Finds the items that need an alert now, and the time of the next alert.
///
/// Confined to the queue of the alert loop.
final class AlertCheck {
    private let rule: AlertRule
    private let fetches: AlertFetches
    private let alertTimes: AlertTimes
    private let recorder: AlertRecorder
    private let quiet: QuietPeriods
    private let coordinator: PersistentStoreCoordinator
    private let errorLog: AlertErrorLog
    private let log: Log

    init(
        alertTimes: AlertTimes, recorder: AlertRecorder, quiet: QuietPeriods,
        coordinator: PersistentStoreCoordinator, errorLog: AlertErrorLog, log: Log
    ) throws {
        rule = AlertRule()
        fetches = try AlertFetches(rule, alertTimes.rows)
        self.alertTimes = alertTimes
        self.recorder = recorder
        self.quiet = quiet
        self.coordinator = coordinator
        self.errorLog = errorLog
        self.log = log
    }

    // MARK: - Now

    /// Whether it is known that no alert is due at this time.
    func isNothingDue(at now: Timestamp) -> Bool { alertTimes.earliest.map { now < $0 } ?? false }

    /// Checks all items, and records the entries that are due but get no alert. Returns `nil` if that fails.
    ///
    /// - Parameters:
    ///   - previous: the time of the check before, or `nil` for the first one.
    ///   - itemIDs: the items with alerts that are being sent.
    func run(at now: Timestamp, after previous: Timestamp?, except itemIDs: Set<Int64>) -> AlertFindings? {
        do {
            let findings = try findings(at: now, after: previous, except: itemIDs)
            try recordSkipped(findings, at: now)
            errorLog.end(.check)
            if let item = findings.unusable.first {
                errorLog.record(
                    "Item \(item.itemID) '\(item.name)' gets no alerts, because one of its dates is infinite; 'todod --check' "
                        + "names the date, to be corrected with sqlite3; the other items get their alerts",
                    of: .unusableItem)
            } else {
                errorLog.end(.unusableItem)
            }
            return findings
        } catch {
            errorLog.record("Cannot check for due items: \(error)", of: .check)
            return nil
        }
    }

    /// Ends a check after its alerts were passed on.
    func finish(_ findings: AlertFindings) {
        guard !findings.isQuiet else { return }
        quiet.endDelay()
        guard findings.alerts.isEmpty else { return }
        do {
            alertTimes.earliest =
                try alertTimes.rows.entriesWithoutLeads(rule.firstRequest).first?.state.next ?? .never
        } catch {
            errorLog.record("Cannot find the next alert time: \(error)", of: .nextAlertTime)
        }
    }

    /// Returns the findings of a check without any effect.
    func findings(
        at now: Timestamp, after previous: Timestamp?, except itemIDs: Set<Int64>
    ) throws -> AlertFindings {
        var findings = AlertFindings(isQuiet: quiet.period(at: now) != nil)
        if findings.isQuiet, quiet.breakThrough == nil { return findings }
        var entries = try fetches.entries(
            at: now, alertTimes.planner.settings, lowestPriority: findings.isQuiet ? quiet.breakThrough : nil)
        if !entries.allSatisfy(\.state.isFinite) {
            findings.unusable = entries.filter { !$0.state.isFinite }
            entries.removeAll { !$0.state.isFinite }
        }
        if !itemIDs.isEmpty { entries.removeAll { itemIDs.contains($0.itemID) } }
        if !findings.isQuiet {
            findings.delayedSince = quiet.delayBegin(of: entries, at: now, after: previous)
        }
        for entry in entries {
            switch alertTimes.planner.action(
                for: recorder.state(of: entry), at: now, delayedSince: findings.delayedSince)
            {
            case .wait: break
            case .send(let kind):
                findings.alerts.append(entry.alert(kind))
                findings.alerted.append(entry)
            case .skip: findings.skipped.append(entry)
            case .giveUp:
                findings.skipped.append(entry)
                findings.tooOldCount += 1
            }
        }
        findings.alerts.sort { Alert.isDueEarlier($0, $1) }
        return findings
    }

    private func recordSkipped(_ findings: AlertFindings, at now: Timestamp) throws {
        guard !findings.skipped.isEmpty, !coordinator.hasBackgroundWriter else { return }
        try alertTimes.record(findings.skipped, at: now) { entry in
            alertTimes.planner.state(
                recorder.state(of: entry), afterAlertsUpTo: now, due: entry.state.due, isSent: false)
        }
        guard findings.tooOldCount > 0 else { return }
        let items = findings.tooOldCount == 1 ? "item" : "items"
        log.write(
            .notice,
            "\(findings.tooOldCount) \(items) became due more than \(alertTimes.planner.settings.catchUp) ago; no alert is sent"
        )
    }

    // MARK: - Next

    /// Returns the time of the next alert, or the end of a quiet period, after the check at this time.
    func nextTime(after check: Timestamp) throws -> Timestamp? {
        let quietEnd = quiet.period(at: check)?.until
        guard quietEnd == nil || quiet.breakThrough != nil, let alert = try nextAlertTime(after: check) else {
            return quietEnd
        }
        return quietEnd.map { min($0, alert) } ?? alert
    }

    private func nextAlertTime(after moment: Timestamp) throws -> Timestamp? {
        if let earliest = alertTimes.earliest, moment < earliest { return earliest }
        return try alertTimes.rows.entriesWithoutLeads(rule.nextRequest(after: moment)).first?.state.next
    }

    /// Returns the next item for which an alert will be sent, and when, or `nil` if there is none.
    func nextAlert(at now: Timestamp) throws -> (moment: Timestamp, itemID: Int64, name: String)? {
        let forecast = quiet.forecast(at: now)
        typealias Candidate = (moment: Timestamp, entry: AlertRows.Entry, isDelayed: Bool)
        func first(of request: FetchRequest<ToDo>) throws -> Candidate? {
            try alertTimes.rows.entriesWithoutLeads(request).compactMap { entry -> Candidate? in
                guard entry.state.isFinite, let alertTime = entry.state.next else { return nil }
                let end = forecast.delayEnd(ofAlertAt: alertTime, priority: entry.priority)
                return (end ?? alertTime, entry, end != nil)
            }.min { $0.moment < $1.moment }
        }
        guard var next = try first(of: rule.firstUnmutedRequest) ?? first(of: rule.rivals(before: .never))
        else {
            return nil
        }
        // While this alert is delayed, alerts with a later alert time may be sent before it.
        if next.isDelayed, let other = try first(of: rule.rivals(before: next.moment)) { next = other }
        if next.isDelayed, let breakThrough = quiet.breakThrough,
            let other = try first(of: rule.rivals(before: next.moment, lowestPriority: breakThrough)),
            other.moment < next.moment
        {
            next = other
        }
        return (next.moment, next.entry.itemID, next.entry.name)
    }
}
