/// A unit of a length of time.
package enum LengthUnit: Int {
    /// The longest unit is first, and each unit is shorter than the one before it.
    case year, month, fortnight, week, day, workday, hour, minute, second, millisecond, microsecond

    /// Creates the unit that a word in lower case names, such as `h` or `weeks`, or returns `nil` for other words.
    package init?(_ word: some StringProtocol) {
        switch word {
        case "y", "yr", "yrs", "year", "years": self = .year
        case "mo", "mos", "month", "months": self = .month
        case "fortnight", "fortnights": self = .fortnight
        case "w", "wk", "wks", "week", "weeks": self = .week
        case "d", "day", "days": self = .day
        case "workday", "workdays", "weekday", "weekdays": self = .workday
        case "h", "hr", "hrs", "hour", "hours": self = .hour
        case "m", "min", "mins", "minute", "minutes": self = .minute
        case "s", "sec", "secs", "second", "seconds": self = .second
        case "ms", "msec": self = .millisecond
        case "us", "usec": self = .microsecond
        default: return nil
        }
    }
}

/// A part of a length of time, such as `1.5 hours`.
package struct LengthPart: Hashable {
    package let number: Double
    package let unit: LengthUnit
}
