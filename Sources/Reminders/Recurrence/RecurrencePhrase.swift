package import CivilTime
package import Phrases

/// A reader of recurrence rules as people type them.
///
/// It reads `day`, `2 weeks`, `mon,wed`, `month`, `last friday`, `24 dec` and `morning`. A time of day may come before
/// or after the rule, and `10 times`, `until 1 dec` or `for 2 weeks` may be at its end. It also reads a rule of RFC
/// 5545.
package struct RecurrencePhrase {
    /// The result of reading a phrase.
    package struct Reading {
        /// The rule, without the end that `span` gives it.
        ///
        /// `RecurrenceRule.ending` adds it.
        package let rule: RecurrenceRule
        /// The time of day in seconds, as in `monday 9am`, or `nil` if none is named.
        ///
        /// Several times of day are part of the rule.
        package let secondOfDay: Int?
        /// How long the item repeats after its first time, as in `day for 2 weeks`, or `nil` if this is not limited.
        package let span: DurationPhrase?
        /// A note about the chosen reading of the end, as in `DatePhrase.Reading`.
        package var note: String?
    }

    /// The current time and the zone for a time after `until`.
    package struct Context {
        let now: Timestamp
        let zone: TimeZoneRules

        package init(now: Timestamp, zone: TimeZoneRules) {
            self.now = now
            self.zone = zone
        }
    }

    /// The words that are not read yet.
    var words: ArraySlice<Substring>
    private let all: [Substring]
    /// As in `PhraseWords`.
    let commas: Set<Int>

    /// The words that are read already, as they can be typed before the text of a suggestion.
    var takenWords: [String] { all.dropLast(words.count).map(String.init) }

    package static func reading(_ text: String, _ context: Context) throws(RecurrenceError) -> Reading {
        guard text.utf8.count <= RecurrenceRule.lengthLimit else { throw RecurrenceRule.tooLong }
        do throws(RecurrenceError) {
            return try plainReading(text, context)
        } catch {
            let others = corrections(of: text).filter { !error.similar.contains($0) }
            throw error.suggesting(error.similar + others) {
                (try? plainReading($0, context)) != nil
            }
        }
    }

    private static func plainReading(
        _ text: String, _ context: Context
    ) throws(RecurrenceError) -> Reading {
        if text.contains("=") {
            return Reading(rule: try RecurrenceRule(text), secondOfDay: nil, span: nil)
        }
        var phrase = RecurrencePhrase(text)
        // `once a week` is every week.
        for article in ["a", "an", "per", "every"] where phrase.take("once", article) { break }
        phrase.takeEvery()
        let start = phrase.words
        let startsWithLength = phrase.startsWithLength
        if startsWithLength, let word = start.first, let hours = LetteredHours(word),
            hours.meaning() == .either,
            hours.hasBareMinutes, let clock = hours.clock
        {
            let rest = start.dropFirst().map { " \($0)" }.joined()
            throw RecurrenceError(
                reason: "'\(word)' has two readings", similar: [hours.span + rest, "day \(clock)\(rest)"])
        }
        var times = try startsWithLength ? [] : phrase.timesOfDay(isAfterRule: false)
        let namesPartOfDay = start.dropLast(phrase.words.count).contains {
            PartOfDay($0) != nil || ["noon", "midday", "midnight"].contains($0)
        }
        phrase.takeEvery()
        // A part of the day or several times mean every day. One hour alone does not say how often the item repeats.
        if times.count == 1, !namesPartOfDay, phrase.words.isEmpty {
            let time = start.joined(separator: " ")
            throw RecurrenceError(reason: "'\(time)' does not name days", advice: "try 'every day \(time)'")
        }
        let isDaily = (namesPartOfDay || times.count > 1) && phrase.isAtEnd
        var rule = isDaily ? "FREQ=DAILY" : try phrase.main()
        if times.isEmpty { times = try phrase.timesOfDay(isAfterRule: true) }
        times.sort()
        if times.count > 1 { rule = try Self.rule(rule, at: times) }
        let end = try phrase.end(context)
        if case .part(let part) = end { rule += part }
        guard phrase.words.isEmpty else { throw phrase.incomprehensible }
        var note: String?
        if case .last(let last) = end {
            rule += ";UNTIL=\(try Self.basic(last.moment))"
            note = last.note
        }
        let span: DurationPhrase? = if case .span(let span) = end { span } else { nil }
        let secondOfDay = times.count == 1 ? times[0] : nil
        return Reading(rule: try RecurrenceRule(rule), secondOfDay: secondOfDay, span: span, note: note)
    }

    init(_ text: String) {
        let (words, commas) = PhraseWords.joined(
            text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map {
                $0.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "&" }
            })
        all = words.map { $0 == "@" ? "at" : $0 }
        self.words = all[...]
        self.commas = commas
    }

    // MARK: - Taking words

    mutating func take(_ expected: String...) -> Bool {
        guard words.starts(with: expected.map { Substring($0) }) else { return false }
        words = words.dropFirst(expected.count)
        return true
    }

    mutating func takeFirst<Value>(_ read: (Substring) -> Value?) -> Value? {
        guard let word = words.first, let value = read(word) else { return nil }
        words = words.dropFirst()
        return value
    }

    /// Takes the words that `read` takes, and none if it returns `nil`.
    mutating func attempt<Value>(_ read: (inout RecurrencePhrase) -> Value?) -> Value? {
        var rest = self
        guard let value = read(&rest) else { return nil }
        self = rest
        return value
    }

    /// Takes one or more values of a kind, with or without `and` between them.
    mutating func takeList<Value>(_ read: (inout RecurrencePhrase) -> Value?) -> [Value] {
        var values: [Value] = []
        while true {
            let before = words
            if !values.isEmpty { _ = take("and") }
            guard let value = read(&self) else {
                words = before
                return values
            }
            values.append(value)
        }
    }

    @discardableResult
    mutating func takeEvery() -> Bool { take("every") || take("each") }

    // MARK: - The rule itself

    /// Whether the first word is a length, such as `1h30`, and not a time of day before a rule, as in
    /// `15h30 every day`.
    private var startsWithLength: Bool {
        guard let word = words.first, let hours = LetteredHours(word) else { return false }
        if hours.meaning() == .length { return true }
        var rest = self
        rest.words = rest.words.dropFirst()
        rest.takeEvery()
        return (try? rest.main()) == nil
    }

    private mutating func main() throws(RecurrenceError) -> String {
        guard !words.isEmpty else { throw RecurrenceError(reason: "no rule given") }
        _ = take("on")
        let window = try window()
        if window != nil { takeEvery() }
        if window == nil, let days = try days() {
            let before = words
            // `mon-fri hourly` needs no `every`.
            let isAdverb = ["hourly", "minutely", "daily", "weekly", "monthly", "yearly", "annually"]
                .contains(words.first)
            guard isAdverb || takeEvery() else { return days.rule(interval: 1) }
            if let interval = try interval() {
                if isAdverb, interval.frequency == .daily { return days.rule(interval: 1) }
                if interval.isWithinDay { return try withinDay(interval, on: days, in: nil) }
                if interval.frequency == days.frequency { return days.rule(interval: interval.count) }
            }
            words = before
            throw incomprehensible
        }
        let before = words
        if take("other"), let days = try days(), days.frequency == .weekly, days.codes.count < 5 {
            return days.rule(interval: 2)
        }
        words = before
        guard let interval = try interval() else {
            let isTooFine =
                words.last == "second" || words.contains { ["seconds", "secondly", "sec"].contains($0) }
            if isTooFine { throw RecurrenceRule.tooFine }
            throw incomprehensible
        }
        if interval.isWithinDay { return try withinDay(interval, on: nil, in: window) }
        if let window { throw Self.needsHours(window) }
        let isMarked = take("on")
        guard let on = try days(mayBeBare: isMarked) else {
            if isMarked { throw incomprehensible }
            if let window = try self.window() { throw Self.needsHours(window) }
            return interval.rule
        }
        // `daily mon-fri` is every week on these days.
        let isDaily = interval.frequency == .daily && interval.count == 1 && on.frequency == .weekly
        guard isDaily || on.frequency == interval.frequency else {
            throw RecurrenceError(reason: "'\(on.rule(interval: 1))' is not a day of a \(interval.unit)")
        }
        return on.rule(interval: interval.count)
    }

    private static func needsHours(_ window: DayWindow) -> RecurrenceError {
        RecurrenceError(
            reason:
                "hours such as \(window.words) need a rule within the day, such as '2 hours' or '90 minutes'")
    }

    /// Takes the rest of an hourly or minutely rule: days of the week and hours of the day, in any order.
    private mutating func withinDay(
        _ interval: RuleInterval, on days: Days?, in window: DayWindow?
    ) throws(RecurrenceError) -> String {
        var (days, window) = (days, window)
        while true {
            if window == nil, let found = try self.window() {
                window = found
                continue
            }
            let before = words
            _ = take("on")
            guard days == nil, let found = try self.days() else {
                words = before
                break
            }
            days = found
        }
        if let days, days.frequency != .weekly {
            throw RecurrenceError(
                reason: "a rule within the day can name days of the week only, such as 'hour mon-fri'",
                advice: "'\(days.parts)' names others")
        }
        let parts = [interval.rule, days?.parts, window.map { "\(RecurrenceRule.windowKey)=\($0.text)" }]
        return parts.compactMap(\.self).joined(separator: ";")
    }

    /// Takes an interval such as `2 weeks`, `1h30`, `other month`, `third day`, `quarterly` or `half hour`.
    ///
    /// Returns `nil` if no unit follows.
    private mutating func interval() throws(RecurrenceError) -> RuleInterval? {
        let before = words
        let position = take("other") ? 2 : takeFirst(Self.ordinal)
        if position == nil, let length = try length() { return length }
        let count = position ?? takeFirst(Self.number) ?? spelledNumber() ?? 1
        if let unit = takeFirst(RuleInterval.unit) { return try unit.times(count) }
        words = before
        return nil
    }

    /// Takes a length of time as in `--due 'in 90 minutes'`, or returns `nil` if no length is next.
    ///
    /// `hour` means `1 hour`.
    private mutating func length() throws(RecurrenceError) -> RuleInterval? {
        let isUnitAlone = words.first.flatMap { LengthUnit($0) } != nil
        var rest = PhraseWords(isUnitAlone ? (["1"] + words)[...] : words, commas: commas)
        // The hour of `day 14h` and `2 days 14h` is a time of day.
        let namesHour = words.dropFirst().contains { LetteredHours($0)?.meaning() == .either }
        guard let parts = rest.takeLength(isSingle: isUnitAlone || namesHour),
            let interval = try RuleInterval(parts)
        else { return nil }
        words = rest.words
        return interval
    }

    /// Takes a number in words, such as `two` in `two quarters`.
    private mutating func spelledNumber() -> Int? {
        guard let (value, count) = NumberWords.number(words) else { return nil }
        words = words.dropFirst(count)
        return value
    }

    // MARK: - Its end

    private enum End {
        case none
        case part(String)
        case last(DatePhrase.Reading)
        case span(DurationPhrase)
    }

    /// Whether only an end of the rule follows.
    private var isAtEnd: Bool {
        guard let next = words.first else { return true }
        return ["until", "till", "once", "for"].contains(next) || Self.isCount(words.dropFirst())
    }

    private mutating func end(_ context: Context) throws(RecurrenceError) -> End {
        if take("until") || take("till") {
            let text = words.joined(separator: " ")
            let taken = takenWords
            words = []
            do {
                return .last(
                    try DatePhrase.reading(
                        text, now: context.now, zone: context.zone,
                        defaultTime: CivilDateTime.secondsPerDay - 1))
            } catch {
                throw RecurrenceError(error, in: "until '\(text)': ", after: taken)
            }
        }
        if take("once") { return .part(";COUNT=1") }
        let before = words
        let isMarked = take("for")
        if let count = takeFirst(Self.number), take("times") || take("time") {
            guard count > 0 else {
                throw RecurrenceError(reason: "a rule cannot repeat 0 times", advice: "try '10 times'")
            }
            return .part(";COUNT=\(count)")
        }
        words = before
        guard isMarked else { return .none }
        return .span(try span(context))
    }

    /// Takes `for` and all words after it as a time span, such as `for 2 weeks`.
    private mutating func span(_ context: Context) throws(RecurrenceError) -> DurationPhrase {
        var rest = PhraseWords(words.dropFirst())
        let text = rest.words.joined(separator: " ")
        guard let span = rest.duration(isMarked: true) else {
            throw RecurrenceError(
                reason: "for '\(text)': that is not a time span", advice: "try 'for 2 weeks' or '10 times'")
        }
        guard span.added(to: context.now, zone: context.zone) != context.now else {
            throw RecurrenceError(
                reason: "for '\(text)' has no length", advice: "try 'for 2 weeks' or '10 times'")
        }
        words = []
        return span
    }

    /// Returns a time in the format of RFC 5545: `20261201T225959Z`.
    fileprivate static func basic(_ moment: Timestamp) throws(RecurrenceError) -> String {
        guard let civil = TimeZoneRules.utc.civil(at: moment) else { throw outOfRange }
        return ICalendarText.basic(civil) + "Z"
    }

    fileprivate static var outOfRange: RecurrenceError {
        RecurrenceError(reason: "its end is outside the years 1 to 9999")
    }
}

extension RecurrenceRule {
    /// Returns the rule with an end, so that its last time is at or before `last`.
    package func ending(at last: Timestamp) throws(RecurrenceError) -> RecurrenceRule {
        try RecurrenceRule(text + ";UNTIL=\(try RecurrencePhrase.basic(last))")
    }

    /// Returns the rule of an item that is first due at `first` and repeats for `span`.
    ///
    /// A rule of days ends with its last day. A rule with times of its own ends one minute before the end of `span`, or
    /// one second before it if `first` is not a full minute. The words for these ends are short.
    package func ending(
        _ span: DurationPhrase, after first: Timestamp, in zone: TimeZoneRules
    ) throws(RecurrenceError) -> RecurrenceRule {
        guard let end = span.added(to: first, zone: zone) else { throw RecurrencePhrase.outOfRange }
        if stepWithinDay == nil, !namesTime, let last = zone.civil(at: end),
            let clock = zone.civil(at: first),
            let day = clock.secondOfDay < last.secondOfDay ? last.date : last.date.adding(days: -1)
        {
            return try ending(
                at: zone.moment(of: CivilDateTime(day, secondOfDay: CivilDateTime.secondsPerDay - 1)))
        }
        let isWholeMinute = first.secondsSince1970.truncatingRemainder(dividingBy: 60) == 0
        return try ending(at: max(first, end - (isWholeMinute ? 60 : 1)))
    }
}
