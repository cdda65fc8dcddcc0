package import CivilTime

extension PhraseWords {
    /// `tomorrow`, `next friday`, `in 3 days`, `2026-12-24`, `1 dec 2027`, `end of month`; nil when the next words are
    /// no day.
    mutating func day(today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        if take("today") { return .date(today) }
        if take("tonight") { return .evening(today) }
        if take("tomorrow") { return try date(today.adding(days: 1)) }
        if take("yesterday") { return try date(today.adding(days: -1)) }
        if take("day", "after", "tomorrow") || take("the", "day", "after", "tomorrow") {
            return try date(today.adding(days: 2))
        }
        if take("next", "week") { return try date(today.adding(days: 7)) }
        if take("next", "month") { return try date(today.adding(months: 1)) }
        if take("next", "year") { return try date(today.adding(months: 12)) }
        if take("end", "of", "month") || take("eom") {
            return try date(
                CivilDate(
                    year: today.year, month: today.month,
                    day: CivilDate.days(inMonth: today.month, of: today.year)))
        }
        if take("end", "of", "year") || take("eoy") {
            return try date(CivilDate(year: today.year, month: 12, day: 31))
        }
        if let (distance, wordCount) = calendarDistance() {
            words = words.dropFirst(wordCount)
            return try date(today.adding(months: distance.months)?.adding(days: distance.days))
        }
        let before = words
        if take("this"), words.first.flatMap(PartOfDay.init) != nil { return .date(today) }
        words = before
        if take("on") || take("this"), let day = try namedDay() { return day }
        words = before
        return try namedDay()
    }

    /// `friday`, `next friday`, `2026-12-24`, `24.12.`, `1 dec`.
    private mutating func namedDay() throws(DatePhraseError) -> DayPhrase? {
        if let weekday = words.first.flatMap(Self.weekday) {
            takeFirst()
            return .weekday(weekday, mayBeToday: true)
        }
        if words.first == "next", let weekday = words.dropFirst().first.flatMap(Self.weekday) {
            words = words.dropFirst(2)
            return .weekday(weekday, mayBeToday: false)
        }
        if let word = words.first, word.contains("-"), let date = try Self.isoDate(word) {
            takeFirst()
            return .date(date)
        }
        if let day = try words.first.flatMap({ (word) throws(DatePhraseError) in try Self.dottedDay(word) }) {
            takeFirst()
            return day
        }
        return try monthAndDay()
    }

    private func date(_ date: CivilDate?) throws(DatePhraseError) -> DayPhrase {
        guard let date else { throw DatePhraseError(reason: "that lies outside the years 1 to 9999") }
        return .date(date)
    }

    /// Nil when `word` has not the form of such a date; an error when there is no such day.
    private static func isoDate(_ word: Substring) throws(DatePhraseError) -> CivilDate? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { part in part.allSatisfy { ("0"..."9").contains($0) } }
        guard parts.map(\.count) == [4, 2, 2], isDigits else { return nil }
        let numbers = parts.compactMap { Int($0) }
        return try existing(numbers[0], numbers[1], numbers[2])
    }

    /// `24.12.`, `24.12.2026`. Dots are written by people who put the day first; of `12/24` nobody knows who wrote it.
    private static func dottedDay(_ word: Substring) throws(DatePhraseError) -> DayPhrase? {
        let isSlashed = word.contains("/")
        let parts = word.split(separator: isSlashed ? "/" : ".", omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { part in part.allSatisfy { ("0"..."9").contains($0) } }
        guard isDigits, parts.count > 1, parts.prefix(2).allSatisfy({ (1...2).contains($0.count) }) else {
            return nil
        }
        if isSlashed {
            throw DatePhraseError(reason: "'\(word)' does not say which of its numbers is the month")
        }
        guard parts.count == 3, [0, 4].contains(parts[2].count) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        if numbers.count == 3 { return .date(try existing(numbers[2], numbers[1], numbers[0])) }
        return try yearly(month: numbers[1], day: numbers[0])
    }

    /// A day of whatever year.
    private static func yearly(month: Int, day: Int) throws(DatePhraseError) -> DayPhrase {
        guard (1...12).contains(month) else { throw DatePhraseError(reason: "there is no month \(month)") }
        // In a leap year every day exists that ever does.
        let count = CivilDate.days(inMonth: month, of: 2000)
        guard (1...count).contains(day) else {
            throw DatePhraseError(
                reason: "\(monthNames[month - 1].capitalized) has \(count) days, there is no day \(day)")
        }
        return .yearly(month: month, day: day)
    }

    private static func existing(_ year: Int, _ month: Int, _ day: Int) throws(DatePhraseError) -> CivilDate {
        if let date = CivilDate(year: year, month: month, day: day) { return date }
        guard (1...12).contains(month) else { throw DatePhraseError(reason: "there is no month \(month)") }
        guard CivilDate.years.contains(year) else {
            throw DatePhraseError(reason: "the year \(year) is outside 1 to 9999")
        }
        let count = CivilDate.days(inMonth: month, of: year)
        throw DatePhraseError(
            reason: "\(monthNames[month - 1].capitalized) \(year) has \(count) days, there is no day \(day)")
    }

    /// `1 dec`, `dec 1`, `1st december 2027`.
    private mutating func monthAndDay() throws(DatePhraseError) -> DayPhrase? {
        let pair = Array(words.prefix(2))
        guard pair.count == 2 else { return nil }
        let month: Int
        let day: Int
        if let number = Self.dayNumber(pair[0]), let found = Self.month(pair[1]) {
            (day, month) = (number, found)
        } else if let number = Self.dayNumber(pair[1]), let found = Self.month(pair[0]) {
            (day, month) = (number, found)
        } else {
            return nil
        }
        words = words.dropFirst(2)
        if let word = words.first, word.count == 4, word.allSatisfy({ ("0"..."9").contains($0) }),
            let year = Int(word)
        {
            takeFirst()
            return .date(try Self.existing(year, month, day))
        }
        return try Self.yearly(month: month, day: day)
    }

    private static func dayNumber(_ word: Substring) -> Int? {
        let digits = word.prefix { ("0"..."9").contains($0) }
        guard (1...2).contains(digits.count),
            ["", "st", "nd", "rd", "th", "."].contains(word[digits.endIndex...])
        else { return nil }
        return Int(digits)
    }

    private static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    private static let weekdayNames = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// All spellings of the days and the months.
    package static let dayAndMonthNames = Set(
        (weekdayNames + monthNames).flatMap { name in (3...name.count).map { String(name.prefix($0)) } })

    /// The whole name, or its beginning from three letters on.
    private static func index(of word: Substring, in names: [String]) -> Int? {
        word.count >= 3 ? names.firstIndex { $0.hasPrefix(word) } : nil
    }

    package static func month(_ word: Substring) -> Int? {
        index(of: word, in: monthNames).map { $0 + 1 }
    }

    package static func weekday(_ word: Substring) -> Weekday? {
        index(of: word, in: weekdayNames).flatMap(Weekday.init(rawValue:))
    }
}

extension String {
    fileprivate var capitalized: String {
        prefix(1).uppercased() + dropFirst()
    }
}
