internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The times that a predicate can name, such as `$tomorrow`. Apart from `$now`, each is the midnight at its
/// beginning.
struct PredicateVariables {
    private static let days = ["today", "tomorrow", "yesterday"]
    private static let weekdays = Weekday.allCases.map { "\($0)" }
    private static let periods = ["thisWeek", "nextWeek", "thisMonth", "nextMonth"]

    static let names = ["now"] + days + weekdays + periods

    let now: Timestamp
    let zone: TimeZoneRules
    let bound: (String) throws(APIError) -> FilterBound

    /// Returns the time of that name, or `nil` if there is none.
    func moment(_ name: String) throws(APIError) -> Timestamp? {
        if name == "now" { return now }
        if Self.days.contains(name) || Self.weekdays.contains(name) { return try bound(name).moment }
        guard let today = zone.civil(at: now)?.date, let date = Self.date(name, today) else { return nil }
        return zone.moment(of: CivilDateTime(date, secondOfDay: 0))
    }

    /// Returns the first day of a period. Weeks begin on Monday.
    private static func date(_ name: String, _ today: CivilDate) -> CivilDate? {
        let monday = -(Weekday.allCases.firstIndex(of: today.weekday) ?? 0)
        return switch name {
        case "thisWeek": today.adding(days: monday)
        case "nextWeek": today.adding(days: monday + Weekday.allCases.count)
        case "thisMonth": CivilDate(year: today.year, month: today.month, day: 1)
        case "nextMonth":
            CivilDate(
                year: today.month == 12 ? today.year + 1 : today.year, month: today.month % 12 + 1, day: 1)
        default: nil
        }
    }
}
