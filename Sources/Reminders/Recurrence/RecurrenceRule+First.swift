package import CivilTime

// The first time of a repeating item for which the user gives no due time.

extension RecurrenceRule {
    /// Whether the rule has days only, so that an item can repeat on dates.
    package var isOfDays: Bool { stepWithinDay == nil && !namesTime }

    /// Whether the rule names days or months, or counts months or years, so that it has other times in a zone with another date.
    package var dependsOnDates: Bool {
        let parts = ["BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH"]
        return ["MONTHLY", "YEARLY"].contains(value(of: "FREQ")) || parts.contains { value(of: $0) != nil }
    }

    /// Returns the rule with an end that has no time zone, as it belongs to a date or a floating time.
    package func withLocalEnd(in zone: TimeZoneRules, isDate: Bool) -> RecurrenceRule {
        guard value(of: "UNTIL") != nil, let end = ownEnd(in: zone) else { return self }
        let text = (isDate ? LocalTime.date(end.date) : .floating(end)).text
        let basic = text.filter { $0 != "-" && $0 != ":" }
        let parts = self.text.split(separator: ";").map { $0.hasPrefix("UNTIL=") ? "UNTIL=\(basic)" : $0 }
        return RecurrenceRule(checked: parts.joined(separator: ";"))
    }

    /// Whether the rule names hours or minutes.
    package var namesTime: Bool { value(of: "BYHOUR") != nil || value(of: "BYMINUTE") != nil }

    /// Whether the rule names days, hours or minutes, so that its times do not depend on its start.
    var namesDaysOrTimes: Bool {
        window != nil || text.split(separator: ";").contains { $0.hasPrefix("BY") }
    }

    /// Whether the rule allows the hour and the minute of a time of day.
    package func allows(secondOfDay second: Int) -> Bool {
        let (hours, minutes) = (numbers(of: "BYHOUR"), numbers(of: "BYMINUTE"))
        return (hours.isEmpty || hours.contains(second / 3_600))
            && (minutes.isEmpty || minutes.contains(second / 60 % 60))
    }

    /// Returns the times of day of a rule of days, in seconds and in order.
    ///
    /// This is `defaultTime` unless the rule names hours or minutes.
    package func timesOfDay(defaultTime: Int) -> [Int] {
        let (hours, minutes) = (numbers(of: "BYHOUR"), numbers(of: "BYMINUTE"))
        guard namesTime else { return [defaultTime] }
        let defaultMinute = hours.isEmpty ? defaultTime / 60 % 60 : 0
        return (hours.isEmpty ? [defaultTime / 3_600] : hours).flatMap { hour in
            (minutes.isEmpty ? [defaultMinute] : minutes).map { hour * 3_600 + $0 * 60 }
        }
    }

    /// Returns the first time of the rule after `now`, from which its intervals are counted, or `nil` if it has none.
    ///
    /// - Parameter defaultTime: the time of day, in seconds, for a rule that names no hours or minutes.
    package func firstTime(after now: Timestamp, defaultTime: Int, in zone: TimeZoneRules) -> Timestamp? {
        if stepWithinDay != nil { return firstWithinDay(after: now, in: zone) }
        guard let today = zone.civil(at: now)?.date, let tomorrow = today.adding(days: 1) else { return nil }
        let times = timesOfDay(defaultTime: defaultTime)
        let moments = [today, tomorrow].flatMap { date in
            times.map { (zone.moment(of: CivilDateTime(date, secondOfDay: $0)), $0) }
        }
        guard let (base, clock) = moments.filter({ $0.0 > now }).min(by: { $0.0 < $1.0 }) else { return nil }
        return withoutInterval.first(from: base, at: clock, in: zone)
    }

    /// Returns the first time of the rule at or after `base`, from which it counts, or `nil` if there is none.
    ///
    /// - Parameter secondOfDay: the intended time of day of `base`, for a day on which a change of the clocks skips it.
    package func first(
        from base: Timestamp, at secondOfDay: Int? = nil, in zone: TimeZoneRules
    ) -> Timestamp? {
        let meant = secondOfDay.flatMap { zone.civil(omittedAt: $0, insteadOf: base) }
        guard let start = meant ?? zone.civil(at: base) else { return nil }
        return next(after: base - 1, and: base - 1, from: start, in: zone)?.due
    }

    /// Returns the time from which the rule counts if `first` is its first time.
    ///
    /// This is `first`, unless a change of the clocks skips the intended time of day. It is then one or more intervals
    /// earlier, on a day that has the intended time of day. All later times then have it, too.
    ///
    /// - Parameter secondOfDay: the intended time of day.
    package func start(
        first: Timestamp, at secondOfDay: Int?, in zone: TimeZoneRules
    ) -> Timestamp {
        guard stepWithinDay == nil, !namesTime, let secondOfDay,
            let meant = zone.civil(omittedAt: secondOfDay, insteadOf: first)
        else { return first }
        let interval = max(1, value(of: "INTERVAL").flatMap { Int($0) } ?? 1)
        for count in 1...Self.yearsLimit {
            let distance = -count * interval
            let date =
                switch value(of: "FREQ") {
                case "DAILY": meant.date.adding(days: distance)
                case "WEEKLY": meant.date.adding(days: 7 * distance)
                case "MONTHLY": meant.date.adding(months: distance)
                default: meant.date.adding(months: 12 * distance)
                }
            guard let date else { return first }
            let civil = CivilDateTime(date, secondOfDay: secondOfDay)
            let isSameDay = date.day == meant.date.day || ["DAILY", "WEEKLY"].contains(value(of: "FREQ"))
            if isSameDay, let start = zone.moments(of: civil).first { return start }
        }
        return first
    }
}

extension TimeZoneRules {
    /// Returns the time of day `second` on the day of `moment` if a change of the clocks replaces it with `moment`, or
    /// `nil` otherwise.
    fileprivate func civil(omittedAt second: Int, insteadOf moment: Timestamp) -> CivilDateTime? {
        guard let date = civil(at: moment)?.date else { return nil }
        let civil = CivilDateTime(date, secondOfDay: second)
        return moments(of: civil).isEmpty && self.moment(of: civil) == moment ? civil : nil
    }
}
