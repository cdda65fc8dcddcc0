import CivilTime
import Phrases
import Testing

@testable import Reminders

/// The way in which an item moves from one occurrence to the next.
@Suite struct SeriesTests {
    private static let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc

    /// An item with a rule, and the moments at which it is completed or skipped. Times are those of Madrid.
    struct Example: Sendable {
        let rule: String
        let first: String
        var isAfterDone = false
        /// The moments at which each occurrence is completed. With `skip` before it, the occurrence is
        /// skipped.
        let moments: [String]
        /// The next due time after each moment, or `nil` at the end of the series.
        let expected: [String?]
    }

    private func moment(_ text: String) throws -> Timestamp {
        try DatePhrase.reading(
            text, now: Timestamp(secondsSince1970: 1_795_194_000), zone: Self.madrid, defaultTime: 9 * 3_600
        ).moment
    }

    private func run(_ example: Example) throws -> [String?] {
        let first = try moment(example.first)
        var series: Series? = Series(
            try RecurrenceRule(example.rule), start: first, due: first, isAfterDone: example.isAfterDone,
            in: Self.madrid)
        var found: [String?] = []
        for text in example.moments {
            let words = text.split(separator: " ", maxSplits: 1)
            let isSkip = words[0] == "skip"
            let at = try moment(isSkip ? String(words[1]) : text)
            series = isSkip ? series?.skipped(at: at) : series?.done(at: at)
            found.append(series.flatMap { Self.madrid.civil(at: $0.due) }.map(Self.text))
        }
        return found
    }

    private static func text(_ civil: CivilDateTime) -> String {
        let date = [civil.date.year, civil.date.month, civil.date.day].map(pad).joined(separator: "-")
        return "\(date) \(pad(civil.hour)):\(pad(civil.minute))"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: - From the due time

    @Test(arguments: [
        // Completed in time, early, and days late.
        Example(
            rule: "FREQ=DAILY", first: "2026-11-20",
            moments: ["2026-11-20 10:00", "2026-11-20 11:00", "2026-11-25 08:00", "2026-11-25 12:00"],
            expected: ["2026-11-21 09:00", "2026-11-22 09:00", "2026-11-25 09:00", "2026-11-26 09:00"]),
        // The first time belongs to the series although it does not match the rule. It is a Friday.
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO,WE", first: "2026-11-20",
            moments: ["2026-11-20 10:00", "2026-11-23 10:00", "2026-11-25 10:00"],
            expected: ["2026-11-23 09:00", "2026-11-25 09:00", "2026-11-30 09:00"]),
        // A rule for every second week keeps to the same weeks, however late an occurrence is completed.
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2", first: "2026-11-02",
            moments: ["2026-11-17", "2026-12-12"], expected: ["2026-11-30 09:00", "2026-12-14 09:00"]),
        // Both changes of the clocks, at an hour that always exists, and at one that is skipped or occurs
        // twice.
        Example(
            rule: "FREQ=DAILY", first: "2027-03-27",
            moments: ["2027-03-27 09:00", "2027-03-28 09:00"],
            expected: ["2027-03-28 09:00", "2027-03-29 09:00"]),
        Example(
            rule: "FREQ=DAILY", first: "2027-03-27 02:30",
            moments: ["2027-03-27 03:00", "2027-03-28 04:00"],
            expected: ["2027-03-28 03:30", "2027-03-29 02:30"]),
        Example(
            rule: "FREQ=DAILY", first: "2027-10-30 02:30",
            moments: ["2027-10-30 03:00", "2027-10-31 12:00"],
            expected: ["2027-10-31 02:30", "2027-11-01 02:30"]),
        // The 31st, and 29 February.
        Example(
            rule: "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", first: "2027-01-31",
            moments: ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30 20:00"],
            expected: ["2027-02-28 09:00", "2027-03-31 09:00", "2027-04-30 09:00", "2027-05-31 09:00"]),
        Example(
            rule: "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", first: "2028-02-29",
            moments: ["2028-02-29", "2029-02-28", "2031-06-01"],
            expected: ["2029-02-28 09:00", "2030-02-28 09:00", "2032-02-29 09:00"]),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-1", first: "2027-01-31", moments: ["2027-02-03"],
            expected: ["2027-02-28 09:00"]),
    ])
    func completedItemMovesToNextOccurrence(_ example: Example) throws {
        #expect(try run(example) == example.expected)
    }

    // MARK: - From the completion

    @Test(arguments: [
        // Late, early, and once more on the day on which the clocks change.
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2", first: "2026-11-02", isAfterDone: true,
            moments: ["2026-11-04 20:00", "2026-11-17 06:00", "2027-03-28 01:00"],
            expected: ["2026-11-18 09:00", "2026-12-01 09:00", "2027-04-11 09:00"]),
        Example(
            rule: "FREQ=DAILY", first: "2027-03-27 02:30", isAfterDone: true,
            moments: ["2027-03-27 22:00", "2027-03-28 22:00", "2027-03-29 22:00"],
            expected: ["2027-03-28 03:30", "2027-03-29 02:30", "2027-03-30 02:30"]),
        Example(
            rule: "FREQ=DAILY;INTERVAL=3", first: "2026-11-20", isAfterDone: true,
            moments: ["2026-11-20 00:10", "2026-11-23 23:50"],
            expected: ["2026-11-23 09:00", "2026-11-26 09:00"]),
        Example(
            rule: "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", first: "2027-01-10", isAfterDone: true,
            moments: ["2027-01-31", "2027-03-02"], expected: ["2027-02-28 09:00", "2027-04-02 09:00"]),
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO,WE", first: "2026-11-23", isAfterDone: true,
            moments: ["2026-11-26 10:00", "2026-11-30 08:00"],
            expected: ["2026-11-30 09:00", "2026-12-02 09:00"]),
        // Completed early, on a day before the one that the rule names: the next occurrence is after the open
        // one.
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO", first: "2026-11-23", isAfterDone: true,
            moments: ["2026-11-22 12:00", "2026-11-22 12:01"],
            expected: ["2026-11-30 09:00", "2026-12-07 09:00"]),
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO,TH", first: "2026-11-23", isAfterDone: true,
            moments: ["2026-11-22 12:00", "2026-11-22 12:01"],
            expected: ["2026-11-26 09:00", "2026-11-30 09:00"]),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=1", first: "2026-12-01", isAfterDone: true,
            moments: ["2026-11-22 12:00"], expected: ["2027-01-01 09:00"]),
        Example(
            rule: "FREQ=MONTHLY;BYDAY=-1FR", first: "2026-11-27", isAfterDone: true,
            moments: ["2026-11-22 12:00"], expected: ["2026-12-25 09:00"]),
        Example(
            rule: "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", first: "2026-11-23 08:00", isAfterDone: true,
            moments: ["2026-11-22 21:00", "2026-11-23 07:00"],
            expected: ["2026-11-23 20:00", "2026-11-24 08:00"]),
        Example(
            rule: "FREQ=HOURLY;BYDAY=MO;X-BETWEEN=0900-1000", first: "2026-11-23 09:00", isAfterDone: true,
            moments: ["2026-11-22 12:00", "2026-11-22 12:01"],
            expected: ["2026-11-23 10:00", "2026-11-30 09:00"]),
        // An interval alone counts from the completion.
        Example(
            rule: "FREQ=DAILY;INTERVAL=3", first: "2026-11-25", isAfterDone: true,
            moments: ["2026-11-21 12:00"], expected: ["2026-11-24 09:00"]),
    ])
    func intervalCountsFromCompletion(_ example: Example) throws {
        #expect(try run(example) == example.expected)
    }

    // MARK: - The end of a series

    @Test(arguments: [
        Example(
            rule: "FREQ=DAILY;COUNT=3", first: "2026-11-20",
            moments: ["2026-11-20 10:00", "2026-11-21 10:00", "2026-11-22 10:00"],
            expected: ["2026-11-21 09:00", "2026-11-22 09:00", nil]),
        Example(rule: "FREQ=DAILY;COUNT=1", first: "2026-11-20", moments: ["2026-11-20"], expected: [nil]),
        // The first time counts, although it does not match the rule.
        Example(
            rule: "FREQ=WEEKLY;BYDAY=MO;COUNT=2", first: "2026-11-20",
            moments: ["2026-11-20", "2026-11-23"], expected: ["2026-11-23 09:00", nil]),
        // Missed and skipped occurrences count, too.
        Example(
            rule: "FREQ=DAILY;COUNT=5", first: "2026-11-20", moments: ["2026-11-22 10:00", "2026-11-24"],
            expected: ["2026-11-23 09:00", nil]),
        Example(
            rule: "FREQ=DAILY;COUNT=5", first: "2026-11-20", moments: ["2026-12-22"], expected: [nil]),
        Example(
            rule: "FREQ=DAILY;COUNT=3", first: "2026-11-20",
            moments: ["skip 2026-11-19", "skip 2026-11-19", "skip 2026-11-19"],
            expected: ["2026-11-21 09:00", "2026-11-22 09:00", nil]),
        Example(
            rule: "FREQ=DAILY;UNTIL=20261121T080000Z", first: "2026-11-20",
            moments: ["2026-11-20 10:00", "2026-11-21 10:00"], expected: ["2026-11-21 09:00", nil]),
        Example(
            rule: "FREQ=DAILY;UNTIL=20261225", first: "2026-11-20", moments: ["2027-01-01"], expected: [nil]),
        // If the interval counts from completion, there are no missed occurrences.
        Example(
            rule: "FREQ=DAILY;COUNT=3", first: "2026-11-20", isAfterDone: true,
            moments: ["2026-11-25 10:00", "2026-12-25 10:00", "2027-01-01"],
            expected: ["2026-11-26 09:00", "2026-12-26 09:00", nil]),
        Example(
            rule: "FREQ=DAILY;COUNT=3", first: "2026-11-20", isAfterDone: true,
            moments: ["skip 2026-11-25 10:00", "skip 2026-12-25 10:00", "skip 2026-12-25 10:00"],
            expected: ["2026-11-26 09:00", "2026-12-26 09:00", nil]),
        Example(
            rule: "FREQ=DAILY;BYHOUR=9,12,15;COUNT=2", first: "2026-11-20", isAfterDone: true,
            moments: ["2026-11-20 22:00", "2026-11-21 22:00"], expected: ["2026-11-21 09:00", nil]),
    ])
    func seriesEnds(_ example: Example) throws {
        #expect(try run(example) == example.expected)
    }

    // MARK: - Skipping an occurrence

    @Test(arguments: [
        Example(
            rule: "FREQ=WEEKLY", first: "2026-11-20", moments: ["skip 2026-11-18", "skip 2026-12-20"],
            expected: ["2026-11-27 09:00", "2026-12-25 09:00"]),
        // The occurrence was not completed, so the interval counts from the skipped occurrence.
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2", first: "2026-11-02", isAfterDone: true,
            moments: ["2026-11-04 20:00", "skip 2026-11-18 20:00"],
            expected: ["2026-11-18 09:00", "2026-12-02 09:00"]),
    ])
    func skippedOccurrenceMovesToNext(_ example: Example) throws {
        #expect(try run(example) == example.expected)
    }
}
