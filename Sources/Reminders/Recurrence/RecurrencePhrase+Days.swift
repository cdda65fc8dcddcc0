internal import CivilTime
internal import Phrases

extension RecurrencePhrase {
    /// The days that a phrase names, and the period in which they repeat.
    struct Days {
        let frequency: RuleInterval.Frequency
        /// The parts of the rule that name the days.
        let parts: String
        /// The weekday codes of a weekly rule.
        var codes: [String] = []
        /// Whether a day that a month lacks is replaced by the last day of that month.
        var skipsBackward = false

        func rule(interval: Int) -> String {
            let part = RuleInterval(frequency: frequency, count: interval).part
            let rule = "FREQ=\(frequency.rawValue)\(part);\(parts)"
            return skipsBackward ? "RSCALE=GREGORIAN;\(rule);SKIP=BACKWARD" : rule
        }
    }

    /// Takes days that need no unit: weekdays, days of the month, `first monday` or `24 dec`.
    ///
    /// - Parameter mayBeBare: whether a single number is a day of the month, as after `month on`.
    mutating func days(mayBeBare: Bool = false) throws(RecurrenceError) -> Days? {
        if takeWorkday() { return Self.weekly(Array(Weekday.workdays)) }
        if take("weekend") || take("weekends") { return Self.weekly([.saturday, .sunday]) }
        let weekdays = takeList { $0.weekdays() }
        if !weekdays.isEmpty { return Self.weekly(weekdays.flatMap(\.self)) }
        if let day = try yearly() { return day }
        return attempt { $0.edgeOfMonth() } ?? attempt { $0.positions() }
            ?? attempt { $0.daysOfMonth(mayBeBare: mayBeBare) }
    }

    private static func weekly(_ days: [Weekday]) -> Days {
        let codes = Set(days).sorted { $0.rawValue < $1.rawValue }.map(\.code)
        return Days(frequency: .weekly, parts: "BYDAY=" + codes.joined(separator: ","), codes: codes)
    }

    /// Takes words for the days from Monday to Friday, such as `weekday` or `working days`.
    private mutating func takeWorkday() -> Bool {
        for word in ["weekday", "weekdays", "workday", "workdays"] where take(word) { return true }
        return attempt { phrase in
            guard phrase.take("working") || phrase.take("business") || phrase.take("week") else { return nil }
            return phrase.take("day") || phrase.take("days") ? true : nil
        } ?? false
    }

    // MARK: - Days of the week

    /// Takes `mon`, or all days of `mon-fri`, `mon to fri` or `from mon to fri`.
    private mutating func weekdays() -> [Weekday]? {
        attempt { phrase in
            if let days = phrase.takeFirst({ Self.weekdayRange($0) ?? Self.weekdayList($0) }) { return days }
            let isMarked = phrase.take("from")
            guard let first = phrase.takeFirst(Self.weekday) else { return nil }
            let last = phrase.attempt { rest -> Weekday? in
                guard rest.takeFirst(Self.rangeWord) != nil else { return nil }
                return rest.takeFirst(Self.weekday)
            }
            if let last { return Self.range(from: first, to: last) }
            return isMarked ? nil : [first]
        }
    }

    private static func rangeWord(_ word: Substring) -> Void? {
        ["to", "through", "thru", "-", "–"].contains(word) ? () : nil
    }

    /// Reads a range such as `mon-fri`.
    private static func weekdayRange(_ word: Substring) -> [Weekday]? {
        guard word.unicodeScalars.contains(where: { $0 == "-" || $0 == "–" }) else { return nil }
        let sides = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
        guard sides.count == 2, let first = weekday(sides[0]), let last = weekday(sides[1]) else {
            return nil
        }
        return range(from: first, to: last)
    }

    /// Reads a list such as `mon/wed/fri`.
    private static func weekdayList(_ word: Substring) -> [Weekday]? {
        guard word.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let days = parts.compactMap(weekday)
        return days.count == parts.count ? days : nil
    }

    private static func range(from first: Weekday, to last: Weekday) -> [Weekday] {
        let length = (last.rawValue - first.rawValue + 7) % 7
        return (0...length).map { Weekday.allCases[(first.rawValue + $0) % 7] }
    }

    // MARK: - Days of the month

    /// Takes `of the month`, `of month` or `of every month`.
    private mutating func takeOfMonth() -> Bool {
        take("of", "the", "month") || take("of", "month") || take("of", "every", "month")
            || take("of", "each", "month")
    }

    /// Takes the first or last day of a month: `last day of the month`, `end of month` or `first day`.
    private mutating func edgeOfMonth() -> Days? {
        _ = take("the") || take("its")
        let ofMonth =
            attempt { $0.take("first") && $0.takeOfMonth() ? 1 : nil }
            ?? attempt { $0.take("last") && $0.takeOfMonth() ? -1 : nil }
        if let ofMonth { return Days(frequency: .monthly, parts: "BYMONTHDAY=\(ofMonth)") }
        let isFirst = take("first", "day") || take("1st", "day")
        if isFirst || take("last", "day") {
            _ = takeOfMonth()
            return Days(frequency: .monthly, parts: "BYMONTHDAY=\(isFirst ? 1 : -1)")
        }
        guard
            take("end", "of", "month") || take("end", "of", "the", "month") || take("month", "end")
                || take("eom")
        else { return nil }
        return Days(frequency: .monthly, parts: "BYMONTHDAY=-1")
    }

    /// Takes positions such as `first monday`, `1st and 3rd monday of the month`, `last weekday` or
    /// `first monday of december`.
    private mutating func positions() -> Days? {
        _ = take("the") || take("its")
        let positions = takeList { $0.takeFirst(Self.position) }
        guard let first = positions.first else { return nil }
        if positions.count == 1, takeWorkday() {
            _ = takeOfMonth()
            let codes = Weekday.workdays.map(\.code).joined(separator: ",")
            return Days(frequency: .monthly, parts: "BYDAY=\(codes);BYSETPOS=\(first)")
        }
        guard let weekday = takeFirst(Self.weekday) else { return nil }
        let days = "BYDAY=" + positions.map { "\($0)\(weekday.code)" }.joined(separator: ",")
        let month = attempt { phrase -> Int? in
            guard phrase.take("of") || phrase.take("in") else { return nil }
            return phrase.takeFirst(PhraseWords.month)
        }
        if let month { return Days(frequency: .yearly, parts: "BYMONTH=\(month);\(days)") }
        _ = takeOfMonth()
        return Days(frequency: .monthly, parts: days)
    }

    /// Takes days of the month such as `15th`, `1,15` or `the 1st and 15th of the month`.
    private mutating func daysOfMonth(mayBeBare: Bool) -> Days? {
        _ = take("the") || take("its")
        let before = words
        let days = takeList { $0.dayOfMonth() }
        let isMarked = before.first.flatMap(Self.digitOrdinal) != nil || days.count > 1
        guard let last = days.max(), takeOfMonth() || isMarked || mayBeBare else { return nil }
        let parts = "BYMONTHDAY=" + Set(days).sorted().map(String.init).joined(separator: ",")
        return Days(frequency: .monthly, parts: parts, skipsBackward: last > 28)
    }

    /// Takes a day such as `15th` or `15`, but not a number before `times` or a unit.
    private mutating func dayOfMonth() -> Int? {
        attempt { phrase in
            guard let day = phrase.takeFirst(Self.digitOrdinal) ?? phrase.takeFirst(Self.number),
                (1...31).contains(day),
                !Self.isCount(phrase.words), phrase.words.first.flatMap(RuleInterval.unit) == nil
            else { return nil }
            return day
        }
    }

    // MARK: - Days of the year

    /// Takes a day of the year such as `24 dec`, `dec 24` or `the 24th of december`.
    private mutating func yearly() throws(RecurrenceError) -> Days? {
        let found = attempt { phrase -> (day: Int, month: Int)? in
            _ = phrase.take("the")
            if let month = phrase.takeFirst(PhraseWords.month) {
                _ = phrase.take("the")
                return phrase.takeFirst(Self.dayNumber).map { ($0, month) }
            }
            guard let day = phrase.takeFirst(Self.dayNumber) else { return nil }
            _ = phrase.take("of")
            return phrase.takeFirst(PhraseWords.month).map { (day, $0) }
        }
        guard let (day, month) = found else { return nil }
        // A leap year has all days that any year has.
        let length = CivilDate.days(inMonth: month, of: 2000)
        guard (1...length).contains(day) else {
            throw RecurrenceError(
                reason: "\(TimeInWords.monthNames[month - 1]) has \(length) days, there is no day \(day)")
        }
        return Days(
            frequency: .yearly, parts: "BYMONTH=\(month);BYMONTHDAY=\(day)",
            skipsBackward: month == 2 && day == 29)
    }

    // MARK: - Repetitions

    private static let adverbs: Set<Substring> = [
        "minutely", "hourly", "daily", "weekly", "biweekly", "fortnightly", "monthly", "bimonthly",
        "quarterly",
        "yearly", "annually", "weekdays", "workdays", "weekends",
    ]

    /// Whether the words mean that something repeats, and do not name a single time.
    ///
    /// Such words are `every`, `daily`, `mondays`, or several days of the week.
    var isRepetition: Bool { saysRepetition || namesSeveralDays }

    /// Whether the words name several days of the week, as in `fri and sat`, without a word that means repetition.
    var isRepetitionOrSeveralTimes: Bool {
        namesSeveralDays && !saysRepetition
            && !words.contains { ["until", "till", "times", "for"].contains($0) }
    }

    private var saysRepetition: Bool {
        words.contains { ["every", "each"].contains($0) || Self.saysRepetition($0) }
            || zip(words, words.dropFirst()).contains { $0 == "once" && ["a", "an", "per"].contains($1) }
    }

    private var namesSeveralDays: Bool {
        words.contains { Self.weekdayList($0) != nil } || words.count { Self.weekday($0) != nil } > 1
    }

    /// Whether a word by itself can name a repetition: `daily`, `mondays`, `mon-fri`, `mon/wed`.
    static func isRepetition(_ word: Substring) -> Bool {
        saysRepetition(word) || weekdayList(word) != nil
    }

    private static func saysRepetition(_ word: Substring) -> Bool {
        adverbs.contains(word) || weekdayRange(word) != nil
            || weekday(word) != nil && PhraseWords.weekday(word) == nil
    }

    // MARK: - Words

    static func number(_ word: Substring) -> Int? {
        (1...5).contains(word.count) && word.allSatisfy({ ("0"..."9").contains($0) }) ? Int(word) : nil
    }

    /// Whether the words after a number say how often the item repeats: `times`.
    static func isCount(_ words: ArraySlice<Substring>) -> Bool { ["times", "time"].contains(words.first) }

    private static func weekday(_ word: Substring) -> Weekday? {
        let name = word.hasSuffix("s") && word.count > 6 ? word.dropLast() : word
        return PhraseWords.weekday(name)
    }

    private static func position(_ word: Substring) -> Int? {
        if word == "last" { return -1 }
        return ordinal(word).flatMap { (1...5).contains($0) ? $0 : nil }
    }

    /// Reads an ordinal such as `15th` or `second`.
    static func ordinal(_ word: Substring) -> Int? {
        if let index = ["first", "second", "third", "fourth", "fifth"].firstIndex(of: String(word)) {
            return index + 1
        }
        return digitOrdinal(word)
    }

    /// Reads an ordinal in digits, such as `15th`.
    private static func digitOrdinal(_ word: Substring) -> Int? {
        guard let suffix = ["st", "nd", "rd", "th"].first(where: { word.hasSuffix($0) }) else { return nil }
        return number(word.dropLast(suffix.count))
    }

    private static func dayNumber(_ word: Substring) -> Int? { ordinal(word) ?? number(word) }
}

extension Weekday {
    static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

    /// The code in a rule of RFC 5545: `MO`.
    var code: String { shortName.prefix(2).uppercased() }
}
