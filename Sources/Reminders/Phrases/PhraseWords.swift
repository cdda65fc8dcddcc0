internal import CivilTime

/// The words of a time phrase, taken from the front as they are understood.
struct PhraseWords {
    private(set) var words: ArraySlice<Substring>

    /// Words in small letters.
    init(_ words: ArraySlice<Substring>) { self.words = words }

    init(_ text: String) {
        words =
            text.lowercased().split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "," }.flatMap(
                Self.parts)[...]
        if words.count > 1 { _ = take("by") }
    }

    /// `2026-12-24t18:00` is a day and a time.
    private static func parts(of word: Substring) -> [Substring] {
        guard let t = word.firstIndex(of: "t"), word[..<t].count == 10, word.first?.isNumber == true else {
            return [word]
        }
        return [word[..<t], word[word.index(after: t)...]]
    }

    var isEmpty: Bool { words.isEmpty }
    var rest: String { words.joined(separator: " ") }

    mutating func takeOnly(_ word: String) -> Bool {
        guard words.count == 1, words.first.map(String.init) == word else { return false }
        words = []
        return true
    }

    private mutating func take(_ expected: String...) -> Bool {
        guard words.starts(with: expected.map { Substring($0) }) else { return false }
        words = words.dropFirst(expected.count)
        return true
    }

    private mutating func takeFirst() { words = words.dropFirst() }

    // MARK: - Durations

    /// `in 20 minutes`, `+2h30m`, `10m`: takes all words, or none and gives nil when they are no duration, or only
    /// begin with one as `in 3 days at 9am` does.
    mutating func duration() throws(DatePhraseError) -> DurationPhrase? {
        var text = rest
        let isMarked = text.hasPrefix("in ") && !text.hasPrefix("in the ") || text.hasPrefix("+")
        if isMarked { text.removeFirst(text.hasPrefix("+") ? 1 : 3) }
        guard let duration = Self.duration(text) else {
            if isMarked, calendarDistance() == nil {
                throw DatePhraseError(reason: "'\(text)' is no length of time")
            }
            return nil
        }
        words = []
        return duration
    }

    /// That of `in 3 days`, `in 2w`, `in a month` at the front, and how many words it has; nil when there is none.
    private func calendarDistance() -> (distance: DurationPhrase, wordCount: Int)? {
        guard words.first == "in" else { return nil }
        for count in [2, 3] where words.count >= count {
            let text = words.prefix(count).dropFirst().joined(separator: " ")
            if let distance = Self.duration(text), distance.seconds == 0 { return (distance, count) }
        }
        return nil
    }

    private static func duration(_ text: String) -> DurationPhrase? {
        var phrase = DurationPhrase()
        var rest = text[...]
        var sawPart = false
        while true {
            rest = rest.drop { $0 == " " }
            if rest.hasPrefix("and ") { rest = rest.dropFirst(4) }
            guard !rest.isEmpty else { break }
            let number: Double
            if rest.hasPrefix("half a ") || rest.hasPrefix("half an ") {
                number = 0.5
                rest = rest.dropFirst(5).drop { $0 != " " }
            } else if rest.hasPrefix("a ") || rest.hasPrefix("an ") {
                number = 1
                rest = rest.drop { $0 != " " }
            } else {
                let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
                guard let value = Double(digits), digits.count <= 9 else { return nil }
                number = value
                rest = rest[digits.endIndex...]
            }
            rest = rest.drop { $0 == " " }
            let unit = rest.prefix { ("a"..."z").contains($0) }
            rest = rest[unit.endIndex...]
            guard add(number, String(unit), to: &phrase) else { return nil }
            sawPart = true
        }
        return sawPart ? phrase : nil
    }

    private static func add(_ number: Double, _ unit: String, to phrase: inout DurationPhrase) -> Bool {
        let whole = Int(exactly: number)
        switch unit {
        case "y", "year", "years":
            guard let whole else { return false }
            phrase.months += whole * 12
        case "month", "months":
            guard let whole else { return false }
            phrase.months += whole
        case "w", "week", "weeks":
            guard let whole else { return false }
            phrase.days += whole * 7
        case "d", "day", "days":
            if let whole { phrase.days += whole } else { phrase.seconds += number * 86_400 }
        default:
            guard !unit.isEmpty, let span = TimeSpan("1\(unit)") else { return false }
            phrase.seconds += number * span.seconds
        }
        return true
    }

    // MARK: - Times of day

    /// What parts of the day mean where no hour is named.
    private static let partsOfDay = [
        "morning": 9 * 3_600, "afternoon": 15 * 3_600, "evening": DayPhrase.evening,
        "night": DayPhrase.evening,
    ]

    /// Whether it is a word such as `evening`.
    static func isPartOfDay(_ word: String) -> Bool { partsOfDay[word] != nil }

    /// `17:00`, `9am`, `9:30 pm`, `noon`, `midnight`, each with or without `at`, `at 9`, or `in the evening`; nil when the
    /// next word is no time.
    mutating func timeOfDay() throws(DatePhraseError) -> Int? {
        let before = words
        if let second = partOfDay() { return second }
        let hasAt = take("at")
        guard let word = words.first else {
            words = before
            return nil
        }
        if take("noon") { return 12 * 3_600 }
        if take("midnight") { return 0 }
        let digits = word.prefix { ("0"..."9").contains($0) || $0 == ":" }
        var half = word[digits.endIndex...]
        guard !digits.isEmpty, ["", "am", "pm"].contains(half) else {
            words = before
            return nil
        }
        if half.isEmpty, let next = words.dropFirst().first, next == "am" || next == "pm" {
            half = next
        }
        guard digits.contains(":") || !half.isEmpty || hasAt else {
            words = before
            return nil
        }
        guard let second = Self.secondOfDay(digits, half: half) else {
            throw DatePhraseError(reason: "there is no time of day '\(word)'")
        }
        takeFirst()
        if !half.isEmpty, word.count == digits.count { takeFirst() }
        return second
    }

    /// `evening`, `in the evening`, `at night`.
    private mutating func partOfDay() -> Int? {
        let before = words
        _ = take("in", "the") || take("at")
        if let second = words.first.flatMap({ Self.partsOfDay[String($0)] }) {
            takeFirst()
            return second
        }
        words = before
        return nil
    }

    private static func secondOfDay(_ digits: Substring, half: Substring) -> Int? {
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) }),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        var hour = numbers[0]
        if !half.isEmpty {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        let minute = numbers.count > 1 ? numbers[1] : 0
        let second = numbers.count > 2 ? numbers[2] : 0
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    // MARK: - Days

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
        if take("this"), words.first.map({ Self.isPartOfDay(String($0)) }) == true { return .date(today) }
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
    static let dayAndMonthNames = Set(
        (weekdayNames + monthNames).flatMap { name in (3...name.count).map { String(name.prefix($0)) } })

    /// The whole name, or its beginning from three letters on.
    private static func index(of word: Substring, in names: [String]) -> Int? {
        word.count >= 3 ? names.firstIndex { $0.hasPrefix(word) } : nil
    }

    private static func month(_ word: Substring) -> Int? {
        index(of: word, in: monthNames).map { $0 + 1 }
    }

    static func weekday(_ word: Substring) -> Weekday? {
        index(of: word, in: weekdayNames).flatMap(Weekday.init(rawValue:))
    }
}

extension String {
    fileprivate var capitalized: String {
        prefix(1).uppercased() + dropFirst()
    }
}
