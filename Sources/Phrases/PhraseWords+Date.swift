package import CivilTime

// Dates with a number, and the names of months and weekdays.

extension PhraseWords {
    /// Takes a date in digits, such as `2026-12-24`, `20261224`, `24.12.`, `24/12`, `24-12-2026` or `2026-w52-4`.
    mutating func numericDate() throws(DatePhraseError) -> DayPhrase? {
        guard let word = words.first, word.first?.isASCIIDigit == true else { return nil }
        if word.isDigits(8...8), let number = Int(word) {
            takeFirst()
            return try .date(
                Self.existing(year: number / 10_000, month: number / 100 % 100, day: number % 100))
        }
        guard let separator = word.first(where: { !$0.isASCIIDigit }), "-/.".contains(separator) else {
            return nil
        }
        var parts = word.split(separator: separator, omittingEmptySubsequences: false)
        if separator == "-", let date = Self.weekDate(parts) {
            takeFirst()
            return try .date(date)
        }
        let isDotted = separator == "." && parts.last == ""
        if isDotted { parts.removeLast() }
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.isDigits(1...4) }) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        let isPadded = parts.map(\.count)
        if isPadded[0] == 4, parts.count == 3, isPadded[1] < 3, isPadded[2] < 3 {
            takeFirst()
            return try .date(Self.existing(year: numbers[0], month: numbers[1], day: numbers[2]))
        }
        guard isPadded[0] < 3, isPadded[1] < 3 else { return nil }
        var year: Int?
        if parts.count == 3 {
            // A date with dashes begins with the year, or ends with a year of four digits.
            guard isPadded[2] == 4 || isPadded[2] == 2 && separator != "-" else { return nil }
            year = isPadded[2] == 4 ? numbers[2] : 2000 + numbers[2]
        } else if separator == "-" || separator == "." && !isDotted && isPadded[1] == 1 {
            return nil
        }
        let (day, month) = try order(
            in: word, first: numbers[0], second: numbers[1], year: year, isDayFirst: separator == ".")
        takeFirst()
        if let year { return try .date(Self.existing(year: year, month: month, day: day)) }
        return try annual(month: month, day: day)
    }

    /// Returns the day and the month from two numbers.
    ///
    /// The first number is the day if `isDayFirst` is true. Otherwise a number that cannot be a month is the day.
    ///
    /// - Throws: an error if the numbers differ and both can be the month.
    func order(
        in word: Substring, first: Int, second: Int, year: Int?, isDayFirst: Bool
    ) throws(DatePhraseError) -> (day: Int, month: Int) {
        let months = 1...12
        if isDayFirst || first == second || !months.contains(first) { return (first, second) }
        if !months.contains(second) { return (second, first) }
        let suffix = year.map { " \($0)" } ?? ""
        throw ambiguous(
            word,
            [(first, second), (second, first)].map { day, month in
                "\(day) \(Self.monthNames[month - 1].prefix(3))\(suffix)"
            })
    }

    /// Returns the date of `2026-w49-1`, or the Monday of the week if no day is named.
    static func weekDate(_ parts: [Substring]) -> CivilDate? {
        guard (2...3).contains(parts.count), parts[0].isDigits(4...4), parts[1].first == "w",
            parts[1].dropFirst().isDigits(2...2), let year = Int(parts[0]),
            let week = Int(parts[1].dropFirst())
        else { return nil }
        let number = parts.count == 3 ? Int(parts[2]) ?? 0 : 1
        // The first week contains 4 January.
        guard (1...53).contains(week), (1...7).contains(number),
            let first = CivilDate(year: year, month: 1, day: 4)?.monday,
            let thursday = first.adding(days: 7 * week - 4), thursday.year == year
        else { return nil }
        return first.adding(days: 7 * (week - 1) + number - 1)
    }

    /// Takes a date such as `1 dec`, `dec 1`, `1st of december`, `december the 1st`, `2026 dec 1` or `december`.
    mutating func monthAndDay(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        if let word = words.first, word.isDigits(4...4), let year = Int(word),
            let month = self.word(1).flatMap(Self.month), let day = self.word(2).flatMap(Self.dayNumber)
        {
            take(count: 3)
            return try .date(Self.existing(year: year, month: month, day: day))
        }
        if let day = words.first.flatMap(Self.dayNumber) {
            takeFirst()
            _ = take("of")
            guard let month = words.first.flatMap(Self.month) else { return nil }
            takeFirst()
            return try annual(month: month, day: day)
        }
        _ = take("in")
        guard let month = words.first.flatMap(Self.month) else { return nil }
        takeFirst()
        let before = words
        _ = take("the")
        if let day = words.first.flatMap(Self.dayNumber) {
            takeFirst()
            return try annual(month: month, day: day)
        }
        words = before
        var day = DayPhrase.annual { CivilDate(year: $0, month: month, day: 1) }
        day.isMonth = true
        return day
    }

    /// Returns a day of every year that has it.
    ///
    /// - Throws: an error if no year has it.
    func annual(month: Int, day: Int) throws(DatePhraseError) -> DayPhrase {
        guard (1...12).contains(month) else { throw DatePhraseError(reason: "there is no month \(month)") }
        // A leap year has all days that any year has.
        let count = CivilDate.days(inMonth: month, of: 2000)
        guard (1...count).contains(day) else {
            throw DatePhraseError(reason: "\(Self.name(month)) has \(count) days, there is no day \(day)")
        }
        let annual = DayPhrase.AnnualDay(
            date: { CivilDate(year: $0, month: month, day: day) },
            missing: { year in
                do throws(DatePhraseError) {
                    _ = try Self.existing(year: year, month: month, day: day)
                    return .outOfRange
                } catch {
                    return error
                }
            })
        return DayPhrase(rule: .annual(annual))
    }

    static func existing(year: Int, month: Int, day: Int) throws(DatePhraseError) -> CivilDate {
        if let date = CivilDate(year: year, month: month, day: day) { return date }
        guard (1...12).contains(month) else { throw DatePhraseError(reason: "there is no month \(month)") }
        guard CivilDate.years.contains(year) else {
            throw DatePhraseError(reason: "the year \(year) is outside 1 to 9999")
        }
        let count = CivilDate.days(inMonth: month, of: year)
        throw DatePhraseError(reason: "\(name(month)) \(year) has \(count) days, there is no day \(day)")
    }

    static func dayNumber(_ word: Substring) -> Int? {
        if let number = NumberWords.ordinal(word) { return number }
        let digits = word.hasSuffix(".") ? word.dropLast() : word
        return digits.isDigits(1...2) ? Int(digits) : nil
    }

    // MARK: - Names

    static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    static let weekdayNames = Weekday.allCases.map { String(describing: $0) }

    static func name(_ month: Int) -> String { monthNames[month - 1].capitalized }

    /// All spellings of the names of days and months.
    package static let dayAndMonthNames = Set(
        (weekdayNames + monthNames).flatMap { name in (3...name.count).map { String(name.prefix($0)) } })

    /// Returns the index of the name that begins with `word`, which must have at least three letters, or `nil` if there
    /// is none.
    static func index(of word: Substring, in names: [String]) -> Int? {
        // The names are ASCII, so the bytes decide.
        word.utf8.count >= 3 ? names.firstIndex { $0.utf8.starts(with: word.utf8) } : nil
    }

    package static func month(_ word: Substring) -> Int? {
        index(of: word, in: monthNames).map { $0 + 1 }
    }

    package static func weekday(_ word: Substring) -> Weekday? {
        if word == "weds" { return .wednesday }
        return index(of: word, in: weekdayNames).flatMap(Weekday.init(rawValue:))
    }

    /// Whether only a number and a day of the week follow, as in `9 fri`.
    var isNumberBeforeWeekday: Bool {
        words.count == 2 && dayOrHour() != nil && word(1).flatMap(Self.weekday) != nil
    }

    /// Returns a number that can be a day of a month or an hour, or `nil` for other words.
    func dayOrHour() -> Int? {
        guard let word = words.first, word.isDigits(1...2), let number = Int(word), (1...31).contains(number)
        else { return nil }
        return number
    }

    /// Returns the year after a day, or `nil` if the next word is not four digits or is a time.
    func year(isTimeNamed: Bool) -> Int? {
        guard let word = words.first, word.isDigits(4...4), let year = Int(word) else { return nil }
        var rest = self
        rest.takeFirst()
        let isTimeNext = (try? rest.time(in: nil, isDayNamed: true)) != nil
        return isTimeNamed || isTimeNext || (1900...2199).contains(year) || year % 100 > 59 || year > 2359
            ? year : nil
    }
}
