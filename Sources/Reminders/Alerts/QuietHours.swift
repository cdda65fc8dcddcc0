package import CivilTime

/// A time of every day at which nobody wants to be disturbed, such as 22:00-07:00.
package struct QuietHours: Hashable, Sendable {
    /// Seconds of the day on the clock on the wall; an end that is not later is on the next day.
    package let start: Int
    package let end: Int

    package init?(start: Int, end: Int) {
        let day = 0..<CivilDateTime.secondsPerDay
        guard day.contains(start), day.contains(end), start != end else { return nil }
        self.start = start
        self.end = end
    }

    /// The stretch of quiet that `moment` lies in; nil when it lies in none.
    package func period(at moment: Timestamp, zone: TimeZoneRules) -> QuietPeriod? {
        guard let civil = zone.civil(at: moment) else { return nil }
        let isOverMidnight = end < start
        let isAfterStart = civil.secondOfDay >= start
        let isBeforeEnd = civil.secondOfDay < end
        guard isOverMidnight ? isAfterStart || isBeforeEnd : isAfterStart && isBeforeEnd else { return nil }
        let first = isOverMidnight && !isAfterStart ? civil.date.adding(days: -1) : civil.date
        guard let first, let last = isOverMidnight ? first.adding(days: 1) : first else { return nil }
        return QuietPeriod(
            since: zone.moment(of: CivilDateTime(first, secondOfDay: start)),
            until: zone.moment(of: CivilDateTime(last, secondOfDay: end)))
    }
}

/// A stretch of time in which alerts are held back.
package struct QuietPeriod: Hashable, Sendable {
    package let since: Timestamp
    package let until: Timestamp

    package init(since: Timestamp, until: Timestamp) {
        self.since = since
        self.until = until
    }
}
