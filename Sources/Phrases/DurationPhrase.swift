package import CivilTime

/// `in 2 days`, `+2h30m`: whole days and months by the calendar, keeping the time on the clock; the rest by seconds.
package struct DurationPhrase {
    var months = 0
    var days = 0
    var seconds = 0.0

    package func added(to moment: Timestamp, zone: TimeZoneRules) -> Timestamp? {
        var result = moment
        if months != 0 || days != 0 {
            guard let start = zone.civil(at: moment),
                let date = start.date.adding(months: months)?.adding(days: days)
            else { return nil }
            result = zone.moment(of: CivilDateTime(date, secondOfDay: start.secondOfDay))
        }
        result = result + seconds
        return zone.civil(at: result) == nil ? nil : result
    }
}
