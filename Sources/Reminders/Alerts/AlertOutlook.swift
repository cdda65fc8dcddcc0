package import CivilTime

/// When a person really hears of an alert point that lies ahead, as things stand now: later than the point when alerts are
/// held back then, or when the item was told just before.
package struct AlertOutlook: Sendable {
    private let now: Timestamp
    /// The least time between two alerts of an item.
    private let quiet: TimeSpan
    private let doNotDisturb: DoNotDisturb
    /// Items of this priority or a more urgent one are told at quiet times too.
    private let breakThrough: Int16?
    private let zone: TimeZoneRules

    package init(
        now: Timestamp, quiet: TimeSpan, doNotDisturb: DoNotDisturb, breakThrough: Int16?,
        zone: TimeZoneRules
    ) {
        self.now = now
        self.quiet = quiet
        self.doNotDisturb = doNotDisturb
        self.breakThrough = breakThrough
        self.zone = zone
    }

    /// Until when the point of an item is held back; nil when it is told at its time.
    package func end(ofHolding point: Timestamp, lastAlert: Timestamp?, priority: Int16) -> Timestamp? {
        // A point that is past is told at the next look.
        let look = max(point, now)
        var moment = look
        // A last alert that lies behind that was given before the clock was set back.
        if let lastAlert, lastAlert <= look { moment = max(moment, lastAlert + quiet.seconds) }
        if !isUrgent(priority) {
            // What a person wished for may end within the quiet hours.
            for _ in 0..<2 {
                guard let period = doNotDisturb.period(at: moment, zone: zone) else { break }
                moment = period.until
            }
        }
        return moment > look ? moment : nil
    }

    private func isUrgent(_ priority: Int16) -> Bool {
        breakThrough.map { priority >= 1 && priority <= $0 } ?? false
    }
}
