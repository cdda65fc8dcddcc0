/// The texts for moments and time spans that people read, relative to the current time.
package struct TimeInWords: Sendable {
    /// The abbreviations from `Jan` to `Dec`.
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Whether a lowercase word is a month or begins with the abbreviation of one: `dec`, `december`.
    package static func isMonth(_ word: String) -> Bool {
        monthNames.contains { word.hasPrefix($0.lowercased()) }
    }

    private let now: Timestamp
    private let zone: TimeZoneRules

    package init(now: Timestamp, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    /// Returns `today 17:00`, `tomorrow Sat 21 Nov 09:00` or `Tue 1 Dec 18:00`, with the year if it is not the current
    /// one.
    ///
    /// When the clocks are set back, an hour is repeated. In the repetition, the text ends with the abbreviation of the
    /// zone: `Sun 25 Oct 02:30 CET`.
    package func moment(_ moment: Timestamp) -> String { text(of: moment, withSeconds: false) }

    /// Returns the same text as `moment`, with the seconds if they are not 0: `today 10:30:15`.
    package func exactMoment(_ moment: Timestamp) -> String { text(of: moment, withSeconds: true) }

    private func text(of moment: Timestamp, withSeconds: Bool) -> String {
        guard let civil = zone.civil(at: moment), let today = zone.civil(at: now)?.date else {
            return RFC3339.text(moment) ?? "outside the calendar"
        }
        let time = time(civil, moment, withSeconds: withSeconds)
        return switch civil.date.daysSince1970 - today.daysSince1970 {
        case 0: "today \(time)"
        case 1: "tomorrow \(day(civil.date)) \(time)"
        case -1: "yesterday \(day(civil.date)) \(time)"
        default: "\(date(civil.date, today: today)) \(time)"
        }
    }

    /// Returns the same text without `today` and `tomorrow`, for a text that is also read on other days.
    package func lastingMoment(_ moment: Timestamp) -> String {
        guard let civil = zone.civil(at: moment), let today = zone.civil(at: now)?.date else {
            return RFC3339.text(moment) ?? "outside the calendar"
        }
        return "\(date(civil.date, today: today)) \(time(civil, moment))"
    }

    /// Returns the date with the year if it is not the current one.
    private func date(_ date: CivilDate, today: CivilDate) -> String {
        day(date) + (date.year == today.year ? "" : " \(Self.pad(date.year, to: 4))")
    }

    private func time(
        _ civil: CivilDateTime, _ moment: Timestamp, withSeconds: Bool = false
    ) -> String {
        let second = withSeconds && civil.second > 0 ? ":" + Self.pad(civil.second) : ""
        return Self.pad(civil.hour) + ":" + Self.pad(civil.minute) + second + zoneSuffix(civil, moment)
    }

    /// Returns a text such as `2026-10-25 02:30`.
    ///
    /// If the clock shows this time for the second time, the text ends with the abbreviation of the zone.
    package func sortableMoment(_ moment: Timestamp) -> String {
        guard let civil = zone.civil(at: moment) else { return self.moment(moment) }
        return civil.text + zoneSuffix(civil, moment)
    }

    private func zoneSuffix(_ civil: CivilDateTime, _ moment: Timestamp) -> String {
        let isSecond = zone.moment(of: civil).wholeSeconds < moment.wholeSeconds
        return isSecond ? " \(zone.abbreviation(at: moment))" : ""
    }

    /// Returns a shorter text for tables: `today 17:00`, `tomorrow 09:00`, `Tue 1 Dec 18:00`.
    package func shortMoment(_ moment: Timestamp) -> String {
        guard let civil = zone.civil(at: moment), let today = zone.civil(at: now)?.date else {
            return self.moment(moment)
        }
        return switch civil.date.daysSince1970 - today.daysSince1970 {
        case 1: "tomorrow \(time(civil, moment))"
        case -1: "yesterday \(time(civil, moment))"
        default: self.moment(moment)
        }
    }

    // MARK: - Dates and floating times

    /// Returns `today 17:00` or, for a date, `today` or `tomorrow Sat 21 Nov`.
    package func moment(_ time: CalendarTime) -> String {
        time.wholeDay.map { dateText($0, isLong: true) } ?? moment(time.moment(in: zone))
    }

    /// Returns the same text as `moment`, with the seconds of a time if they are not 0.
    package func exactMoment(_ time: CalendarTime) -> String {
        time.wholeDay.map { dateText($0, isLong: true) } ?? exactMoment(time.moment(in: zone))
    }

    /// Returns a shorter text for tables: `today 17:00`, or `tomorrow` for a date.
    package func shortMoment(_ time: CalendarTime) -> String {
        time.wholeDay.map { dateText($0, isLong: false) } ?? shortMoment(time.moment(in: zone))
    }

    /// Returns the same text as `moment` without `today` and `tomorrow`.
    package func lastingMoment(_ time: CalendarTime) -> String {
        guard let date = time.wholeDay, let today = zone.civil(at: now)?.date else {
            return lastingMoment(time.moment(in: zone))
        }
        return self.date(date, today: today)
    }

    /// Returns `2026-10-25 02:30`, or `2026-10-25` for a date.
    package func sortableMoment(_ time: CalendarTime) -> String {
        time.wholeDay.map { LocalTime.date($0).text } ?? sortableMoment(time.moment(in: zone))
    }

    private func dateText(_ date: CivilDate, isLong: Bool) -> String {
        guard let today = zone.civil(at: now)?.date else { return LocalTime.date(date).text }
        return switch date.daysSince1970 - today.daysSince1970 {
        case 0: "today"
        case 1: isLong ? "tomorrow \(day(date))" : "tomorrow"
        case -1: isLong ? "yesterday \(day(date))" : "yesterday"
        default: self.date(date, today: today)
        }
    }

    /// Returns the distance in days for a date: `today`, `tomorrow`, `in 4 days`, `2 weeks ago`.
    package func distance(to time: CalendarTime) -> String {
        guard let date = time.wholeDay, let today = zone.civil(at: now)?.date else {
            return distance(to: time.moment(in: zone))
        }
        let days = date.daysSince1970 - today.daysSince1970
        let length = Self.length(Double(abs(days) * CivilDateTime.secondsPerDay))
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case ..<0: "\(length) ago"
        default: "in \(length)"
        }
    }

    /// Returns `today 17:00, in 3 h`, `Fri 27 Nov, in 4 days` or `today`.
    package func momentWithDistance(_ time: CalendarTime) -> String {
        isNear(time) ? moment(time) : "\(moment(time)), \(distance(to: time))"
    }

    /// Whether a date is today, tomorrow or yesterday.
    package func isNear(_ time: CalendarTime) -> Bool {
        guard let date = time.wholeDay, let today = zone.civil(at: now)?.date else { return false }
        return abs(date.daysSince1970 - today.daysSince1970) <= 1
    }

    /// Returns whether a time is in the past or future. A date is `now` on its day.
    package func direction(of time: CalendarTime) -> Direction {
        guard let date = time.wholeDay, let today = zone.civil(at: now)?.date else {
            return direction(of: time.moment(in: zone))
        }
        return date < today ? .past : date == today ? .now : .future
    }

    // MARK: - Distances

    /// Returns `in 3 min`, `in 16 h`, `2 days ago` or `now`.
    package func distance(to moment: Timestamp) -> String {
        let length = Self.length(abs(moment - now))
        return switch direction(of: moment) {
        case .past: "\(length) ago"
        case .now: "now"
        case .future: "in \(length)"
        }
    }

    package enum Direction: Sendable {
        case past, now, future
    }

    /// Returns whether a moment is in the past or future, where `now` is a second long.
    package func direction(of moment: Timestamp) -> Direction {
        let seconds = moment - now
        return abs(seconds) < 0.5 ? .now : seconds < 0 ? .past : .future
    }

    /// Returns the rounded length in the largest unit of which it has nearly two or more: `3 min`, `90 min`, `37 h`,
    /// `2 days`.
    package static func length(_ seconds: Double) -> String {
        let units: [(seconds: Double, name: String)] = [
            (365.25 * 86_400, "years"), (30.44 * 86_400, "months"), (7 * 86_400, "weeks"), (86_400, "days"),
            (3_600, "h"), (60, "min"),
        ]
        // Tomorrow evening is closer to two days than to one, but `in 2 days` would be misleading.
        for unit in units where seconds / unit.seconds >= (unit.seconds == 60 ? 1.5 : 1.95) {
            return "\(Int((seconds / unit.seconds).rounded())) \(unit.name)"
        }
        return "\(Int(seconds.rounded())) s"
    }

    private func day(_ date: CivilDate) -> String {
        "\(date.weekday.shortName) \(date.day) \(Self.monthNames[date.month - 1])"
    }

    private static func pad(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
