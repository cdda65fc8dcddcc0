import CivilTime
import Testing

@testable import Reminders

/// EXDATE, RDATE, RECURRENCE-ID and cancelled tasks in iCalendar.
@Suite struct ICalendarOccurrenceTests {
    private typealias Reading = (items: [ExchangeItem], remarks: [String])

    private func read(_ tasks: [String]...) throws -> Reading {
        let lines = tasks.flatMap { ["BEGIN:VTODO", "UID:a"] + $0 + ["END:VTODO"] }
        return try read(
            text: (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(
                separator: "\r\n"))
    }

    private func read(text: String) throws -> Reading {
        var reader = try ICalendarReader(text, zone: .utc, defaultTime: 0)
        var items: [ExchangeItem] = []
        while let item = try reader.next() { items.append(item) }
        return (items, reader.takeRemarks().map(\.description))
    }

    private func write(_ item: ExchangeItem) -> String {
        var writer = ICalendarWriter(now: Timestamp(secondsSince1970: 1_795_194_000), timeOfDates: 0)
        return ICalendarWriter.header + writer.lines(for: item) + ICalendarWriter.footer
    }

    private static let daily = [
        "SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20770326T090000", "DUE;TZID=Europe/Berlin:20770326T090000",
        "RRULE:FREQ=DAILY",
    ]

    @Test func singleTimesAreRead() throws {
        let reading = try read(
            Self.daily + [
                "EXDATE;TZID=Europe/Berlin:20770327T090000,20770328T090000", "EXDATE:20770330T070000Z",
                "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20770401T120000/PT1H",
            ])
        let item = try #require(reading.items.first)
        #expect(item.excludedDates == ["20770327T080000Z", "20770328T070000Z", "20770330T070000Z"])
        #expect(item.addedDates == ["20770401T100000Z"] && reading.remarks == [])
    }

    /// The times in a file are starts, and those of the rule of an item are due times.
    @Test func singleTimesOfStartsBecomeDueTimes() throws {
        let item = try #require(
            try read([
                "SUMMARY:x", "DTSTART:20770301T080000Z", "DUE:20770302T100000Z", "RRULE:FREQ=DAILY",
                "EXDATE:20770303T080000Z",
            ]).items.first)
        #expect(item.excludedDates == ["20770304T100000Z"])
    }

    /// Returns the due times of a task from another program, each completed when it is due.
    private func dues(_ tasks: [String]...) throws -> [String] {
        let lines = tasks.flatMap { ["BEGIN:VTODO", "UID:a"] + $0 + ["END:VTODO"] }
        let item = try #require(
            try read(
                text: (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(
                    separator: "\r\n")
            ).items.first)
        var schedule = Schedule()
        schedule.setDue(item.due.map(CalendarTime.moment), in: .utc)
        (schedule.rule, schedule.ruleStart) = (item.recurrence, item.recurrenceStart)
        schedule.passed = Int32(item.occurrencesDone ?? 0)
        (schedule.excludedDates, schedule.addedDates) = (item.excludedDates, item.addedDates)
        schedule.occurrences = item.occurrences
        var texts: [String] = []
        var open: Schedule? = schedule
        while let due = open?.due, texts.count < 20 {
            texts.append(RFC3339.text(due).map { "\($0.dropFirst(8).prefix(5))" } ?? "")
            open = open?.done(at: due, in: .utc)
        }
        return texts
    }

    private static let six = ["SUMMARY:x", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=6"]

    /// An occurrence that is moved hides no other, wherever it is moved.
    @Test(arguments: [
        ("20261203T090000Z", "20261205T120000Z", ["01T09", "02T09", "04T09", "05T09", "05T12", "06T09"]),
        ("20261204T090000Z", "20261201T100000Z", ["01T09", "01T10", "02T09", "03T09", "05T09", "06T09"]),
        ("20261201T090000Z", "20261210T090000Z", ["02T09", "03T09", "04T09", "05T09", "06T09", "10T09"]),
        ("20261206T090000Z", "20261210T090000Z", ["01T09", "02T09", "03T09", "04T09", "05T09", "10T09"]),
    ])
    func movedOccurrenceHidesNoOther(time: String, due: String, dues: [String]) throws {
        #expect(try self.dues(Self.six, ["RECURRENCE-ID:\(time)", "DUE:\(due)"]) == dues)
    }

    /// The count for other programs is that of the rule, also while a moved occurrence is open.
    @Test func countOfMovedOccurrenceIsThatOfTheRule() throws {
        var item = ExchangeItem(uid: "a", name: "x")
        item.setDue(CalendarTime("2026-12-03T18:00:00Z"), in: .utc)
        item.recurrence = try RecurrenceRule("FREQ=DAILY;COUNT=5")
        item.recurrenceStart = RFC3339.moment("2026-11-30T09:00:00Z")
        item.occurrencesDone = 3
        var moved = OccurrenceValue(recurrenceID: "20261203T090000Z")
        moved.due = CalendarTime("2026-12-03T18:00:00Z")
        item.occurrences = [moved]
        let text = write(item)
        #expect(text.contains("\r\nRRULE:FREQ=DAILY;COUNT=5\r\n"))
        let back = try #require(try read(text: text).items.first)
        #expect(back.recurrence == item.recurrence && back.due == item.due && back.occurrencesDone == 3)
        #expect(back.occurrences == [moved])
    }

    /// A changed time that the rule does not have uses none of its count.
    @Test func changedTimeOutsideOfTheRuleIsNotCounted() throws {
        let three = ["SUMMARY:x", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3"]
        #expect(
            try dues(three, ["RECURRENCE-ID:20261202T110000Z", "DUE:20261202T160000Z"])
                == ["01T09", "02T09", "02T16", "03T09"])
    }

    @Test func addedTimeBeforeTheFirstOneIsTheFirst() throws {
        #expect(
            try dues(Self.six + ["RDATE:20261130T090000Z"])
                == ["30T09", "01T09", "02T09", "03T09", "04T09", "05T09", "06T09"])
        #expect(
            try dues(Self.six + ["EXDATE:20261201T090000Z", "RDATE:20261130T090000Z"])
                == ["30T09", "02T09", "03T09", "04T09", "05T09", "06T09"])
    }

    @Test func singleTimesBeyondTheLimitAreOmitted() throws {
        let start = try #require(RFC3339.moment("2077-03-27T07:00:00Z"))
        let texts = (0..<1_001).compactMap { RFC3339.text(start + Double($0) * 86_400) }.map { text in
            text.filter { $0 != "-" && $0 != ":" }
        }
        let reading = try read(
            ["SUMMARY:x", "DUE:20770326T070000Z", "RRULE:FREQ=DAILY"] + texts.map { "EXDATE:\($0)" })
        #expect(reading.items.first?.excludedDates.count == 1_000)
        #expect(
            reading.remarks == [
                "line 3: 'x': the times of its EXDATE after the first 1000 are omitted"
            ])
    }

    @Test func itemBeginsAtItsFirstOccurrence() throws {
        let item = try #require(
            try read(Self.daily + ["EXDATE;TZID=Europe/Berlin:20770326T090000"]).items.first)
        #expect(item.due == RFC3339.moment("2077-03-27T08:00:00Z"))
        #expect(item.recurrenceStart == RFC3339.moment("2077-03-26T08:00:00Z"))
    }

    @Test func timeInDaysExcludesOccurrenceOfThatDay() throws {
        let item = try #require(try read(Self.daily + ["EXDATE;VALUE=DATE:20770328"]).items.first)
        #expect(item.excludedDates == ["20770328T070000Z"])
    }

    @Test func taskWithAddedTimesOnlyRepeats() throws {
        let item = try #require(
            try read(["SUMMARY:x", "DUE:20770301T080000Z", "RDATE:20770305T080000Z"]).items.first)
        #expect(item.recurrence?.text == "FREQ=DAILY;COUNT=1" && item.addedDates == ["20770305T080000Z"])
    }

    @Test func changedOccurrenceIsRead() throws {
        let reading = try read(
            [
                "RECURRENCE-ID;TZID=Europe/Berlin:20770328T090000", "SUMMARY:Other", "DESCRIPTION:Notes",
                "PRIORITY:1", "DUE;TZID=Europe/Berlin:20770328T170000", "X-A:1",
            ], Self.daily, ["RECURRENCE-ID:20770327T080000Z", "SUMMARY:x", "STATUS:CANCELLED"],
            ["RECURRENCE-ID:20770326T080000Z", "SUMMARY:x", "STATUS:COMPLETED", "COMPLETED:20770101T000000Z"])
        let item = try #require(reading.items.first)
        #expect(reading.items.count == 1 && reading.remarks == [])
        #expect(
            item.occurrences.map(\.recurrenceID) == [
                "20770326T080000Z", "20770327T080000Z", "20770328T070000Z",
            ])
        let changed = try #require(item.occurrences.last)
        #expect(changed.name == "Other" && changed.notes == "Notes" && changed.priority == 1)
        #expect(changed.due == CalendarTime("2077-03-28T15:00:00Z"))
        #expect(changed.remainder.map { String(decoding: $0, as: UTF8.self) }?.contains("X-A:1\r\n") == true)
        // The first occurrence is done and the second one is cancelled.
        #expect(item.due == RFC3339.moment("2077-03-28T15:00:00Z"))
    }

    @Test(arguments: [
        ["DTSTART;VALUE=DATE:20770301", "DUE;VALUE=DATE:20770301", "EXDATE;VALUE=DATE:20770303"],
        [
            "DTSTART:20770301T090000", "DUE:20770301T090000", "EXDATE:20770303T090000",
            "RDATE:20770303T100000",
        ],
        [
            "DTSTART;TZID=Europe/Berlin:20770301T090000", "DUE;TZID=Europe/Berlin:20770301T090000",
            "RDATE:20770303T100000Z",
        ],
        ["DTSTART:20770301T080000Z", "DUE:20770301T090000Z", "EXDATE:20770301T080000Z"],
    ])
    func singleTimesReadBack(lines: [String]) throws {
        let start =
            lines[0].split(separator: ":").last.map { $0.replacing("20770301", with: "20770305") } ?? ""
        let id = lines[0].split(separator: ":")[0].replacing("DTSTART", with: "RECURRENCE-ID")
        let item = try #require(
            try read(
                ["SUMMARY:x", "RRULE:FREQ=DAILY;COUNT=9"] + lines,
                ["\(id):\(start)", "SUMMARY;LANGUAGE=de:Anders", "STATUS:CANCELLED", "X-A:1"]
            ).items.first)
        let text = write(item)
        #expect(text.contains("\r\nSUMMARY;LANGUAGE=de:Anders\r\n"))
        var back = try #require(try read(text: text).items.first)
        #expect(write(back) == text)
        (back.missing, back.isSnoozeKnown, back.remainder) = (
            item.missing, item.isSnoozeKnown, item.remainder
        )
        #expect(back == item, "\(back)\n\(item)")
    }

    @Test func changedOccurrenceWithoutTaskIsRemarked() throws {
        let reading = try read(["RECURRENCE-ID:20770327T080000Z", "SUMMARY:x"])
        #expect(reading.items.isEmpty)
        #expect(
            reading.remarks == [
                "line 3: a changed time of a repeating task is omitted: the file does not have the task"
            ])
    }

    @Test func changedOccurrenceThatIsNoneIsRemarked() throws {
        let plain = try read(["SUMMARY:x"], ["RECURRENCE-ID:20770327T080000Z"])
        #expect(plain.remarks == ["line 7: a changed time of 'x' is omitted, as it does not repeat"])
        let reading = try read(
            Self.daily + ["EXDATE:soon"], ["RECURRENCE-ID:soon"],
            ["RECURRENCE-ID;RANGE=THISANDFUTURE:20770327T080000Z"], ["RECURRENCE-ID:20770327T080000Z"])
        #expect(
            reading.remarks == [
                "line 3: 'x': 'soon' of its EXDATE is not a time, and is omitted",
                "line 11: a changed time of 'x' is omitted: its RECURRENCE-ID is not a time",
                "line 15: 'x': a change of all later times (RANGE) is imported for one time",
                "line 19: a second change of the same time of 'x' is omitted",
            ])
    }

    @Test func singleTimesHaveALimit() throws {
        let dates = (0..<1_200).map { "EXDATE:2\(1_000 + $0 / 12)\(10 + $0 % 3)01T080000Z" }
        let reading = try read(["SUMMARY:x", "DUE:20770301T080000Z", "RRULE:FREQ=DAILY"] + dates)
        #expect(try #require(reading.items.first).excludedDates.count <= 1_000)
    }

    @Test func cancelledTaskReadsBack() throws {
        let item = try #require(try read(Self.daily + ["STATUS:CANCELLED"]).items.first)
        #expect(item.isCancelled && item.isCompleted)
        #expect(write(item).contains("\r\nSTATUS:CANCELLED\r\n"))
        #expect(try read(text: write(item)).items.first?.isCancelled == true)
    }
}
