internal import CivilTime
internal import Phrases
internal import Reminders

/// A date of a Todoist task, such as `Sep 15 2026 10:00`, `every! 3 days` or `every monday 9am starting 3 nov`.
struct TodoistDate {
    private(set) var due: CalendarTime
    private(set) var rule: RecurrenceRule?
    /// The first time of the rule.
    private(set) var ruleStart: Timestamp?
    /// Whether the rule counts from the completion.
    private(set) var isAfterDone = false

    /// The reason why a date cannot be read.
    struct Unreadable: Error {
        let reason: String
    }

    init(_ text: String, now: Timestamp, zone: TimeZoneRules) throws(Unreadable) {
        var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        let first = words.first ?? ""
        guard Self.ruleWords.contains(first) else {
            due = try Self.reading(text, now, zone).time
            return
        }
        isAfterDone = Self.wordsAfterDone.contains(first)
        if Self.wordsForEvery.contains(first) { words[0] = "every" }
        self = try Self(rule: words, isAfterDone: isAfterDone, now, zone)
    }

    private static let wordsAfterDone: Set = ["every!", "ev!", "after"]
    private static let wordsForEvery = wordsAfterDone.union(["ev"])
    private static let ruleWords = wordsForEvery.union(["every", "daily", "weekly", "monthly", "yearly"])

    /// Creates the date of a rule. Its first time is today or later, or after the start that the words name.
    private init(
        rule words: [String], isAfterDone: Bool, _ now: Timestamp, _ zone: TimeZoneRules
    ) throws(Unreadable) {
        self.isAfterDone = isAfterDone
        let startIndex = words.firstIndex(of: "starting") ?? words.endIndex
        let endIndex =
            words[startIndex...].firstIndex { ["ending", "until", "for"].contains($0) } ?? words.endIndex
        let start: (time: CalendarTime, secondOfDay: Int?)? =
            startIndex == words.endIndex
            ? nil
            : try Self.reading(
                words[startIndex..<endIndex].dropFirst().joined(separator: " "), now, zone, purpose: .filter)
        let text = (words[..<startIndex] + words[endIndex...]).map { $0 == "ending" ? "until" : $0 }
            .joined(separator: " ")
        do {
            let reading = try RecurrencePhrase.reading(text, .init(now: now, zone: zone))
            let second = reading.secondOfDay ?? start?.secondOfDay
            let today = zone.civil(at: now).map { LocalTime.date($0.date).firstMoment(in: zone) } ?? now
            let isDate = second == nil && reading.rule.isOfDays
            let earliest = isDate ? today - 1 : now
            let begin = start.map { $0.time.firstMoment(in: zone) - 1 } ?? earliest
            guard let first = reading.rule.firstTime(after: begin, defaultTime: second ?? 0, in: zone) else {
                throw Unreadable(reason: "it has no time")
            }
            // The rule counts from its first time, which may be long ago.
            let due =
                first > earliest
                ? first : reading.rule.next(after: earliest, and: earliest, from: first, in: zone)?.due
            guard let due, let civil = zone.civil(at: due), let firstCivil = zone.civil(at: first) else {
                throw Unreadable(reason: "it has no time in the future")
            }
            self.due = isDate ? .local(.date(civil.date)) : .moment(due)
            ruleStart = isDate ? LocalTime.date(firstCivil.date).momentInUTC : first
            var rule = reading.rule
            if let span = reading.span { rule = try rule.ending(span, after: first, in: zone) }
            self.rule = rule
        } catch let error as RecurrenceError {
            throw Unreadable(reason: error.reason)
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(reason: "\(error)")
        }
    }

    private static func reading(
        _ text: String, _ now: Timestamp, _ zone: TimeZoneRules, purpose: DatePhrase.Purpose = .due
    ) throws(Unreadable) -> (time: CalendarTime, secondOfDay: Int?) {
        do {
            let reading = try DatePhrase.reading(
                text, now: now, zone: zone, defaultTime: 0, purpose: purpose, suggests: false)
            guard reading.isDayAlone, let date = zone.civil(at: reading.moment)?.date else {
                return (.moment(reading.moment), reading.secondOfDay)
            }
            return (.local(.date(date)), nil)
        } catch {
            throw Unreadable(reason: error.reason)
        }
    }
}
