internal import CivilTime

/// A recurrence rule of RFC 5545, with the `SKIP` of RFC 7529.
///
/// Every value has been checked and repeats at most once a minute. Its only part outside these RFCs is `X-BETWEEN`, the
/// hours in which an hourly or minutely rule repeats.
package struct RecurrenceRule: Hashable, Sendable, CustomStringConvertible {
    /// The number of years that a search covers.
    ///
    /// A rule without a time in them counts as a rule without any time.
    package static let yearsLimit = 40
    package static let lengthLimit = 500
    /// The most times of a day that `BYHOUR` and `BYMINUTE` can name together.
    package static let timesADayLimit = 24
    /// The largest `COUNT`.
    ///
    /// Past times are counted one by one, which takes about 0.2 s for this number.
    package static let countLimit = 100_000

    /// The text of the rule in the format of RFC 5545: `FREQ=WEEKLY;BYDAY=MO,WE`.
    package let text: String

    package var description: String { text }

    /// Reads a rule, with or without `RRULE:` before it.
    package init(_ text: String) throws(RecurrenceError) {
        let upper = text.uppercased()
        let rule = upper.hasPrefix("RRULE:") ? upper.dropFirst(6) : upper[...]
        guard rule.utf8.count <= Self.lengthLimit else { throw Self.tooLong }
        let parts = try Self.parts(of: rule)
        try Self.check(parts)
        guard let window = try Self.window(parts) else {
            self.init(checked: try Self.canonical(rule, parts))
            return
        }
        let standard = parts.filter { $0.key != Self.windowKey }
        let text = standard.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
        self.init(checked: try Self.canonical(text[...], standard) + ";\(Self.windowKey)=\(window.text)")
    }

    /// Creates a rule from text that was checked before, such as stored text.
    package init(checked text: String) {
        self.text = text
    }

    // MARK: - Parts

    /// The number of occurrences, or `nil` if the rule ends by a date or never.
    package var count: Int? { value(of: "COUNT").flatMap { Int($0) } }

    /// The rule without its `COUNT`.
    var withoutCount: RecurrenceRule { without("COUNT") }

    /// The rule without its `INTERVAL`: every day, week, month or year.
    package var withoutInterval: RecurrenceRule { without("INTERVAL") }

    /// The rule without its `UNTIL`.
    var withoutUntil: RecurrenceRule { without("UNTIL") }

    private func without(_ key: String) -> RecurrenceRule {
        RecurrenceRule(
            checked: text.split(separator: ";").filter { !$0.hasPrefix(key + "=") }.joined(separator: ";"))
    }

    func numbers(of key: String) -> [Int] {
        value(of: key)?.split(separator: ",").compactMap { Int($0) }.sorted() ?? []
    }

    func value(of key: String) -> Substring? {
        for part in text.split(separator: ";") {
            if part.hasPrefix(key), part.dropFirst(key.count).first == "=" {
                return part.dropFirst(key.count + 1)
            }
        }
        return nil
    }

    // MARK: - Checking

    struct Part {
        let key: Substring
        let value: Substring
    }

    private static func parts(of rule: Substring) throws(RecurrenceError) -> [Part] {
        var parts: [Part] = []
        for text in rule.split(separator: ";", omittingEmptySubsequences: false) {
            let sides = text.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
                throw RecurrenceError(
                    reason: "'\(text)' is not a part of a rule",
                    advice: "a rule has the form FREQ=WEEKLY;BYDAY=MO,WE")
            }
            guard !parts.contains(where: { $0.key == sides[0] }) else {
                throw RecurrenceError(reason: "\(sides[0]) is given twice")
            }
            parts.append(Part(key: sides[0], value: sides[1]))
        }
        return parts
    }

    static var tooLong: RecurrenceError {
        RecurrenceError(reason: "a rule has at most \(lengthLimit) characters")
    }

    static var tooFine: RecurrenceError {
        RecurrenceError(
            reason: "an item can repeat every minute at most", advice: "try '1 minute' or '5 minutes'")
    }

    /// Returns the hours of the day that a rule names, or `nil` if it names none.
    ///
    /// - Throws: an error if the hours are invalid or the rule is not hourly or minutely.
    private static func window(_ parts: [Part]) throws(RecurrenceError) -> DayWindow? {
        guard let part = parts.first(where: { $0.key == windowKey }) else { return nil }
        guard let window = DayWindow(text: part.value) else {
            throw RecurrenceError(
                reason: "\(windowKey)=\(part.value) is not a range of hours",
                advice: "try \(windowKey)=0900-1800")
        }
        guard parts.contains(where: { $0.key == "FREQ" && ["HOURLY", "MINUTELY"].contains($0.value) }) else {
            throw RecurrenceError(
                reason:
                    "hours such as \(window.words) need a rule within the day, such as '2 hours' or '90 minutes'"
            )
        }
        guard !parts.contains(where: { $0.key == "BYHOUR" || $0.key == "BYMINUTE" }) else {
            throw RecurrenceError(
                reason: "the hours are named twice, by \(windowKey) and by BYHOUR or BYMINUTE")
        }
        return window
    }

    private static func tooLarge(_ key: String, text: Substring, limit: Int) -> RecurrenceError {
        RecurrenceError(
            reason: "\(key)=\(text) is more than \(limit)",
            advice: key == "COUNT" ? "omit it for no end" : nil)
    }

    /// Whether a text is a date such as `20261231`, with or without a time such as `T180000` or `T180000Z`.
    private static func isMoment(_ text: Substring) -> Bool {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        func number(_ text: Substring) -> Int? {
            text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
        }
        guard parts.count <= 2, parts[0].utf8.count == 8, let date = number(parts[0]),
            CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100) != nil
        else { return false }
        guard parts.count == 2 else { return true }
        let digits = parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1]
        guard digits.utf8.count == 6, let time = number(digits) else { return false }
        return time / 10_000 < 24 && time / 100 % 100 < 60 && time % 100 < 61
    }

    private static func check(_ parts: [Part]) throws(RecurrenceError) {
        let value = { (key: String) in parts.first { $0.key == key }?.value }
        guard let frequency = value("FREQ") else {
            throw RecurrenceError(reason: "the rule lacks FREQ=, such as FREQ=DAILY or FREQ=WEEKLY")
        }
        if frequency == "SECONDLY" { throw tooFine }
        let isWithinDay = ["MINUTELY", "HOURLY"].contains(frequency)
        for key in ["SKIP", "BYWEEKNO"] where isWithinDay && value(key) != nil {
            throw RecurrenceError(reason: "\(key) needs FREQ=MONTHLY or YEARLY")
        }
        guard value("BYSECOND") == nil else {
            throw RecurrenceError(reason: "BYSECOND is finer than a minute, which is not supported")
        }
        let times = ["BYHOUR", "BYMINUTE"].map { value($0)?.split(separator: ",").count ?? 1 }.reduce(1, *)
        guard isWithinDay || times <= timesADayLimit else {
            throw RecurrenceError(
                reason: "the rule names \(times) times a day",
                advice: "at most \(timesADayLimit) are possible")
        }
        let isOrdinalAllowed =
            frequency == "MONTHLY" || frequency == "YEARLY" && value("BYWEEKNO") == nil
        if !isOrdinalAllowed, let days = value("BYDAY"), days.contains(where: \.isNumber) {
            throw RecurrenceError(
                reason: "BYDAY=\(days): a number before the day needs FREQ=MONTHLY or YEARLY")
        }
        // libical ignores it with other frequencies, and counts days where it should count times.
        let isPositionAllowed = ["MONTHLY", "YEARLY"].contains(frequency) && times == 1
        guard value("BYSETPOS") == nil || isPositionAllowed else {
            throw RecurrenceError(reason: "BYSETPOS needs FREQ=MONTHLY or YEARLY and one time of the day")
        }
        // libical truncates larger numbers, and accepts any digits as a date.
        for (key, limit) in [("COUNT", countLimit), ("INTERVAL", Int(Int16.max))] {
            guard let text = value(key) else { continue }
            guard let number = Int(text), number > 0 else {
                guard text.allSatisfy(\.isNumber), text.contains(where: { $0 != "0" }) else {
                    throw RecurrenceError(reason: "\(key)=\(text) is not a number from 1 to \(limit)")
                }
                throw tooLarge(key, text: text, limit: limit)
            }
            if number > limit { throw tooLarge(key, text: text, limit: limit) }
        }
        if let until = value("UNTIL"), !isMoment(until) {
            throw RecurrenceError(
                reason: "UNTIL=\(until) is not a date",
                advice: "use a form such as 20261231 or 20261231T180000Z")
        }
        if value("COUNT") != nil, value("UNTIL") != nil {
            throw RecurrenceError(reason: "a rule cannot have both COUNT and UNTIL")
        }
    }
}
