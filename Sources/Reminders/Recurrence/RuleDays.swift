internal import CivilTime

/// The days that a rule can name, found without libical.
///
/// libical searches 18,000 years for the first day of a monthly or yearly rule, which takes seconds if there is none.
/// This search covers only the given years, so a rule without a day in them is never passed to libical. It ignores
/// positions (`BYSETPOS`) and times of the day. A week also counts as named if the next or the previous one is.
struct RuleDays {
    private let frequency: Substring
    private let interval: Int
    private let months: [Int]
    private let monthDays: [Int]
    private let yearDays: [Int]
    private let weeks: [Int]
    private let weekdays: [(position: Int, day: Weekday)]
    private let weekStart: Weekday
    /// The rule's treatment of a day that its month lacks, `OMIT` by default.
    private let skip: Substring
    private let start: CivilDate

    init(of rule: RecurrenceRule, from start: CivilDate) {
        let numbers = { (key: String) in
            rule.value(of: key)?.split(separator: ",").compactMap { Int($0) } ?? []
        }
        self.start = start
        frequency = rule.value(of: "FREQ") ?? ""
        interval = max(1, rule.value(of: "INTERVAL").flatMap { Int($0) } ?? 1)
        skip = rule.value(of: "SKIP") ?? "OMIT"
        yearDays = numbers("BYYEARDAY")
        weeks = numbers("BYWEEKNO")
        weekStart = rule.value(of: "WKST").flatMap { Self.weekday($0) } ?? .monday
        weekdays =
            rule.value(of: "BYDAY")?.split(separator: ",").compactMap { text in
                Self.weekday(text.suffix(2)).map { (Int(text.dropLast(2)) ?? 0, $0) }
            } ?? []
        // A rule that names no day uses the day on which it starts.
        let namesDays = ["BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY"].contains {
            rule.value(of: $0) != nil
        }
        let isOfStart = !namesDays && (frequency == "MONTHLY" || frequency == "YEARLY")
        monthDays = isOfStart ? [start.day] : numbers("BYMONTHDAY")
        let isOfStartMonth = isOfStart && frequency == "YEARLY" && rule.value(of: "BYMONTH") == nil
        months = isOfStartMonth ? [start.month] : numbers("BYMONTH")
    }

    private static func weekday(_ code: Substring) -> Weekday? {
        Weekday.allCases.first { $0.shortName.prefix(2).uppercased() == code }
    }

    /// Returns the first day in a range that the rule can name, or `nil` if there is none.
    func first(from first: CivilDate, through last: CivilDate) -> CivilDate? {
        var day = first
        while day <= last {
            let length = CivilDate.days(inMonth: day.month, of: day.year)
            if isInInterval(day) {
                for number in day.day...length {
                    guard let date = CivilDate(year: day.year, month: day.month, day: number), date <= last
                    else { break }
                    if names(date) { return date }
                }
            }
            guard let next = CivilDate(year: day.year, month: day.month, day: length)?.adding(days: 1) else {
                return nil
            }
            day = next
        }
        return nil
    }

    /// Whether the interval includes the month of a day.
    private func isInInterval(_ date: CivilDate) -> Bool {
        // A skipped day and a week can be in the month or year after the one that the interval includes.
        guard skip == "OMIT", weeks.isEmpty else { return true }
        switch frequency {
        case "MONTHLY": return ((date.year - start.year) * 12 + date.month - start.month) % interval == 0
        case "YEARLY": return (date.year - start.year) % interval == 0
        default: return true
        }
    }

    private func names(_ date: CivilDate) -> Bool {
        (months.isEmpty || isOfMonth(date)) && (monthDays.isEmpty || monthDays.contains { isDay($0, date) })
            && (yearDays.isEmpty || isOfYearDay(date)) && (weeks.isEmpty || isOfWeek(date))
            && (weekdays.isEmpty || weekdays.contains { isWeekday($0.day, at: $0.position, date) })
    }

    private func isOfMonth(_ date: CivilDate) -> Bool {
        if months.contains(date.month) || frequency != "YEARLY" { return months.contains(date.month) }
        // A skipped day can be in the next month, or in the previous one.
        return (skip == "FORWARD" && date.day == 1 && months.contains((date.month + 10) % 12 + 1))
            || (skip == "BACKWARD" && date.day == length(of: date) && months.contains(date.month % 12 + 1))
    }

    private func isDay(_ day: Int, _ date: CivilDate) -> Bool {
        let length = length(of: date)
        if date.day == (day > 0 ? day : length + 1 + day) { return true }
        switch skip {
        case "BACKWARD":
            let missing = day > 0 ? length : date.adding(days: 1).map { self.length(of: $0) } ?? 31
            return date.day == length && abs(day) > missing
        case "FORWARD":
            let missing = day > 0 ? date.adding(days: -1).map { self.length(of: $0) } ?? 31 : length
            return date.day == 1 && abs(day) > missing
        default:
            return false
        }
    }

    private func length(of date: CivilDate) -> Int { CivilDate.days(inMonth: date.month, of: date.year) }

    private func isOfYearDay(_ date: CivilDate) -> Bool {
        let (number, length) = dayOfYear(date)
        return yearDays.contains { $0 == number || $0 == number - length - 1 }
    }

    private func dayOfYear(_ date: CivilDate) -> (number: Int, length: Int) {
        let first = CivilDate(year: date.year, month: 1, day: 1) ?? date
        return (date.daysSince1970 - first.daysSince1970 + 1, CivilDate.isLeap(date.year) ? 366 : 365)
    }

    private func isOfWeek(_ date: CivilDate) -> Bool {
        // The fourth day of a week is in the year that the week belongs to.
        let position = (date.weekday.rawValue - weekStart.rawValue + 7) % 7
        guard let middle = date.adding(days: 3 - position) else { return true }
        let number = (dayOfYear(middle).number - 1) / 7 + 1
        return weeks.contains { week in
            let distance = abs((week > 0 ? week : week + 53) - number)
            return min(distance, 53 - distance) <= 2
        }
    }

    /// Whether a day is the given weekday and, unless `position` is 0, the one at that position in its month or year.
    private func isWeekday(_ weekday: Weekday, at position: Int, _ date: CivilDate) -> Bool {
        guard date.weekday == weekday else { return false }
        if position == 0 { return true }
        let isInMonth = frequency == "MONTHLY" || !months.isEmpty || !monthDays.isEmpty
        let (number, length) = isInMonth ? (date.day, length(of: date)) : dayOfYear(date)
        return position == (number - 1) / 7 + 1 || -position == (length - number) / 7 + 1
    }
}
