package import CivilTime

/// When an alert is really sent, as things are now: later than its time if alerts are held back then.
package struct AlertOutlook: Sendable {
    private let now: Timestamp
    private let doNotDisturb: DoNotDisturb
    /// Alerts of items of this priority or a more urgent one are not held back.
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

    /// The end of the quiet period that holds back an alert, or `nil` if it is sent at its time.
    package func end(ofHolding time: Timestamp, priority: Int16) -> Timestamp? {
        if isUrgent(priority) { return nil }
        // An alert whose time is past is sent at the next check.
        let check = max(time, now)
        var moment = check
        // What a person wished for may end within the quiet hours.
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
