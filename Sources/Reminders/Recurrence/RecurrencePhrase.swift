package import CivilTime
internal import Phrases

/// Reads how people say that something comes again: `day`, `2 weeks`, `mon,wed`, `month`, `last friday`, `weekday`,
/// `morning`, with a time of day before or behind it and `10 times` or `until 1 dec` at its end, or a rule of RFC 5545.
package struct RecurrencePhrase {
    /// What a phrase says.
    package struct Reading {
        package let rule: RecurrenceRule
        /// The second of the day that it names, as `monday 9am` does.
        package let secondOfDay: Int?
    }

    /// What a time phrase behind `until` is read by.
    package struct Context {
        let now: Timestamp
        let zone: TimeZoneRules

        package init(now: Timestamp, zone: TimeZoneRules) {
            self.now = now
            self.zone = zone
        }
    }

    private var words: ArraySlice<Substring>

    package static func reading(_ text: String, _ context: Context) throws(RecurrenceError) -> Reading {
        guard text.utf8.count <= RecurrenceRule.lengthLimit else { throw RecurrenceRule.tooLong }
        if text.contains("=") { return Reading(rule: try RecurrenceRule(text), secondOfDay: nil) }
        var phrase = RecurrencePhrase(text)
        phrase.takeEvery()
        let start = phrase.words
        var secondOfDay = try phrase.timeOfDay()
        let namesPartOfDay = start.dropLast(phrase.words.count).contains { PartOfDay($0) != nil }
        phrase.takeEvery()
        // A part of the day is one of every day; an hour alone says nothing of when it comes again.
        var rule = namesPartOfDay && phrase.isAtEnd ? "FREQ=DAILY" : try phrase.main()
        if secondOfDay == nil { secondOfDay = try phrase.timeOfDay() }
        rule += try phrase.end(context)
        guard phrase.words.isEmpty else { throw phrase.incomprehensible }
        return Reading(rule: try RecurrenceRule(rule), secondOfDay: secondOfDay)
    }

    private init(_ text: String) {
        words =
            text.lowercased().split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "," || $0 == "&" }[...]
    }

    private var incomprehensible: RecurrenceError {
        RecurrenceError(
            reason: "cannot make sense of '\(words.joined(separator: " "))'; "
                + "try 'day', '2 weeks', 'mon,wed', 'month', 'last friday', or a rule such as FREQ=DAILY")
    }

    private mutating func take(_ expected: String...) -> Bool {
        guard words.starts(with: expected.map { Substring($0) }) else { return false }
        words = words.dropFirst(expected.count)
        return true
    }

    private mutating func takeFirst<Value>(_ read: (Substring) -> Value?) -> Value? {
        guard let word = words.first, let value = read(word) else { return nil }
        words = words.dropFirst()
        return value
    }

    /// One or more of a kind, with or without `and` between them.
    private mutating func takeList<Value>(_ read: (Substring) -> Value?) -> [Value] {
        var values: [Value] = []
        while true {
            let before = words
            if !values.isEmpty { _ = take("and") }
            guard let value = takeFirst(read) else {
                words = before
                return values
            }
            values.append(value)
        }
    }

    private mutating func takeEvery() { _ = take("every") || take("each") }

    // MARK: - The time of day

    private mutating func timeOfDay() throws(RecurrenceError) -> Int? {
        var rest = PhraseWords(words)
        do {
            let second = try rest.timeOfDay()
            words = rest.words
            return second
        } catch {
            throw RecurrenceError(reason: error.reason)
        }
    }

    // MARK: - The rule itself

    private mutating func main() throws(RecurrenceError) -> String {
        guard !words.isEmpty else { throw RecurrenceError(reason: "no rule given") }
        if let rule = days() { return rule }
        let interval = takeFirst(Self.number) ?? (take("other") ? 2 : 1)
        guard interval > 0 else { throw RecurrenceError(reason: "every 0 is never") }
        guard let unit = takeFirst(Self.unit) else {
            throw takeFirst(Self.finerUnit).map(RecurrenceRule.tooFine) ?? incomprehensible
        }
        let count = interval.multipliedReportingOverflow(by: unit.count)
        let every = count.overflow || count.partialValue == 1 ? "" : ";INTERVAL=\(count.partialValue)"
        guard !count.overflow, count.partialValue <= 32_767 else {
            throw RecurrenceError(reason: "every \(interval) is too rare")
        }
        let on = take("on") || words.first == "from" ? days() : nil
        switch (unit.frequency, on) {
        case ("DAILY", nil), ("WEEKLY", nil): return "FREQ=\(unit.frequency)\(every)"
        // The 31st of a shorter month is its last day, 29 February of other years the 28th.
        case ("MONTHLY", nil), ("YEARLY", nil):
            return "RSCALE=GREGORIAN;FREQ=\(unit.frequency)\(every);SKIP=BACKWARD"
        case (let frequency, let on?) where on.contains("FREQ=\(frequency)"): return on + every
        default: throw incomprehensible
        }
    }

    /// What needs no unit: days of the week, days of the month, `first monday`.
    private mutating func days() -> String? {
        let before = words
        if takeFirst(Self.anyOf("weekday", "weekdays", "workday", "workdays")) != nil {
            return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        }
        if takeFirst(Self.anyOf("weekend", "weekends")) != nil { return "FREQ=WEEKLY;BYDAY=SA,SU" }
        let weekdays = takeRange() ?? takeList(Self.weekday)
        if !weekdays.isEmpty {
            let names = Set(weekdays).sorted { $0.rawValue < $1.rawValue }.map(\.code)
            return "FREQ=WEEKLY;BYDAY=\(names.joined(separator: ","))"
        }
        _ = take("the") || take("its")
        if take("last", "day") {
            _ = take("of", "the", "month") || take("of", "month")
            return "FREQ=MONTHLY;BYMONTHDAY=-1"
        }
        if let position = takeFirst(Self.position) {
            if let weekday = takeFirst(Self.weekday) {
                _ = take("of", "the", "month") || take("of", "month")
                return "FREQ=MONTHLY;BYDAY=\(position)\(weekday.code)"
            }
            words = before
            _ = take("the")
        }
        let days = takeList(Self.dayOfMonth)
        if !days.isEmpty {
            _ = take("of", "the", "month") || take("of", "month")
            let list = "BYMONTHDAY=\(Set(days).sorted().map(String.init).joined(separator: ","))"
            return (days.max() ?? 0) > 28
                ? "RSCALE=GREGORIAN;FREQ=MONTHLY;\(list);SKIP=BACKWARD" : "FREQ=MONTHLY;\(list)"
        }
        words = before
        return nil
    }

    /// `mon to fri`, with or without `from`.
    private mutating func takeRange() -> [Weekday]? {
        let before = words
        _ = take("from")
        if let first = takeFirst(Self.weekday), take("to"), let last = takeFirst(Self.weekday) {
            let length = (last.rawValue - first.rawValue + 7) % 7
            return (0...length).map { Weekday.allCases[(first.rawValue + $0) % 7] }
        }
        words = before
        return nil
    }

    // MARK: - Its end

    /// Whether nothing but an end follows.
    private var isAtEnd: Bool {
        guard let next = words.first else { return true }
        return ["until", "once", "for"].contains(next) || ["times", "time"].contains(words.dropFirst().first)
    }

    private mutating func end(_ context: Context) throws(RecurrenceError) -> String {
        if take("until") {
            let text = words.joined(separator: " ")
            words = []
            do {
                let last = try DatePhrase.moment(
                    text, now: context.now, zone: context.zone, defaultTime: CivilDateTime.secondsPerDay - 1)
                return ";UNTIL=\(try Self.basic(last))"
            } catch {
                throw RecurrenceError(reason: "until '\(text)': \(error.reason)")
            }
        }
        if take("once") { return ";COUNT=1" }
        let before = words
        _ = take("for")
        if let count = takeFirst(Self.number), take("times") || take("time") {
            guard count > 0 else { throw RecurrenceError(reason: "0 times is never") }
            return ";COUNT=\(count)"
        }
        words = before
        return ""
    }

    /// `20261201T225959Z`.
    private static func basic(_ moment: Timestamp) throws(DatePhraseError) -> String {
        guard let civil = TimeZoneRules.utc.civil(at: moment) else {
            throw DatePhraseError(reason: "that lies outside the years 1 to 9999")
        }
        return ICalendarText.basic(civil) + "Z"
    }

    // MARK: - Words

    private static func number(_ word: Substring) -> Int? {
        word.count <= 5 && word.allSatisfy({ ("0"..."9").contains($0) }) ? Int(word) : nil
    }

    private static func anyOf(_ names: Substring...) -> (Substring) -> Void? {
        { names.contains($0) ? () : nil }
    }

    private static func unit(_ word: Substring) -> (frequency: String, count: Int)? {
        switch word {
        case "day", "days", "d", "daily": ("DAILY", 1)
        case "week", "weeks", "w", "weekly": ("WEEKLY", 1)
        case "fortnight", "fortnights", "fortnightly": ("WEEKLY", 2)
        case "month", "months", "monthly": ("MONTHLY", 1)
        case "quarter", "quarters", "quarterly": ("MONTHLY", 3)
        case "year", "years", "y", "yearly", "annually": ("YEARLY", 1)
        default: nil
        }
    }

    private static func finerUnit(_ word: Substring) -> String? {
        switch word {
        case "hour", "hours", "h", "hourly": "hourly"
        case "minute", "minutes", "min", "minutely": "minutely"
        case "second", "seconds", "s", "secondly": "secondly"
        default: nil
        }
    }

    private static func weekday(_ word: Substring) -> Weekday? {
        let name = word.hasSuffix("s") && word.count > 6 ? word.dropLast() : word
        return PhraseWords.weekday(name)
    }

    private static func position(_ word: Substring) -> Int? {
        switch word {
        case "first", "1st": 1
        case "second", "2nd": 2
        case "third", "3rd": 3
        case "fourth", "4th": 4
        case "last": -1
        default: nil
        }
    }

    /// `15th`; never a bare number, which would be an interval.
    private static func dayOfMonth(_ word: Substring) -> Int? {
        guard let suffix = ["st", "nd", "rd", "th"].first(where: { word.hasSuffix($0) }) else { return nil }
        return number(word.dropLast(suffix.count)).flatMap { (1...31).contains($0) ? $0 : nil }
    }
}

extension Weekday {
    /// `MO`, as a rule of RFC 5545 says it.
    var code: String { shortName.prefix(2).uppercased() }
}
