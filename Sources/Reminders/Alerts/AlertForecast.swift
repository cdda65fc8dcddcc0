package import CivilTime

/// The time at which an alert is actually sent with the current settings.
///
/// This is after the alert time if a quiet period delays the alert.
package struct AlertForecast: Sendable {
    private let now: Timestamp
    private let doNotDisturb: DoNotDisturb
    /// Alerts of items with this priority or a higher one are not delayed.
    private let breakThrough: Int16?
    private let zone: TimeZoneRules

    package init(
        now: Timestamp, doNotDisturb: DoNotDisturb, breakThrough: Int16?, zone: TimeZoneRules
    ) {
        self.now = now
        self.doNotDisturb = doNotDisturb
        self.breakThrough = breakThrough
        self.zone = zone
    }

    /// Returns the end of the quiet period that delays an alert, or `nil` if the alert is sent at its time.
    package func delayEnd(ofAlertAt time: Timestamp, priority: Int16) -> Timestamp? {
        if isUrgent(priority) { return nil }
        // An alert with a time in the past is sent at the next check.
        let check = max(time, now)
        var moment = check
        // A quiet period set by the user may end within the quiet hours.
        for _ in 0..<2 {
            guard let period = doNotDisturb.period(at: moment, zone: zone) else { break }
            moment = period.until
        }
        return moment > check ? moment : nil
    }

    private func isUrgent(_ priority: Int16) -> Bool {
        breakThrough.map { priority >= 1 && priority <= $0 } ?? false
    }
}
