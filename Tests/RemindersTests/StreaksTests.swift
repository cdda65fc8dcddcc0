import CivilTime
import Testing

@testable import Reminders

@Suite struct StreaksTests {
    private let berlin = TimeZoneRules(named: "Europe/Berlin") ?? .utc

    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    struct Example: Sendable {
        let rule: String
        /// The due times of the occurrences. A skipped one has a minus sign before it.
        let done: [String]
        /// The open due time, or `nil` for a finished series.
        let open: String?
        let now: String
        let present: Int
        let longest: Int
        var isAfterDone = false
    }

    @Test(arguments: [
        // No occurrence.
        Example(
            rule: "FREQ=DAILY", done: [], open: "2026-11-27", now: "2026-11-27T09:00:00+01:00", present: 0,
            longest: 0),
        // Three days in a row, and the fourth is open.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-24", "2026-11-25", "2026-11-26"], open: "2026-11-27",
            now: "2026-11-28T23:59:58+01:00", present: 3, longest: 3),
        // The day after the open one has ended.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-24", "2026-11-25", "2026-11-26"], open: "2026-11-27",
            now: "2026-11-28T23:59:59+01:00", present: 0, longest: 3),
        // A missed day between two streaks.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-25"],
            open: "2026-11-26", now: "2026-11-26T09:00:00+01:00", present: 1, longest: 3),
        // The last one was done late, and the one after it was passed over.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-24"], open: "2026-11-26", now: "2026-11-25T09:00:00+01:00",
            present: 0, longest: 1),
        // A skipped day neither breaks a streak nor adds to it.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-24", "-2026-11-25", "2026-11-26"], open: "2026-11-27",
            now: "2026-11-27T09:00:00+01:00", present: 2, longest: 2),
        // Days that the rule does not have are not missed.
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO,FR", done: ["2026-11-20", "2026-11-23"], open: "2026-11-27",
            now: "2026-11-24T09:00:00+01:00", present: 2, longest: 2),
        // A finished series keeps its streak.
        Example(
            rule: "FREQ=DAILY;COUNT=2", done: ["2026-11-19", "2026-11-20"], open: nil,
            now: "2026-11-27T09:00:00+01:00", present: 2, longest: 2),
        Example(
            rule: "FREQ=DAILY;UNTIL=20261120", done: ["2026-11-19", "2026-11-20"], open: nil,
            now: "2026-11-27T09:00:00+01:00", present: 2, longest: 2),
        // A rule that counts from the completion has no missed occurrences.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-02", "2026-11-14"], open: "2026-11-20",
            now: "2026-11-27T09:00:00+01:00", present: 2, longest: 2, isAfterDone: true),
        // A floating time is not missed while the clock of the zone has not reached the next one.
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-25T20:00:00", "2026-11-26T20:00:00"],
            open: "2026-11-27T20:00:00", now: "2026-11-28T18:59:59Z", present: 2, longest: 2),
        Example(
            rule: "FREQ=DAILY", done: ["2026-11-25T20:00:00", "2026-11-26T20:00:00"],
            open: "2026-11-27T20:00:00", now: "2026-11-28T19:00:00Z", present: 0, longest: 2),
        // The clocks go back between the two.
        Example(
            rule: "FREQ=DAILY", done: ["2026-10-24T09:00:00+02:00", "2026-10-25T09:00:00+01:00"],
            open: "2026-10-26T09:00:00+01:00", now: "2026-10-25T12:00:00+01:00", present: 2, longest: 2),
        // Hours.
        Example(
            rule: "FREQ=HOURLY;X-BETWEEN=0900-1100",
            done: ["2026-11-26T10:00:00+01:00", "2026-11-26T11:00:00+01:00", "2026-11-27T09:00:00+01:00"],
            open: "2026-11-27T10:00:00+01:00", now: "2026-11-27T10:30:00+01:00", present: 3, longest: 3),
    ])
    func streakEndsWithMissedOccurrence(_ example: Example) throws {
        var schedule = Schedule()
        schedule.rule = try RecurrenceRule(example.rule)
        let first = example.done.first.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        let due = try #require(example.open ?? example.done.last)
        schedule.setDue(CalendarTime(due), in: berlin)
        let start = try #require(CalendarTime(first ?? due))
        schedule.ruleStart = start.local?.momentInUTC ?? start.moment(in: berlin)
        schedule.isAfterDone = example.isAfterDone
        let now = try moment(example.now)
        let completions = try example.done.map { text in
            let due = try #require(CalendarTime(text.hasPrefix("-") ? String(text.dropFirst()) : text))
            return CompletionValue(date: now, due: due, isSkipped: text.hasPrefix("-"))
        }
        for completions in [completions, completions.reversed()] {
            let streaks = Streaks(
                of: completions, schedule, isFinished: example.open == nil, at: now, in: berlin)
            #expect(streaks.present == example.present && streaks.longest == example.longest, "\(example)")
        }
    }
}
