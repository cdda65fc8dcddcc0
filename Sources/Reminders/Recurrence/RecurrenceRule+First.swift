package import CivilTime

// The first time of an item, if no due time was typed.

extension RecurrenceRule {
    /// Whether its parts name hours or minutes.
    package var namesTime: Bool { value(of: "BYHOUR") != nil || value(of: "BYMINUTE") != nil }

    /// Whether a time has one of the hours and one of the minutes that its parts name.
    package func allows(secondOfDay second: Int) -> Bool {
        let (hours, minutes) = (numbers(of: "BYHOUR"), numbers(of: "BYMINUTE"))
        return (hours.isEmpty || hours.contains(second / 3_600))
            && (minutes.isEmpty || minutes.contains(second / 60 % 60))
    }

    /// The seconds of the day at which a rule of days repeats, in order: `defaultTime` unless its parts name others.
    package func timesOfDay(defaultTime: Int) -> [Int] {
        let (hours, minutes) = (numbers(of: "BYHOUR"), numbers(of: "BYMINUTE"))
        guard namesTime else { return [defaultTime] }
        let defaultMinute = hours.isEmpty ? defaultTime / 60 % 60 : 0
        return (hours.isEmpty ? [defaultTime / 3_600] : hours).flatMap { hour in
            (minutes.isEmpty ? [defaultMinute] : minutes).map { hour * 3_600 + $0 * 60 }
        }
    }

    /// The first time of the rule after `now`, from which its intervals are counted, or `nil` if it has none.
    ///
    /// - Parameter defaultTime: the second of the day at which a rule repeats that names no hours and minutes.
    package func firstTime(after now: Timestamp, defaultTime: Int, in zone: TimeZoneRules) -> Timestamp? {
        if stepWithinDay != nil { return firstWithinDay(after: now, in: zone) }
        guard let today = zone.civil(at: now)?.date, let tomorrow = today.adding(days: 1) else { return nil }
        let times = timesOfDay(defaultTime: defaultTime)
        let moments = [today, tomorrow].flatMap { date in
            times.map { zone.moment(of: CivilDateTime(date, secondOfDay: $0)) }
        }
        guard let base = moments.filter({ $0 > now }).min() else { return nil }
        return withoutInterval.first(from: base, in: zone)
    }
}
