import CivilTime
import Testing

@testable import Reminders

/// The next times of items that are due on dates or at floating times.
@Suite struct ScheduleTests {
    private let berlin = TimeZoneRules(named: "Europe/Berlin") ?? .utc

    private func schedule(_ due: String, _ rule: String, isAfterDone: Bool = false) throws -> Schedule {
        var schedule = Schedule()
        schedule.rule = try RecurrenceRule(rule)
        schedule.setDue(CalendarTime(due), in: berlin)
        schedule.isAfterDone = isAfterDone
        return schedule
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    struct Example: Sendable {
        let due: String
        let rule: String
        let done: String
        let next: String?
        var isAfterDone = false
    }

    @Test(arguments: [
        // Completed on its day, early in the morning and one second before midnight.
        Example(due: "2026-11-27", rule: "FREQ=DAILY", done: "2026-11-27T00:10:00+01:00", next: "2026-11-28"),
        Example(due: "2026-11-27", rule: "FREQ=DAILY", done: "2026-11-27T23:59:59+01:00", next: "2026-11-28"),
        // Completed early or late: a missed occurrence is not that of today.
        Example(
            due: "2026-11-27", rule: "FREQ=WEEKLY", done: "2026-11-25T12:00:00+01:00", next: "2026-12-04"),
        Example(due: "2026-11-20", rule: "FREQ=DAILY", done: "2026-11-27T08:00:00+01:00", next: "2026-11-27"),
        Example(
            due: "2026-01-31", rule: "FREQ=MONTHLY;BYMONTHDAY=-1", done: "2026-01-31T09:00:00+01:00",
            next: "2026-02-28"),
        Example(
            due: "2026-11-20", rule: "FREQ=WEEKLY", done: "2026-11-24T08:00:00+01:00", next: "2026-12-01",
            isAfterDone: true),
        Example(due: "2026-11-27", rule: "FREQ=DAILY;COUNT=1", done: "2026-11-27T09:00:00+01:00", next: nil),
        Example(
            due: "2026-11-27", rule: "FREQ=DAILY;UNTIL=20261128", done: "2026-11-27T09:00:00+01:00",
            next: "2026-11-28"),
        Example(
            due: "2026-11-28", rule: "FREQ=DAILY;UNTIL=20261128", done: "2026-11-28T09:00:00+01:00", next: nil
        ),
        // A time that the clock of one zone skips exists in a floating series.
        Example(
            due: "2027-03-27T02:30:00", rule: "FREQ=DAILY", done: "2027-03-27T03:00:00+01:00",
            next: "2027-03-28T02:30:00"),
        Example(
            due: "2027-03-28T02:30:00", rule: "FREQ=DAILY", done: "2027-03-28T04:00:00+02:00",
            next: "2027-03-29T02:30:00"),
    ])
    func localTimeMovesToNextLocalTime(_ example: Example) throws {
        let schedule = try schedule(example.due, example.rule, isAfterDone: example.isAfterDone)
        let next = schedule.done(at: try moment(example.done), in: berlin)
        #expect(next?.dueTime?.text(in: berlin) == example.next)
        #expect(next?.due == next?.dueTime?.moment(in: berlin))
    }

    struct StartExample: Sendable {
        let due: String
        let rule: String
        let start: String
        let next: String
    }

    /// The clocks go forward on 28 March 2027.
    @Test(arguments: [
        StartExample(
            due: "2027-03-26", rule: "FREQ=WEEKLY", start: "2027-03-25T09:00:00+01:00",
            next: "2027-04-01T09:00:00+02:00"),
        StartExample(due: "2027-03-26", rule: "FREQ=WEEKLY", start: "2027-03-25", next: "2027-04-01"),
        StartExample(
            due: "2027-03-26T10:00:00+01:00", rule: "FREQ=WEEKLY", start: "2027-03-25T23:30:00+01:00",
            next: "2027-04-01T23:30:00+02:00"),
        StartExample(
            due: "2027-03-26T10:00:00", rule: "FREQ=WEEKLY", start: "2027-03-26T08:00:00",
            next: "2027-04-02T08:00:00"),
        StartExample(
            due: "2027-03-26T10:00:00+01:00", rule: "FREQ=HOURLY", start: "2027-03-26", next: "2027-03-26"),
        StartExample(
            due: "2027-03-26T10:00:00+01:00", rule: "FREQ=HOURLY", start: "2027-03-26T09:00:00",
            next: "2027-03-26T10:00:00"),
        // The clocks skip the hour of the start, which must not be after the due time.
        StartExample(
            due: "2027-03-27T03:00:00+01:00", rule: "FREQ=DAILY", start: "2027-03-27T02:30:00+01:00",
            next: "2027-03-28T01:30:00+01:00"),
        StartExample(
            due: "2027-03-28T03:30:00+02:00", rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
            start: "2027-03-28T03:00:00+02:00", next: "2027-03-29T02:00:00+02:00"),
    ])
    func startKeepsItsDistanceToDueTime(_ example: StartExample) throws {
        var schedule = try schedule(example.due, example.rule)
        schedule.timeZone = "Europe/Berlin"
        schedule.start = CalendarTime(example.start)
        let next = schedule.done(at: try #require(schedule.due) - 600, in: berlin)
        #expect(next?.start?.text(in: berlin) == example.next)
    }

    @Test func startMovesWithAnAddedTime() throws {
        var schedule = try schedule("2027-01-11T09:00:00+01:00", "FREQ=DAILY")
        schedule.timeZone = "Europe/Berlin"
        schedule.start = CalendarTime("2027-01-11T08:00:00+01:00")
        schedule.addedDates = ["20270111T120000Z"]
        var starts: [String?] = []
        for _ in 0..<3 {
            let due = try #require(schedule.due)
            schedule = try #require(schedule.done(at: due, in: berlin))
            starts.append(schedule.start?.text(in: berlin))
        }
        #expect(
            starts == [
                "2027-01-11T12:00:00+01:00", "2027-01-12T08:00:00+01:00", "2027-01-13T08:00:00+01:00",
            ])
    }

    @Test func startOfASubtaskIsNotAfterItsDueTime() throws {
        let parent = try schedule("2027-03-27T18:00:00+01:00", "FREQ=DAILY")
        let due = try #require(parent.due)
        let next = try #require(parent.done(at: due, in: berlin))
        var subtask = Schedule()
        subtask.setDue(CalendarTime("2027-03-27T03:00:00+01:00"), in: berlin)
        subtask.start = CalendarTime("2027-03-27T02:30:00+01:00")
        let former = subtask
        subtask.setDue(parent.moved(former.dueTime, with: next, in: berlin), in: berlin)
        subtask.setStart(parent.moved(former.start, with: next, in: berlin), since: former)
        #expect(subtask.dueTime?.text(in: berlin) == "2027-03-28T03:00:00+02:00")
        #expect(subtask.start?.text(in: berlin) == "2027-03-28T01:30:00+01:00")
    }

    /// Every second week counts from a day, whatever the zone is when an occurrence is completed.
    @Test func seriesOfDatesIsTheSameInEachZone() throws {
        let zones = ["Pacific/Kiritimati", "America/Los_Angeles", "Europe/Berlin"].compactMap(
            TimeZoneRules.init(named:))
        var schedule = try schedule("2026-11-27", "FREQ=WEEKLY;INTERVAL=2")
        var dates: [String?] = []
        for (index, zone) in zones.enumerated() {
            let noon = try moment("2026-11-27T12:00:00Z") + Double(index) * 14 * 86_400
            schedule = try #require(schedule.done(at: noon, in: zone))
            dates.append(schedule.dueTime?.text(in: zone))
        }
        #expect(zones.count == 3 && dates == ["2026-12-11", "2026-12-25", "2027-01-08"])
    }

    @Test func fixedScheduleOfFloatingOneIsTheFormerOne() throws {
        var schedule = try schedule("2027-01-31T09:00:00+01:00", "FREQ=MONTHLY;BYMONTHDAY=-1")
        schedule.timeZone = "Europe/Berlin"
        let floating = schedule.floating(in: .utc)
        #expect(floating.dueTime?.text(in: berlin) == "2027-01-31T09:00:00" && floating.timeZone == nil)
        let fixed = floating.fixed(in: berlin)
        #expect(fixed.due == schedule.due && fixed.rule == schedule.rule && fixed.timeZone == "Europe/Berlin")
    }

    @Test(arguments: [
        ("FREQ=DAILY;UNTIL=20261231T225959Z", true, "FREQ=DAILY;UNTIL=20261231"),
        ("FREQ=DAILY;UNTIL=20261231T225959Z", false, "FREQ=DAILY;UNTIL=20261231T235959"),
        ("FREQ=DAILY;COUNT=3", true, "FREQ=DAILY;COUNT=3"),
    ])
    func endOfLocalRuleHasNoZone(rule: String, isDate: Bool, expected: String) throws {
        #expect(try RecurrenceRule(rule).withLocalEnd(in: berlin, isDate: isDate).text == expected)
    }
}
