package import CivilTime

/// The hours of each day without alerts, such as 22:00-07:00.
package struct QuietHours: Hashable, Sendable {
    /// Seconds since midnight, local time.
    ///
    /// If `end` is before `start`, it is on the next day.
    package let start: Int
    package let end: Int

    package init?(start: Int, end: Int) {
        let day = 0..<CivilDateTime.secondsPerDay
        guard day.contains(start), day.contains(end), start != end else { return nil }
        self.start = start
        self.end = end
    }

    /// Returns the quiet period that contains `moment`, or `nil` if there is none.
    package func period(at moment: Timestamp, zone: TimeZoneRules) -> QuietPeriod? {
        guard let today = zone.civil(at: moment)?.date else { return nil }
        return (0...1).lazy.compactMap { period(of: today, daysAgo: $0, zone) }
            .first { $0.since <= moment && moment < $0.until }
    }

    /// Returns the last quiet period that ended at or before `moment`.
    package func lastPeriod(before moment: Timestamp, zone: TimeZoneRules) -> QuietPeriod? {
        guard let today = zone.civil(at: moment)?.date else { return nil }
        return (0...2).lazy.compactMap { period(of: today, daysAgo: $0, zone) }.first { $0.until <= moment }
    }

    /// Returns the quiet period that begins `days` days before `date`.
    private func period(of date: CivilDate, daysAgo days: Int, _ zone: TimeZoneRules) -> QuietPeriod? {
        let isOverMidnight = end < start
        guard let first = date.adding(days: -days),
            let last = isOverMidnight ? first.adding(days: 1) : first
        else { return nil }
        return QuietPeriod(
            since: zone.moment(of: CivilDateTime(first, secondOfDay: start)),
            until: Self.lastMoment(of: CivilDateTime(last, secondOfDay: end), zone))
    }

    /// Returns the time at which a clock shows `civil`, or the second such time if the clock shows it twice.
    private static func lastMoment(of civil: CivilDateTime, _ zone: TimeZoneRules) -> Timestamp {
        let moment = zone.moment(of: civil)
        let dayLater = moment + Double(CivilDateTime.secondsPerDay)
        let second = moment + Double(zone.offset(at: moment) - zone.offset(at: dayLater))
        return second > moment && zone.civil(at: second) == civil ? second : moment
    }
}

/// A time span without alerts.
package struct QuietPeriod: Hashable, Sendable {
    package let since: Timestamp
    package let until: Timestamp

    package init(since: Timestamp, until: Timestamp) {
        self.since = since
        self.until = until
    }
}
