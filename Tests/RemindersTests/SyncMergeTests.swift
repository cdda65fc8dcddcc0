import CivilTime
import Testing

@testable import Reminders

/// Merges of the changes of an item and of its task on a server.
@Suite struct SyncMergeTests {
    private static let berlin = TimeZoneRules(named: "Europe/Berlin") ?? .utc
    private let format = SyncFormat(
        zone: berlin, defaultTime: 9 * 3_600, now: Timestamp(secondsSince1970: 1_795_000_000))

    /// A task as another program writes it, with properties that todod does not know.
    private static let task = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Other//EN\r
        X-WR-CALNAME:Home\r
        BEGIN:VTODO\r
        uid:one\r
        DTSTAMP:20261101T080000Z\r
        x-lower;x-p="a:b":kept, as it\r
          is\r
        SUMMARY;LANGUAGE=en:Pay the\r
          rent\r
        CATEGORIES:home,money\r
        GEO:1.5;2.50\r
        PRIORITY:5\r
        DUE;TZID=Europe/Berlin:20261201T090000\r
        DTSTART;TZID=Europe/Berlin:20261201T080000\r
        STATUS:NEEDS-ACTION\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        X-OWN:1\r
        TRIGGER;RELATED=END:-PT10M\r
        END:VALARM\r
        BEGIN:X-THING\r
        A:B\r
        END:X-THING\r
        END:VTODO\r
        END:VCALENDAR\r

        """

    private func read(_ text: String = task) throws -> SyncTask { try format.task(text) }

    private func changed(_ text: String = task, _ change: (inout ExchangeItem) -> Void) throws -> String {
        let task = try read(text)
        var item = task.item
        change(&item)
        return try format.text(text, with: item, changedSince: task.state)
    }

    /// Returns the lines of the second text that the first one does not have, without the time stamps.
    private func added(_ former: String, _ text: String) -> [String] {
        let lines = Set(former.split(separator: "\r\n"))
        return text.split(separator: "\r\n").filter { !lines.contains($0) }.map(String.init).filter {
            !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("LAST-MODIFIED")
        }
    }

    /// A task of whole days.
    private static let days = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        BEGIN:VTODO\r
        UID:day\r
        SUMMARY:Day\r
        DTSTART;VALUE=DATE:20261201\r
        DUE;VALUE=DATE:20261203\r
        END:VTODO\r
        END:VCALENDAR\r

        """

    @Test(arguments: ["", "UID:\r\n"]) func taskWithoutUIDIsRefused(uid: String) {
        let text = Self.days.replacing("UID:day\r\n", with: uid)
        #expect(throws: SyncTask.Failure(description: "it has no UID")) { try read(text) }
    }

    @Test func dueTimeOfTaskWithStartDateLeavesNoDateBesideTheTime() throws {
        let text = try changed(Self.days) { item in
            item.localDue = nil
            item.due = Timestamp(secondsSince1970: 1_796_292_000)
        }
        #expect(
            added(Self.days, text) == ["DUE:20261203T100000Z", "X-TODOD-START;VALUE=DATE:20261201"])
        #expect(!text.contains("\r\nDTSTART"))
        #expect(try read(text).item.localStart == read(Self.days).item.localStart)
    }

    @Test func startDateOfAnotherProgramStaysBesideAMovedDueTime() throws {
        let text = Self.days.replacing(
            "DUE;VALUE=DATE:20261203", with: "DUE;TZID=Europe/Berlin:20261203T110000")
        let moved = try changed(text) { $0.due = $0.due.map { $0 + 3_600 } }
        #expect(added(text, moved) == ["DUE;TZID=Europe/Berlin:20261203T120000"])
        #expect(moved.contains("DTSTART;VALUE=DATE:20261201"))
        let started = try changed(text) { $0.localStart = LocalTime("2026-12-02") }
        #expect(added(text, started) == ["DTSTART;VALUE=DATE:20261202"])
    }

    @Test(arguments: ["DUE:20261203T100000Z\r\n", ""])
    func startThatAnotherProgramHasChangedReplacesOwnStart(due: String) throws {
        let text = Self.days.replacing(
            "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261203\r\n",
            with: "DTSTART:20261202T100000Z\r\nX-TODOD-START;VALUE=DATE:20261201\r\n\(due)")
        let item = try read(text).item
        #expect(item.start == Timestamp(secondsSince1970: 1_796_205_600))
        #expect(item.localStart == nil)
    }

    /// A repeating task with an alarm at a moment, as Apple's Reminders writes it.
    private static let alarmed = days.replacing(
        "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261203\r\n",
        with: """
            DTSTART:20261201T080000Z\r
            DUE:20261201T080000Z\r
            RRULE:FREQ=DAILY\r
            BEGIN:VALARM\r
            X-WR-ALARMUID:alarm\r
            ACTION:AUDIO\r
            TRIGGER;VALUE=DATE-TIME:20261201T070000Z\r
            END:VALARM\r

            """)

    @Test func alarmAtAMomentKeepsItsOtherLinesWhenTheTimesMove() throws {
        let moved = try changed(Self.alarmed) { $0.due = $0.due.map { $0 + 86_400 } }
        #expect(
            added(Self.alarmed, moved) == [
                "DTSTART:20261202T080000Z", "DUE:20261202T080000Z", "TRIGGER;RELATED=END:-PT3600S",
            ])
    }

    @Test(arguments: [
        ("20h before start", "TRIGGER;RELATED=END:-PT3600S", AlarmTime.beforeDue(3_600)),
        (
            "2026-11-30T10:00:00Z", "TRIGGER;VALUE=DATE-TIME:20261130T110000Z",
            .moment(Timestamp(secondsSince1970: 1_796_036_400))
        ),
        ("2026-11-30T10:00:00Z", "TRIGGER;RELATED=END:-PT3600S", .beforeDue(3_600)),
    ])
    func alarmOfARepeatingItemThatAnotherProgramMovedHasItsTime(
        alert: String, trigger: String, time: AlarmTime
    ) throws {
        var item = ExchangeItem(uid: "one", name: "Report")
        item.due = Timestamp(secondsSince1970: 1_796_292_000)
        item.start = item.due.map { $0 - 3_600 }
        item.recurrence = try RecurrenceRule("FREQ=WEEKLY")
        item.alerts = [try #require(AlarmTime(alert))]
        let text = format.text(of: item)
        #expect(try read(text).item.alerts == item.alerts)
        let lines = text.split(separator: "\r\n").map { $0.hasPrefix("TRIGGER") ? trigger[...] : $0 }
        let moved = try read(lines.map { $0 + "\r\n" }.joined()).item
        #expect(moved.alerts + moved.leads.map { .beforeDue(Int32($0)) } == [time])
    }

    /// Other programs count from the beginning of a date, and todod from the time of the alerts for dates.
    @Test func leadTimeStaysWhenADateGetsATime() throws {
        var item = ExchangeItem(uid: "one", name: "Pay")
        item.localDue = LocalTime("2026-12-03")
        item.setMomentsOfLocalTimes(in: Self.berlin)
        item.leads = [7_200]
        let text = format.text(of: item)
        #expect(text.contains("TRIGGER;RELATED=END:PT25200S"))
        let timed = try changed(text) { item in
            item.localDue = nil
            item.due = Timestamp(secondsSince1970: 1_796_292_000)
        }
        #expect(added(text, timed) == ["DUE:20261203T100000Z", "TRIGGER;RELATED=END:-PT7200S"])
        let day = try changed(timed) { item in
            item.localDue = LocalTime("2026-12-03")
            item.setMomentsOfLocalTimes(in: Self.berlin)
        }
        #expect(added(timed, day) == ["DUE;VALUE=DATE:20261203", "TRIGGER;RELATED=END:PT25200S"])
    }

    @Test func alarmBesideTheStartOfARepeatingItemFollowsItsTimes() throws {
        var item = ExchangeItem(uid: "one", name: "Report")
        item.due = Timestamp(secondsSince1970: 1_796_292_000)
        item.start = item.due.map { $0 - 14_400 }
        item.recurrence = try RecurrenceRule("FREQ=DAILY")
        item.recurrenceStart = item.due
        item.alerts = [.beforeStart(1_800)]
        let text = format.text(of: item)
        #expect(text.contains("TRIGGER;RELATED=END:-PT16200S\r\nX-TODOD-ALERT;X-TODOD-SECONDS=-16200:"))
        let later = try changed(text) { item in
            item.due = item.due.map { $0 + 3_600 }
            item.recurrenceStart = item.due
        }
        #expect(later.contains("TRIGGER;RELATED=END:-PT19800S\r\nX-TODOD-ALERT;X-TODOD-SECONDS=-19800:"))
        #expect(try read(later).item.alerts == [.beforeStart(1_800)])
    }

    /// Other programs repeat the start, and the due time two days later.
    @Test func timesOfARuleThatCannotBeMovedToTheDueTimeStayHere() throws {
        let text = Self.days.replacing(
            "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261203\r\n",
            with: """
                DTSTART;VALUE=DATE:20261127\r
                DUE;VALUE=DATE:20261129\r
                RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=5\r

                """)
        let task = try read(text)
        #expect(task.remarks.count == 1)
        var item = task.item
        item.name = "Other"
        item.localDue = LocalTime("2026-12-25")
        item.setMomentsOfLocalTimes(in: Self.berlin)
        item.recurrenceStart = item.ruleDue
        item.occurrencesDone = 1
        let sent = try format.expressibleText(text, with: item, changedSince: task.state)
        #expect(added(text, sent.text) == ["SUMMARY:Other"])
        #expect(sent.failure?.description.hasPrefix("its rule counts from the start") == true)
        let weekly = try changed(text) { $0.recurrence = try? RecurrenceRule("FREQ=WEEKLY") }
        #expect(weekly.contains("RRULE:FREQ=WEEKLY\r\n"))
    }

    @Test func newStartKeepsTheRuleAndTheAlarm() throws {
        let text = Self.days.replacing(
            "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261203\r\n",
            with: """
                DTSTART:20261201T090000Z\r
                DUE:20261201T110000Z\r
                RRULE:FREQ=WEEKLY;UNTIL=20271201T090000Z\r
                BEGIN:VALARM\r
                ACTION:DISPLAY\r
                TRIGGER:-PT15M\r
                END:VALARM\r

                """)
        let item = try read(text).item
        #expect(item.leads == [8_100])
        let moved = try changed(text) { $0.start = $0.start.map { $0 - 1_800 } }
        #expect(
            added(text, moved) == [
                "DTSTART:20261201T083000Z", "RRULE:FREQ=WEEKLY;UNTIL=20271201T083000Z",
                "TRIGGER;RELATED=END:-PT8100S",
            ])
        let back = try changed(moved) { $0.start = item.start }
        #expect(
            added(moved, back) == ["DTSTART:20261201T090000Z", "RRULE:FREQ=WEEKLY;UNTIL=20271201T090000Z"])
    }

    @Test func dueTimeOfATaskWithDurationKeepsTheStart() throws {
        let text = Self.days.replacing("DUE;VALUE=DATE:20261203", with: "DURATION:P2D")
        let task = try read(text)
        #expect(task.item.localStart == LocalTime("2026-12-01"))
        #expect(task.item.localDue == LocalTime("2026-12-03"))
        let later = try changed(text) { $0.localDue = LocalTime("2026-12-05") }
        #expect(added(text, later) == ["DUE;VALUE=DATE:20261205"])
        #expect(!later.contains("DURATION"))
        let timed = try changed(text) { item in
            item.localDue = nil
            item.due = Timestamp(secondsSince1970: 1_796_292_000)
        }
        #expect(added(text, timed) == ["DUE:20261203T100000Z", "X-TODOD-START;VALUE=DATE:20261201"])
        let shifted = try changed(text) { item in
            item.localStart = LocalTime("2026-12-03")
            item.localDue = LocalTime("2026-12-05")
        }
        #expect(added(text, shifted) == ["DTSTART;VALUE=DATE:20261203"])
        let endless = try changed(text) { $0.setStart(nil, in: Self.berlin) }
        #expect(added(text, endless) == ["DUE;VALUE=DATE:20261203"])
        #expect(!endless.contains("DTSTART") && !endless.contains("DURATION"))
    }

    @Test func dueTimeOfATaskWithDurationStaysInTheZoneOfTheStart() throws {
        let text = Self.days.replacing(
            "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261203",
            with: "DTSTART;TZID=Europe/Berlin:20261201T080000\r\nDURATION:PT1H")
        let later = try changed(text) { $0.due = $0.due.map { $0 + 3_600 } }
        #expect(added(text, later) == ["DUE;TZID=Europe/Berlin:20261201T100000"])
        let earlier = try changed(text) { $0.start = $0.start.map { $0 - 3_600 } }
        #expect(
            added(text, earlier) == [
                "DTSTART;TZID=Europe/Berlin:20261201T070000", "DUE;TZID=Europe/Berlin:20261201T090000",
            ])
        let endless = try changed(text) { $0.start = nil }
        #expect(added(text, endless) == ["DUE;TZID=Europe/Berlin:20261201T090000"])
        let shifted = try changed(text) { item in
            item.start = item.start.map { $0 + 86_400 }
            item.due = item.due.map { $0 + 86_400 }
        }
        #expect(added(text, shifted) == ["DTSTART;TZID=Europe/Berlin:20261202T080000"])
    }

    @Test(arguments: ["RRULE:FREQ=DAILY\r\n", ""])
    func taskWithDurationInAnUnknownZoneMoves(rule: String) throws {
        let text = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VTIMEZONE\r
            TZID:Custom\r
            BEGIN:STANDARD\r
            DTSTART:19700101T000000\r
            TZOFFSETFROM:+0500\r
            TZOFFSETTO:+0500\r
            END:STANDARD\r
            END:VTIMEZONE\r
            BEGIN:VTODO\r
            UID:one\r
            SUMMARY:One\r
            DTSTART;TZID=Custom:20301130T080000\r
            DURATION:PT1H\r
            \(rule)END:VTODO\r
            END:VCALENDAR\r

            """
        let moved = try changed(text) { item in
            item.start = item.start.map { $0 + 86_400 }
            item.due = item.due.map { $0 + 86_400 }
            if item.recurrence != nil { item.recurrenceStart = item.due }
        }
        #expect(added(text, moved) == ["DTSTART;TZID=Custom:20301201T080000"])
    }

    /// The start stays before the change of the clocks, and the due time moves beyond it.
    @Test(arguments: [
        (
            "DUE;TZID=Custom:20270327T090000", 3.0,
            ["DTSTART;TZID=Custom:20270323T080000", "DUE;TZID=Custom:20270330T100000"]
        ),
        ("DURATION:P7D", 0, ["DUE;TZID=Custom:20270330T090000"]),
    ])
    func timesInAZoneOfTheTextMoveOverAClockChange(end: String, startDays: Double, lines: [String]) throws {
        let text = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VTIMEZONE\r
            TZID:Custom\r
            BEGIN:STANDARD\r
            DTSTART:19701025T030000\r
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
            TZOFFSETFROM:+0200\r
            TZOFFSETTO:+0100\r
            END:STANDARD\r
            BEGIN:DAYLIGHT\r
            DTSTART:19700329T020000\r
            RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
            TZOFFSETFROM:+0100\r
            TZOFFSETTO:+0200\r
            END:DAYLIGHT\r
            END:VTIMEZONE\r
            BEGIN:VTODO\r
            UID:one\r
            SUMMARY:One\r
            DTSTART;TZID=Custom:20270320T080000\r
            \(end)\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        let moved = try changed(text) { item in
            item.start = item.start.map { $0 + startDays * 86_400 }
            item.due = item.due.map { $0 + 3 * 86_400 }
        }
        #expect(added(text, moved) == lines)
    }

    @Test func otherParentLeavesTheOtherRelations() throws {
        let text = Self.task.replacing(
            "END:VTODO",
            with:
                "RELATED-TO;RELTYPE=PARENT:a\r\nRELATED-TO;RELTYPE=SIBLING:b\r\nRELATED-TO;RELTYPE=X-C:d\r\nEND:VTODO"
        )
        let moved = try changed(text) { $0.parent = "p" }
        #expect(moved.contains("RELATED-TO:p\r\n") && !moved.contains("PARENT:a"))
        #expect(moved.contains("RELTYPE=SIBLING:b\r\n") && moved.contains("RELTYPE=X-C:d\r\n"))
    }

    @Test func alarmAtAMomentKeepsItsOtherLinesBesideANewOne() throws {
        let moved = try changed(Self.alarmed) { item in
            item.due = item.due.map { $0 + 86_400 }
            item.leads = [3_600, 60]
        }
        #expect(moved.contains("X-WR-ALARMUID:alarm\r\nACTION:AUDIO\r\nTRIGGER;RELATED=END:-PT3600S\r\n"))
        #expect(moved.contains("TRIGGER;RELATED=END:-PT60S\r\n"))
    }

    @Test func unchangedItemHasTheTextOfTheServer() throws {
        #expect(try changed { _ in } == Self.task)
    }

    @Test func documentHasEveryByte() {
        #expect(SyncDocument(Self.task).text == Self.task)
        let odd = "\r\nBEGIN:VCALENDAR\n\n begin:x\nBEGIN:VTODO\nUID:1\n\n A\nEND:VTODO\nBEGIN:VTODO\nUID"
        #expect(SyncDocument(odd).text == odd)
    }

    @Test func listIsTheCategoryAndCategoriesAreTags() throws {
        let item = try read().item
        #expect(item.category == nil)
        #expect(item.tags == ["home", "money"])
    }

    @Test func renamingChangesOneLine() throws {
        let text = try changed { $0.name = "Pay it" }
        #expect(added(Self.task, text) == ["SUMMARY;LANGUAGE=en:Pay it"])
        #expect(added(text, Self.task) == ["SUMMARY;LANGUAGE=en:Pay the", "  rent"])
        #expect(text.contains("x-lower;x-p=\"a:b\":kept, as it\r\n  is\r\n"))
        #expect(text.contains("LAST-MODIFIED:20261118T"))
    }

    @Test func dueTimeKeepsItsZoneAndTheStartItsDistance() throws {
        let text = try changed { item in
            item.due = item.due.map { $0 + 86_400 }
            item.start = item.start.map { $0 + 86_400 }
        }
        #expect(
            added(Self.task, text) == [
                "DUE;TZID=Europe/Berlin:20261202T090000", "DTSTART;TZID=Europe/Berlin:20261202T080000",
            ])
    }

    @Test func doneChangesStatusOnly() throws {
        let text = try changed { item in
            item.isCompleted = true
            item.completedDate = Timestamp(secondsSince1970: 1_795_000_000)
        }
        #expect(
            added(Self.task, text) == [
                "PERCENT-COMPLETE:100", "STATUS:COMPLETED", "COMPLETED:20261118T110640Z",
            ])
    }

    @Test func alarmOfAnotherProgramStaysBesideANewOne() throws {
        let text = try changed { $0.leads = [3_600, 600] }
        #expect(text.contains("X-OWN:1\r\nTRIGGER;RELATED=END:-PT10M\r\n"))
        #expect(added(Self.task, text) == ["DESCRIPTION:Pay the rent", "TRIGGER;RELATED=END:-PT3600S"])
        let none = try changed { $0.leads = [] }
        #expect(added(Self.task, none) == [])
        #expect(!none.contains("VALARM") && none.contains("BEGIN:X-THING"))
    }

    @Test func dateStaysADate() throws {
        let text = Self.task
            .replacing("DUE;TZID=Europe/Berlin:20261201T090000", with: "DUE;VALUE=DATE:20261201")
            .replacing("DTSTART;TZID=Europe/Berlin:20261201T080000\r\n", with: "")
        let moved = try changed(text) { item in
            item.setDue(CalendarTime("2026-12-24"), in: Self.berlin)
        }
        #expect(added(text, moved) == ["DUE;VALUE=DATE:20261224"])
    }

    @Test func startAloneIsNoDueTime() throws {
        let text = Self.task.replacing("DUE;TZID=Europe/Berlin:20261201T090000\r\n", with: "")
        let item = try read(text).item
        #expect(item.due == nil && item.start != nil)
        #expect(try changed(text) { $0.name = "x" }.contains("DTSTART;TZID=Europe/Berlin:20261201T080000"))
    }

    @Test func completedOccurrenceMovesTheTask() throws {
        let text = Self.task.replacing(
            "GEO:1.5;2.50\r\n", with: "GEO:1.5;2.50\r\nRRULE:COUNT=5;FREQ=DAILY;X-Q=1\r\n"
        )
        .replacing(";X-Q=1", with: "")
        let item = try read(text).item
        #expect(
            item.recurrence?.text == "FREQ=DAILY;COUNT=5" || item.recurrence?.text == "COUNT=5;FREQ=DAILY")
        let moved = try changed(text) { item in
            item.due = item.due.map { $0 + 86_400 }
            item.start = item.start.map { $0 + 86_400 }
            item.occurrencesDone = 1
        }
        #expect(
            added(text, moved) == [
                "RRULE:COUNT=4;FREQ=DAILY", "DUE;TZID=Europe/Berlin:20261202T090000",
                "DTSTART;TZID=Europe/Berlin:20261202T080000",
            ])
    }

    /// A clock change skips the hour of the start or that of both times on one of the days.
    @Test(arguments: [("28", "023000", "030000"), ("28", "020000", "023000"), ("29", "020000", "023000")])
    func completionIsSentIfAClockChangeSkipsTheStart(day: String, start: String, due: String) throws {
        var text = Self.task.replacing("GEO:1.5;2.50\r\n", with: "RRULE:FREQ=DAILY\r\n")
            .replacing("20261201T080000", with: "202603\(day)T\(start)")
            .replacing("20261201T090000", with: "202603\(day)T\(due)")
        for _ in 0..<3 {
            let task = try read(text)
            var item = task.item
            var schedule = Schedule()
            schedule.setDue(item.due.map { .moment($0) }, in: Self.berlin)
            schedule.start = item.start.map { .moment($0) }
            (schedule.rule, schedule.ruleStart) = (item.recurrence, item.recurrenceStart)
            schedule.timeZone = item.timeZone
            let due = try #require(item.due)
            let next = try #require(schedule.done(at: due, in: Self.berlin))
            item.due = next.due
            item.start = next.start?.moment(in: Self.berlin)
            item.recurrenceStart = next.ruleStart
            text = try format.text(text, with: item, changedSince: task.state)
            let stored = try read(text).item
            #expect(stored.due == next.due && stored.start == item.start)
        }
    }

    // MARK: - Removed times

    /// A task with an alarm before each of its times and one at a moment.
    private static func alarmed(rule: String) -> String {
        let alarm = { (name: String, trigger: String) in
            "BEGIN:VALARM\r\nACTION:AUDIO\r\n\(name):1\r\nTRIGGER;\(trigger)\r\nEND:VALARM\r\n"
        }
        return task.replacing("GEO:1.5;2.50\r\n", with: rule).replacing(
            "BEGIN:X-THING",
            with: alarm("X-START", "RELATED=START:-PT30M")
                + alarm("X-MOMENT", "VALUE=DATE-TIME:20261130T120000Z") + "BEGIN:X-THING")
    }

    @Test(arguments: ["", "RRULE:FREQ=DAILY\r\n"], [true, false])
    func alarmsAreKeptOnceWhileTheTimesAreRemoved(rule: String, removesStart: Bool) throws {
        let text = Self.alarmed(rule: rule)
        let first = try read(text).item
        var current = text
        for _ in 0..<2 {
            current = try changed(current) { item in
                (item.due, item.recurrence, item.recurrenceStart) = (nil, nil, nil)
                if removesStart { item.start = nil }
            }
            current = try changed(current) { item in
                (item.due, item.recurrence) = (first.due, first.recurrence)
                (item.recurrenceStart, item.timeZone) = (first.recurrenceStart, first.timeZone)
                if removesStart { item.start = first.start }
            }
        }
        let item = try read(current).item
        #expect(item.leads == first.leads && item.alerts == first.alerts)
        #expect(current.ranges(of: "BEGIN:VALARM").count == 3)
        for line in ["X-OWN:1", "X-START:1", "X-MOMENT:1"] {
            #expect(current.ranges(of: line).count == 1, "\(line)")
        }
        // A time that is added has the form of the other one.
        if !removesStart {
            #expect(added(text, current).allSatisfy { !$0.hasPrefix("DUE") && !$0.hasPrefix("DTSTART") })
        }
    }

    @Test func alarmBeforeTheStartIsKeptWithoutAStart() throws {
        var item = try read().item
        (item.start, item.alerts) = (nil, [.beforeStart(1_800)])
        let text = format.text(of: item)
        #expect(try !text.contains("RELATED=START") && read(text).item.alerts == item.alerts)
    }

    /// Another alarm is counted from a date and from a time.
    @Test func alarmOfADateKeepsItsLinesIfATimeReplacesTheDate() throws {
        let alarm = "BEGIN:VALARM\r\nACTION:AUDIO\r\nX-F:2\r\nTRIGGER;RELATED=END:-PT30M\r\nEND:VALARM\r\n"
        let text = Self.days.replacing("END:VTODO", with: alarm + "END:VTODO")
        let leads = try read(text).item.leads
        let undated = try changed(text) { ($0.due, $0.localDue) = (nil, nil) }
        #expect(try read(undated).remarks == [])
        let timed = try changed(undated) { $0.due = Timestamp(secondsSince1970: 1_796_500_000) }
        #expect(try read(timed).item.leads == leads)
        #expect(timed.contains("X-F:2") && timed.ranges(of: "BEGIN:VALARM").count == 1)
    }

    @Test func changedLeadTimeKeepsTheOtherLinesOfTheAlarm() throws {
        let later = try changed { $0.leads = [3_600] }
        #expect(added(Self.task, later) == ["TRIGGER;RELATED=END:-PT3600S"])
    }

    @Test func removedDueTimeLeavesTheStartInItsZone() throws {
        let text = Self.alarmed(rule: "")
        #expect(try added(text, changed(text) { $0.due = nil }) == ["X-TODOD-LEADS:600"])
        let days = Self.days.replacing(
            "DTSTART", with: "EXDATE;VALUE=DATE:20261208\r\nRRULE:FREQ=WEEKLY\r\nDTSTART")
        let alone = try changed(days) { item in
            (item.due, item.localDue, item.recurrence, item.recurrenceStart) = (nil, nil, nil, nil)
            item.excludedDates = []
        }
        #expect(added(days, alone) == [] && !alone.contains("RRULE") && !alone.contains("EXDATE"))
    }

    @Test func removedOrChangedRuleLeavesTheTimesInTheirZone() throws {
        let text = Self.alarmed(rule: "RRULE:FREQ=DAILY\r\n")
        let single = try changed(text) { item in
            (item.recurrence, item.recurrenceStart, item.timeZone) = (nil, nil, nil)
        }
        #expect(added(text, single).allSatisfy { $0.hasPrefix("TRIGGER") } && !single.contains("RRULE"))
        let weekly = try changed(text) { $0.recurrence = try? RecurrenceRule("FREQ=WEEKLY;BYDAY=TU") }
        #expect(added(text, weekly) == ["RRULE:FREQ=WEEKLY;BYDAY=TU"])
        let again = try changed(single) { item in
            item.recurrence = try? RecurrenceRule("FREQ=DAILY")
            (item.recurrenceStart, item.timeZone) = (item.due, "Europe/Berlin")
        }
        #expect(added(single, again).filter { !$0.hasPrefix("TRIGGER") } == ["RRULE:FREQ=DAILY"])
    }

    @Test func alarmBesideATimeIsChangedAlthoughItsLeadTimeIsWrittenToo() throws {
        // Another program has set the due time again.
        let text = Self.task.replacing(
            "STATUS", with: "X-TODOD-LEADS:600\r\nX-TODOD-START-LEADS:60\r\nSTATUS")
        let item = try read(text).item
        #expect(item.leads == [600] && item.alerts == [.beforeStart(60)])
        let later = try changed(text) { $0.leads = [3_600] }
        #expect(try read(later).item.leads == [3_600] && read(later).item.alerts == [.beforeStart(60)])
        let moved = try changed(text) { $0.due = $0.due.map { $0 + 3_600 } }
        #expect(try read(moved).item.leads == [600] && read(moved).item.alerts == [.beforeStart(60)])
        #expect(!moved.contains("X-TODOD-LEADS"))
    }

    @Test func alarmThatWasRemovedWithTheDueTimeDoesNotComeBack() throws {
        let due = try read().item.due
        let undated = try changed { ($0.due, $0.leads) = (nil, []) }
        let dated = try changed(undated) { $0.due = due }
        #expect(try read(dated).item.leads == [] && !dated.contains("X-OWN:1"))
    }

    /// The item is not changed, but its times are.
    private func postponed(_ text: String) throws -> String {
        try changed(text) { item in
            item.due = item.due.map { $0 + 86_400 }
            item.start = item.start.map { $0 + 86_400 }
            item.recurrenceStart = item.recurrenceStart.map { $0 + 86_400 }
        }
    }

    @Test(arguments: [
        "RRULE:FREQ=FORTNIGHTLY\r\nEXDATE;TZID=Europe/Berlin:20261208T080000\r\n",
        "RRULE:FREQ=DAILY\r\nEXDATE:\r\n",
        "RRULE:FREQ=DAILY\r\nEXDATE;TZID=Europe/Berlin:20261208T080000\r\nEXDATE;TZID=Europe/Berlin:20261209T080000\r\n",
        "RRULE:FREQ=DAILY\r\nRRULE:FREQ=WEEKLY\r\n",
    ])
    func otherTimesKeepTheLinesOfTheRule(_ lines: String) throws {
        let text = Self.task.replacing("GEO:1.5;2.50\r\n", with: lines)
        #expect(
            try added(text, postponed(text)) == [
                "DUE;TZID=Europe/Berlin:20261202T090000", "DTSTART;TZID=Europe/Berlin:20261202T080000",
            ])
    }

    @Test func noRuleIsAddedBesideOneThatCannotBeRead() {
        let text = Self.task.replacing(
            "DUE;TZID=Europe/Berlin:20261201T090000", with: "DURATION:PT1H\r\nRRULE:FREQ=FORTNIGHTLY")
        #expect(throws: SyncTask.Failure.self) {
            try changed(text) { $0.recurrence = try? RecurrenceRule("FREQ=DAILY") }
        }
    }

    @Test func removedRuleRemovesItsExceptions() throws {
        let rule = "RRULE:FREQ=DAILY\r\nEXRULE:FREQ=MONTHLY\r\nRDATE;TZID=Europe/Berlin:20261203T120000\r\n"
        let text = Self.task.replacing("GEO:1.5;2.50\r\n", with: rule)
        let single = try changed(text) { item in
            (item.recurrence, item.recurrenceStart, item.timeZone, item.addedDates) = (nil, nil, nil, [])
        }
        #expect(added(text, single) == [])
        for name in ["RRULE", "EXRULE", "RDATE"] { #expect(!single.contains(name)) }
    }

    @Test func countIsAddedToARule() throws {
        let text = Self.task.replacing("GEO:1.5;2.50\r\n", with: "RRULE:FREQ=DAILY\r\n")
        let limited = try changed(text) { $0.recurrence = try? RecurrenceRule("FREQ=DAILY;COUNT=3") }
        #expect(added(text, limited) == ["RRULE:FREQ=DAILY;COUNT=3"])
    }

    @Test func startInAnotherFormLeavesTheDueTimeInItsZone() throws {
        let text = Self.task.replacing("DTSTART;TZID=Europe/Berlin:20261201T080000\r\n", with: "")
        let floating = try changed(text) { item in
            item.setStart(CalendarTime("2026-12-01T08:00:00"), in: Self.berlin)
        }
        #expect(added(text, floating) == ["DTSTART:20261201T080000"])
        let date = try changed(text) { $0.setStart(CalendarTime("2026-12-01"), in: Self.berlin) }
        let later = try changed(date) { $0.due = $0.due.map { $0 + 86_400 } }
        #expect(
            added(text, later) == [
                "DUE;TZID=Europe/Berlin:20261202T090000", "X-TODOD-START;VALUE=DATE:20261201",
            ])
    }

    @Test func changesOfDifferentPropertiesAreMerged() throws {
        let base = try read()
        var item = base.item
        item.name = "Pay it"
        let remote = Self.task.replacing("PRIORITY:5", with: "PRIORITY:1").replacing(
            "GEO:1.5;2.50", with: "GEO:3;4")
        let merge = try SyncMerge(item, base: (Self.task, base.state), remote: remote, format)
        #expect(merge.item.name == "Pay it" && merge.item.priority == 1)
        #expect(merge.lostText == nil && merge.unsent == ["SUMMARY"])
        let state = merge.state(stored: format.state(of: merge.item), hasMovedOn: false)
        let sent = try format.text(remote, with: merge.item, changedSince: state)
        #expect(added(remote, sent) == ["SUMMARY;LANGUAGE=en:Pay it"])
    }

    @Test func onlyAPropertyThatBothChangedIsAConflict() throws {
        let base = try read()
        var item = base.item
        item.name = "Here"
        item.tags = ["home", "new"]
        item.modifiedDate = Timestamp(secondsSince1970: 1_790_000_000)
        let remote = Self.task.replacing("Pay the\r\n  rent", with: "There")
            .replacing("CATEGORIES:home,money", with: "CATEGORIES:home,money,there")
            .replacing("PRIORITY:5", with: "PRIORITY:5\r\nLAST-MODIFIED:20261102T080000Z")
        let older = try SyncMerge(item, base: (Self.task, base.state), remote: remote, format)
        #expect(older.item.name == "There" && older.item.tags == ["home", "new", "there"])
        #expect(older.lostText == "SUMMARY:Here\r\n")
        #expect(older.unsent == ["CATEGORIES"])
        item.modifiedDate = Timestamp(secondsSince1970: 1_795_000_000)
        let newer = try SyncMerge(item, base: (Self.task, base.state), remote: remote, format)
        #expect(newer.item.name == "Here")
        #expect(newer.lostText == "SUMMARY:There\r\n")
    }

    @Test func removalThatLosesCanBeRestored() throws {
        let base = try read()
        var item = base.item
        item.priority = 0
        item.due = nil
        item.start = nil
        item.modifiedDate = Timestamp(secondsSince1970: 1_790_000_000)
        let remote = Self.task.replacing("PRIORITY:5", with: "PRIORITY:1\r\nLAST-MODIFIED:20261102T080000Z")
            .replacing("20261201T090000", with: "20261203T090000")
        let merge = try SyncMerge(item, base: (Self.task, base.state), remote: remote, format)
        #expect(merge.item.priority == 1 && merge.item.due != nil)
        let lost = try #require(merge.lostText)
        #expect(SyncFormat.properties(in: lost).sorted() == ["DUE", "PRIORITY"])
        #expect(
            SyncFormat.lines("PRIORITY:3\r\n", besides: lost) == "PRIORITY:3\r\nX-TODOD-REMOVED:TIMES\r\n")
        let restored = try format.item(merge.item, with: lost)
        #expect(restored.priority == 0 && restored.due == nil && restored.name == "Pay the rent")
    }

    /// The rule of the server cannot be written again by todod, so another one cannot take its place.
    @Test func changeThatTheTextCannotExpressStaysBesideThoseOfTheServer() throws {
        let text = Self.task.replacing(
            "STATUS:NEEDS-ACTION", with: "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYSETPOS=1;BYHOUR=9,11")
        let base = try read(text)
        var item = base.item
        item.due = item.due.map { $0 + 0.5 * 86_400 }
        item.recurrence = try RecurrenceRule("FREQ=DAILY")
        item.tags = ["home"]
        let remote = text.replacing("PRIORITY:5", with: "PRIORITY:1").replacing(
            "home,money", with: "home,money,there")
        let merge = try SyncMerge(item, base: (text, base.state), remote: remote, format)
        #expect(merge.item.priority == 1 && merge.item.tags == ["home", "there"])
        #expect(merge.item.recurrence == item.recurrence && merge.item.due == item.due)
        #expect(merge.lostText == nil && merge.unsent == ["CATEGORIES", "TIMES"])
    }

    @Test func setThatCannotHaveTheValuesOfBothSidesHasThoseOfTheLaterChange() throws {
        let text = Self.task.replacing("GEO:", with: "RELATED-TO:old\r\nGEO:")
        let base = try read(text)
        var item = base.item
        item.parent = "here"
        item.modifiedDate = Timestamp(secondsSince1970: 1_795_000_000)
        let remote = text.replacing("RELATED-TO:old", with: "RELATED-TO:there")
        let newer = try SyncMerge(item, base: (text, base.state), remote: remote, format)
        #expect(newer.item.parent == "here" && newer.unsent == ["RELATED-TO"])
        #expect(newer.lostText == "RELATED-TO:there\r\n")
        item.modifiedDate = nil
        let older = try SyncMerge(item, base: (text, base.state), remote: remote, format)
        #expect(older.item.parent == "there" && older.unsent.isEmpty)
        #expect(older.lostText?.contains("here") == true)
    }

    @Test func changedOccurrenceOfTheServerIsNoObstacleToAChangeHere() throws {
        let text = Self.task.replacing("GEO:", with: "RRULE:FREQ=DAILY\r\nGEO:").replacing(
            "20261201T080000", with: "20261201T090000")
        let base = try read(text)
        var item = base.item
        item.priority = 1
        item.notes = "from here"
        let occurrence = """
            BEGIN:VTODO\r
            UID:one\r
            RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000\r
            SUMMARY:Pay the rent\r
            STATUS:COMPLETED\r
            COMPLETED:20261118T110640Z\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        let remote = text.replacing("END:VCALENDAR\r\n", with: occurrence)
        let merge = try SyncMerge(item, base: (text, base.state), remote: remote, format)
        #expect(merge.item.priority == 1 && merge.item.notes == "from here" && merge.lostText == nil)
        #expect(merge.item.occurrences.count == 1)
    }

    @Test func removedTagLeavesTheOtherValuesOfItsLine() throws {
        let text = Self.task.replacing(
            "CATEGORIES:home,money", with: "CATEGORIES;LANGUAGE=en:home,a\\;b,money\r\nCATEGORIES;X-P=1:work"
        )
        let sent = try changed(text) { $0.tags = ["home", "a;b", "work", "new"] }
        #expect(added(text, sent) == ["CATEGORIES;LANGUAGE=en:home,a\\;b", "CATEGORIES:new"])
        #expect(sent.contains("CATEGORIES;X-P=1:work\r\n"))
    }

    @Test func laterAcknowledgementIncludesTheEarlierOne() throws {
        let text = Self.task.replacing("GEO:", with: "X-MOZ-LASTACK:20261110T080000Z\r\nGEO:")
        let base = try read(text)
        var item = base.item
        item.acknowledged = item.acknowledged.map { $0 + 120 }
        let later = text.replacing("20261110T080000Z", with: "20261110T080500Z")
        let merge = try SyncMerge(item, base: (text, base.state), remote: later, format)
        #expect(merge.item.acknowledged == base.item.acknowledged.map { $0 + 300 })
        #expect(merge.unsent.isEmpty && merge.lostText == nil)
        let earlier = text.replacing("20261110T080000Z", with: "20261110T080100Z")
        let sent = try SyncMerge(item, base: (text, base.state), remote: earlier, format)
        #expect(sent.item.acknowledged == item.acknowledged && sent.unsent == ["X-MOZ-LASTACK"])
        #expect(sent.lostText == nil)
    }

    @Test func changedOccurrenceKeepsWhatTododDoesNotKnow() throws {
        let other = """
            BEGIN:VTODO\r
            UID:one\r
            RECURRENCE-ID;TZID=Europe/Berlin:20261208T090000\r
            X-OTHER;x-p=1:kept,\r
              too\r
            SUMMARY;LANGUAGE=en:Pay more\r
            LOCATION:Bank\r
            DUE;TZID=Europe/Berlin:20261208T100000\r
            BEGIN:VALARM\r
            ACTION:AUDIO\r
            TRIGGER:-PT5M\r
            END:VALARM\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        let text = Self.task.replacing("GEO:", with: "RRULE:FREQ=WEEKLY\r\nGEO:")
            .replacing("T080000\r\n", with: "T090000\r\n").replacing("END:VCALENDAR\r\n", with: other)
        #expect(try read(text).item.occurrences.count == 1)
        let sent = try changed(text) { $0.occurrences[0].name = "Pay less" }
        #expect(added(text, sent) == ["SUMMARY;LANGUAGE=en:Pay less"])
        #expect(added(sent, text) == ["SUMMARY;LANGUAGE=en:Pay more"])
    }

    @Test func remoteChangeKeepsExactTimes() throws {
        let base = try read()
        var item = base.item
        item.completedDate = nil
        item.createdDate = Timestamp(secondsSince1970: 1_794_000_000.25)
        item.due = item.due.map { $0 + 0.5 }
        let remote = Self.task.replacing("PRIORITY:5", with: "PRIORITY:1")
        let merge = try SyncMerge(item, base: (Self.task, base.state), remote: remote, format)
        #expect(merge.item.due == item.due && merge.item.createdDate == item.createdDate)
        #expect(merge.item.priority == 1 && merge.unsent.isEmpty)
    }

    @Test func itemWithoutAgreementKeepsBothSides() throws {
        var item = ExchangeItem(uid: "one", name: "Pay the rent")
        item.notes = "from here"
        let merge = try SyncMerge(item, base: nil, remote: Self.task, format)
        #expect(merge.item.notes == "from here" && merge.item.due != nil && merge.item.priority == 5)
        #expect(merge.lostText == nil && merge.unsent == ["DESCRIPTION"])
    }

    @Test func newItemBecomesOneTask() throws {
        var item = ExchangeItem(uid: "two", name: "New")
        item.category = "Home"
        item.tags = ["a"]
        let text = format.text(of: item)
        #expect(!text.contains("CATEGORIES:Home") && text.contains("CATEGORIES:a"))
        #expect(try format.task(text).state == format.state(of: item))
    }

    @Test func snoozeIsThatOfThunderbird() throws {
        let text = try changed { $0.snoozedUntil = Timestamp(secondsSince1970: 1_795_000_000) }
        #expect(added(Self.task, text) == ["X-MOZ-SNOOZE-TIME:20261118T110640Z"])
        #expect(try read(text).item.snoozedUntil == Timestamp(secondsSince1970: 1_795_000_000))
        let seen = Self.task.replacing("X-OWN:1", with: "ACKNOWLEDGED:20261201T075001Z")
        #expect(try read(seen).item.acknowledged != nil)
    }
}
