/// A day of the Gregorian calendar, in the years 1 to 9999.
///
/// A value of this type is always a day that exists: `CivilDate(year: 2026, month: 2, day: 30)` is `nil`.
package struct CivilDate: Hashable, Sendable, Comparable {
    package static let years = 1...9999
    package static let last = CivilDate(checkedYear: 9999, month: 12, day: 31)

    // A date is a part of larger values that are copied often, so it takes four bytes.
    private let storedYear: Int16
    private let storedMonth, storedDay: Int8

    package var year: Int { Int(storedYear) }
    package var month: Int { Int(storedMonth) }
    package var day: Int { Int(storedDay) }

    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.init(checkedYear: year, month: month, day: day)
    }

    private init(checkedYear year: Int, month: Int, day: Int) {
        storedYear = Int16(year)
        storedMonth = Int8(month)
        storedDay = Int8(day)
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 31
        }
    }

    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    // MARK: - Counting days

    /// The number of days since 1970-01-01, which is negative before that day.
    ///
    /// Years are counted from March, so that the leap day is the last of its year and the offset of a month is a linear
    /// expression.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Creates the day that is `daysSince1970` days after 1970-01-01, or returns `nil` outside the years 1 to 9999.
    package init?(daysSince1970: Int) {
        let shifted = daysSince1970 + 719_468
        guard (306...3_652_364).contains(shifted) else { return nil }
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(year: year, month: month, day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    package func adding(days: Int) -> CivilDate? {
        let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
        return overflow ? nil : CivilDate(daysSince1970: sum)
    }

    /// Returns the same day `months` later, or the last day of that month if it is shorter.
    ///
    /// Returns `nil` outside the years 1 to 9999.
    package func adding(months: Int) -> CivilDate? {
        let (count, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, count >= 12 else { return nil }
        let month = count % 12 + 1
        return CivilDate(
            year: count / 12, month: month, day: min(day, Self.days(inMonth: month, of: count / 12)))
    }

    package var weekday: Weekday {
        let number = (daysSince1970 + 3) % 7
        return Weekday.allCases[number < 0 ? number + 7 : number]
    }
}

/// A day of the week, Monday first.
package enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The abbreviation in lists and replies, such as `Mon`.
    package var shortName: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}
