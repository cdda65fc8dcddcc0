package import CivilTime

/// Why a text names no moment, for the person who typed it.
package struct DatePhraseError: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { reason }
}

/// A time that a list is cut at.
package struct FilterBound: Hashable, Sendable {
    /// The time itself, or the midnight with which the day begins.
    package let moment: Timestamp
    /// The midnight with which the day ends, or `nil` if the text names a time of day.
    package let endOfDay: Timestamp?
}

/// Reads a time as people type it: `tomorrow 9am`, `friday 15:30`, `in 20 minutes`, `2026-12-24T18:00`, `1 dec`.
///
/// All of the text must make sense: a word left over, a day or a time that does not exist are errors, never a
/// guess. Without a time a day means `defaultTime`; without a day a time means the next one to come.
package struct DatePhrase {
    /// Longer than any time that a person types.
    package static let lengthLimit = 500

    private let now: Timestamp
    private let zone: TimeZoneRules
    private let today: CivilDateTime
    /// The second of the day meant by a date alone.
    private let defaultTime: Int
    /// Whether the past is as likely to be meant as the future.
    private var isFilter = false

    package static func moment(
        _ text: String, now: Timestamp, zone: TimeZoneRules, defaultTime: Int
    ) throws(DatePhraseError) -> Timestamp {
        try DatePhrase(now, zone, defaultTime).reading(text).moment
    }

    /// Reads a time as the bound of a filter, such as `list --due-before`.
    ///
    /// A day is its midnight, also when that is in the past: on a Monday `monday` is today. A date without a year is the
    /// one nearest to today, and a time without a day is today's.
    package static func filterBound(
        _ text: String, now: Timestamp, zone: TimeZoneRules
    ) throws(DatePhraseError) -> FilterBound {
        var phrase = try DatePhrase(now, zone, 0)
        phrase.isFilter = true
        let reading = try phrase.reading(text)
        guard reading.isDayAlone, let day = zone.civil(at: reading.moment)?.date else {
            return FilterBound(moment: reading.moment, endOfDay: nil)
        }
        let end =
            day.adding(days: 1).map { zone.moment(of: CivilDateTime($0, secondOfDay: 0)) }
            ?? reading.moment + Double(CivilDateTime.secondsPerDay)
        return FilterBound(moment: reading.moment, endOfDay: end)
    }

    /// When the clock next shows this second of the day.
    package static func next(
        _ secondOfDay: Int, after now: Timestamp, zone: TimeZoneRules
    ) throws(DatePhraseError) -> Timestamp {
        try DatePhrase(now, zone, secondOfDay).moment(nil, secondOfDay)
    }

    /// Whether a text names a time of day alone, such as `18:00`, which is the next one to come.
    package static func namesNoDay(_ text: String) -> Bool {
        guard text.utf8.count <= lengthLimit else { return false }
        var words = PhraseWords(text)
        return (try? words.timeOfDay()) != nil && words.isEmpty
    }

    private init(_ now: Timestamp, _ zone: TimeZoneRules, _ defaultTime: Int) throws(DatePhraseError) {
        // Nobody who says "in 3 minutes" means a fraction of a second.
        self.now = Timestamp(secondsSince1970: now.secondsSince1970.rounded(.down))
        guard let today = zone.civil(at: self.now) else {
            throw DatePhraseError(reason: "the clock shows no date")
        }
        self.today = today
        self.zone = zone
        self.defaultTime = defaultTime
    }

    private func reading(
        _ text: String
    ) throws(DatePhraseError) -> (moment: Timestamp, isDayAlone: Bool) {
        guard text.utf8.count <= Self.lengthLimit else {
            throw DatePhraseError(reason: "a time has \(Self.lengthLimit) bytes at most")
        }
        var words = PhraseWords(text)
        if let moment = RFC3339.moment(words.rest) { return (moment, false) }
        if words.isEmpty { throw DatePhraseError(reason: "no time given") }
        if words.takeOnly("now") { return (now, false) }
        if let duration = try words.duration() {
            guard let moment = duration.added(to: now, zone: zone) else { throw outOfRange }
            return (moment, false)
        }
        var date: DayPhrase?
        var time: Int?
        while !words.isEmpty {
            if time == nil, let found = try words.timeOfDay(in: date?.partOfDay) {
                time = found
            } else if date == nil, let found = try words.day(today: today.date) {
                date = found
            } else {
                throw DatePhraseError(reason: "cannot make sense of '\(words.rest)'")
            }
        }
        return (try moment(date, time), time == nil && date?.partOfDay == nil)
    }

    private func moment(_ day: DayPhrase?, _ time: Int?) throws(DatePhraseError) -> Timestamp {
        var second = time ?? defaultTime
        if time == nil, case .evening = day { second = DayPhrase.evening }
        let isAhead = second > today.secondOfDay
        let date: CivilDate? =
            switch day {
            case nil: isAhead || isFilter ? today.date : today.date.adding(days: 1)
            case .date(let date), .evening(let date): date
            case .weekday(let weekday, let mayBeToday):
                next(weekday, from: mayBeToday && (isAhead || isFilter) ? 0 : 1)
            case .yearly(let month, let day):
                isFilter ? nearest(month: month, day: day) : try yearly(month: month, day: day)
            }
        guard let date else { throw outOfRange }
        return zone.moment(of: CivilDateTime(date, secondOfDay: second))
    }

    private func next(_ weekday: Weekday, from first: Int) -> CivilDate? {
        let distance = (weekday.rawValue - today.date.weekday.rawValue + 7) % 7
        return today.date.adding(days: distance < first ? distance + 7 : distance)
    }

    /// `1 dec`: the next one, which may be today; 29 February waits for a leap year.
    private func yearly(month: Int, day: Int) throws(DatePhraseError) -> CivilDate {
        for year in today.date.year...today.date.year + 8 {
            guard let date = CivilDate(year: year, month: month, day: day) else { continue }
            if date >= today.date { return date }
        }
        throw DatePhraseError(reason: "there is no day \(day) in that month")
    }

    /// `1 dec` as a bound: the nearest one, in the past or in the future.
    private func nearest(month: Int, day: Int) -> CivilDate? {
        let dates = (-8...8).compactMap { CivilDate(year: today.date.year + $0, month: month, day: day) }
        return dates.reversed().min { distance(to: $0) < distance(to: $1) }
    }

    private func distance(to date: CivilDate) -> Int { abs(date.daysSince1970 - today.date.daysSince1970) }

    private var outOfRange: DatePhraseError {
        DatePhraseError(reason: "that lies outside the years 1 to 9999")
    }
}
