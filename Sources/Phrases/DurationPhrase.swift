package import CivilTime

/// `in 2 days`, `+2h30m`: whole days and months by the calendar, keeping the time on the clock; the rest by seconds.
package struct DurationPhrase: Hashable {
    var months = 0
    var days = 0
    /// Days from Monday to Friday.
    var workdays = 0
    var seconds = 0.0

    var negated: DurationPhrase {
        DurationPhrase(months: -months, days: -days, workdays: -workdays, seconds: -seconds)
    }

    /// The day that is so much later, or `nil` if there is none.
    func added(to date: CivilDate) -> CivilDate? {
        guard var date = date.adding(months: months)?.adding(days: days) else { return nil }
        guard workdays != 0 else { return date }
        let step = workdays.signum()
        // Five of them are a week, from whatever day they are counted.
        while date.weekday.isWeekend {
            guard let next = date.adding(days: -step) else { return nil }
            date = next
        }
        guard let week = date.adding(days: workdays / 5 * 7) else { return nil }
        date = week
        for _ in 0..<abs(workdays % 5) {
            repeat {
                guard let next = date.adding(days: step) else { return nil }
                date = next
            } while date.weekday.isWeekend
        }
        return date
    }

    package func added(to moment: Timestamp, zone: TimeZoneRules) -> Timestamp? {
        var result = moment
        if months != 0 || days != 0 || workdays != 0 {
            guard let start = zone.civil(at: moment), let date = added(to: start.date) else { return nil }
            result = zone.moment(of: CivilDateTime(date, secondOfDay: start.secondOfDay))
        }
        result = result + seconds
        return zone.civil(at: result) == nil ? nil : result
    }
}

extension Weekday {
    var isWeekend: Bool { self == .saturday || self == .sunday }

    /// `Monday`.
    var name: String { String(describing: self).capitalized }
}

extension String {
    var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
