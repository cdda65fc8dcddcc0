import CivilTime
import Testing

@testable import Reminders

/// Occurrences that are excluded from a rule, added to it, or changed.
@Suite struct SingleTimesTests {
    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    private func schedule(_ due: String, _ rule: String, zone: String? = nil) throws -> Schedule {
        var schedule = Schedule()
        schedule.setDue(CalendarTime(due), in: .utc)
        schedule.rule = try RecurrenceRule(rule)
        schedule.timeZone = zone
        return schedule
    }

    /// Returns the due times until the series ends, at most 20.
    private func times(_ schedule: Schedule) -> [String] {
        var (times, next): ([String], Schedule?) = ([], schedule)
        while let open = next, times.count < 20 {
            times.append(open.dueTime?.text(in: .utc) ?? "")
            next = open.done(at: Timestamp(secondsSince1970: 1_800_000_000), in: .utc)
        }
        return times
    }

    @Test func excludedTimesArePassedAndCounted() throws {
        var schedule = try schedule("2077-03-01T09:00:00Z", "FREQ=DAILY;COUNT=5")
        schedule.excludedDates = ["20770302T090000Z", "20770303T090000Z", "20770309T090000Z"]
        #expect(
            times(schedule) == ["2077-03-01T09:00:00Z", "2077-03-04T09:00:00Z", "2077-03-05T09:00:00Z"])
        let last = try #require(schedule.done(at: try moment("2026-01-01T00:00:00Z"), in: .utc))
        #expect(last.passed == 3)
    }

    @Test func addedTimesAreNotCounted() throws {
        var schedule = try schedule("2077-03-01T09:00:00Z", "FREQ=DAILY;COUNT=3")
        schedule.addedDates = ["20770301T120000Z", "20770401T090000Z", "20770302T090000Z"]
        #expect(
            times(schedule) == [
                "2077-03-01T09:00:00Z", "2077-03-01T12:00:00Z", "2077-03-02T09:00:00Z",
                "2077-03-03T09:00:00Z", "2077-04-01T09:00:00Z",
            ])
    }

    /// A changed occurrence is between others by its due time, and not by its time of the rule.
    @Test func changedOccurrenceHasItsDueTime() throws {
        var schedule = try schedule("2077-03-01T09:00:00Z", "FREQ=DAILY;COUNT=4")
        var moved = OccurrenceValue(recurrenceID: "20770302T090000Z")
        moved.due = CalendarTime("2077-03-20T09:00:00Z")
        var cancelled = OccurrenceValue(recurrenceID: "20770303T090000Z")
        cancelled.isCancelled = true
        schedule.occurrences = [moved, cancelled]
        #expect(times(schedule) == ["2077-03-01T09:00:00Z", "2077-03-04T09:00:00Z", "2077-03-20T09:00:00Z"])
    }

    /// A late completion does not pass over an occurrence that was moved to the future.
    @Test func movedOccurrenceIsNotPassedOver() throws {
        var schedule = try schedule("2077-03-01T09:00:00Z", "FREQ=DAILY")
        var moved = OccurrenceValue(recurrenceID: "20770302T090000Z")
        moved.due = CalendarTime("2077-03-20T09:00:00Z")
        schedule.occurrences = [moved]
        let next = schedule.skipped(at: try moment("2077-03-18T12:00:00Z"), in: .utc)
        #expect(next?.due == (try moment("2077-03-19T09:00:00Z")))
        let later = next?.skipped(at: try moment("2077-03-19T12:00:00Z"), in: .utc)
        #expect(later?.dueTime == moved.due)
        // The occurrence of the rule at the same time is not another one.
        let last = later?.skipped(at: try moment("2077-03-19T12:00:00Z"), in: .utc)
        #expect(last?.due == (try moment("2077-03-21T09:00:00Z")))
    }

    @Test(arguments: [
        ("2077-03-27", "20770328", ["2077-03-27", "2077-03-29"]),
        ("2077-03-27T09:00:00", "20770328T090000", ["2077-03-27T09:00:00", "2077-03-29T09:00:00"]),
    ])
    func excludedLocalTimeIsPassed(due: String, excluded: String, expected: [String]) throws {
        var schedule = try schedule(due, "FREQ=DAILY;COUNT=3")
        schedule.excludedDates = [excluded]
        #expect(times(schedule) == expected)
    }

    @Test func excludedTimeInZoneIsPassedWhenClocksChange() throws {
        var schedule = try schedule("2077-03-27T08:00:00Z", "FREQ=DAILY;COUNT=3", zone: "Europe/Berlin")
        schedule.excludedDates = ["20770328T070000Z"]
        #expect(times(schedule) == ["2077-03-27T08:00:00Z", "2077-03-29T07:00:00Z"])
    }

    @Test(arguments: ["20261127", "20261127T200000", "20261127T190000Z"])
    func basicTextReadsBack(text: String) throws {
        #expect(try #require(CalendarTime(basicText: text)).basicText == text)
    }

    @Test(arguments: [
        "", "20261327", "2026112", "20261127T", "2026T1127200000", "20261127T200060", "Z20261127",
    ])
    func otherTextIsNoTime(text: String) {
        #expect(CalendarTime(basicText: text) == nil)
    }

    @Test func excludedOccurrenceDoesNotBreakStreak() throws {
        var schedule = try schedule("2077-03-05T09:00:00Z", "FREQ=DAILY")
        schedule.ruleStart = try moment("2077-03-01T09:00:00Z")
        let done = try ["2077-03-01T09:00:00Z", "2077-03-02T09:00:00Z", "2077-03-04T09:00:00Z"].map {
            CompletionValue(date: try moment($0), due: CalendarTime($0))
        }
        let now = try moment("2077-03-05T08:00:00Z")
        #expect(Streaks(of: done, schedule, isFinished: false, at: now, in: .utc).present == 1)
        schedule.excludedDates = ["20770303T090000Z"]
        #expect(Streaks(of: done, schedule, isFinished: false, at: now, in: .utc).present == 3)
    }

    @Test func movedOccurrenceBreaksStreakOnlyIfMissed() throws {
        var schedule = try schedule("2077-03-05T09:00:00Z", "FREQ=DAILY")
        schedule.ruleStart = try moment("2077-03-01T09:00:00Z")
        var moved = OccurrenceValue(recurrenceID: "20770303T090000Z")
        moved.due = CalendarTime("2077-03-03T15:00:00Z")
        schedule.occurrences = [moved]
        let now = try moment("2077-03-05T08:00:00Z")
        let streak = { (dues: [String]) in
            let done = dues.map { CompletionValue(date: now, due: CalendarTime($0)) }
            return Streaks(of: done, schedule, isFinished: false, at: now, in: .utc).present
        }
        #expect(
            streak([
                "2077-03-01T09:00:00Z", "2077-03-02T09:00:00Z", "2077-03-03T15:00:00Z",
                "2077-03-04T09:00:00Z",
            ]) == 4)
        #expect(
            streak(["2077-03-01T09:00:00Z", "2077-03-02T09:00:00Z", "2077-03-04T09:00:00Z"]) == 1)
    }

    @Test func missedAddedOccurrenceBreaksStreak() throws {
        var schedule = try schedule("2077-03-05T09:00:00Z", "FREQ=DAILY")
        schedule.ruleStart = try moment("2077-03-03T09:00:00Z")
        schedule.addedDates = ["20770304T040000Z"]
        let now = try moment("2077-03-05T08:00:00Z")
        let done = ["2077-03-03T09:00:00Z", "2077-03-04T09:00:00Z"].map {
            CompletionValue(date: now, due: CalendarTime($0))
        }
        #expect(Streaks(of: done, schedule, isFinished: false, at: now, in: .utc).present == 1)
    }
}
