import CivilTime
import TestSupport
import Testing

@testable import Reminders

@Suite struct ICalendarTests {
    /// Friday 2026-11-20 17:00 UTC.
    private let now = Timestamp(secondsSince1970: 1_795_194_000)
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc

    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    /// The items, the remarks and their sums of a file.
    private func read(
        _ text: String
    ) throws -> (items: [ExchangeItem], remarks: [ICalendarReader.Remark], sums: [String]) {
        var reader = try ICalendarReader(text, zone: madrid, defaultTime: 9 * 3_600)
        var items: [ExchangeItem] = []
        while let item = try reader.next() { items.append(item) }
        #expect(reader.taskCount >= items.count)
        return (items, reader.takeRemarks(), reader.sums)
    }

    private func write(_ items: ExchangeItem...) -> String {
        var writer = ICalendarWriter(now: now, timeOfDates: 9 * 3_600)
        return ICalendarWriter.header + items.map { writer.lines(for: $0) }.joined() + ICalendarWriter.footer
    }

    private func task(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a"] + lines + ["END:VTODO", "END:VCALENDAR"])
            .joined(separator: "\r\n") + "\r\n"
    }

    private func item() throws -> ExchangeItem {
        var item = ExchangeItem(uid: "A86A", name: "Pay; the, rent \\ 日本")
        item.notes = "One\nTwo\n\(String(repeating: "long ", count: 40))end"
        item.priority = 3
        item.category = "Home, sweet home"
        item.due = try moment("2027-01-31T09:00:00+01:00")
        item.createdDate = try moment("2026-11-01T10:00:00Z")
        item.modifiedDate = try moment("2026-11-02T10:00:00Z")
        item.isMuted = true
        item.snoozedUntil = try moment("2027-01-31T09:10:00+01:00")
        item.leads = [86_400, 300]
        return item
    }

    // MARK: - Writing and reading

    /// Items with every kind of text, number and moment except fractions of a second, and with unusual
    /// combinations of fields.
    @Test func randomItemsReadBack() throws {
        let pieces = [
            "x", " ", ";", ",", "\\", "\\n", "\n", "\t", ":", "\"", "BEGIN:VTODO", "\nEND:VTODO", "é",
            "e\u{301}", "\u{1F9FE}",
            "\u{2028}", "\u{2029}", "\u{FEFF}", "日本", "\u{202E}", "long enough to be folded somewhere ",
            "\u{1F469}\u{200D}\u{1F680}", "\r", "\r\n", "\0", "\u{1B}", "\u{7F}", "\u{85}", "%", "%41",
        ]
        var random = SplitMix(state: 21)
        func text(_ begin: String) -> String {
            let middle = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }.joined()
            return Bool.random(using: &random) || middle.isEmpty ? begin + middle + "." : middle
        }
        func moment() -> Timestamp? {
            Bool.random(using: &random)
                ? Timestamp(
                    secondsSince1970: Double(Int.random(in: -2_000_000_000...4_000_000_000, using: &random)))
                : nil
        }
        for round in 0..<300 {
            var item = ExchangeItem(uid: text("uid"), name: text("n"))
            item.notes = Bool.random(using: &random) ? text("m") : nil
            item.category = Bool.random(using: &random) ? text("c") : nil
            item.tags = Set((0..<Int.random(in: 0...2, using: &random)).map { "t\($0)é;\"%\\" }).sorted()
            item.priority = Int.random(in: 0...9, using: &random)
            item.url = ["https://example.com/a,b;c?d=\\e", "mailto:ada@example.com"].randomElement(
                using: &random)
            item.estimate = Bool.random(using: &random) ? Int.random(in: 1...9_999_999, using: &random) : nil
            item.percent = Int.random(in: 0...100, using: &random)
            item.links = (0..<Int.random(in: 0...2, using: &random)).map { number in
                var link = LinkValue(url: "https://example.com/\(number)?a=1;b=\"2\",c")
                link.title = ["A; \"b\"^n: c, d", "é", nil].randomElement(using: &random) ?? nil
                link.mediaType = ["application/pdf", nil].randomElement(using: &random) ?? nil
                link.isAttachment = Bool.random(using: &random)
                return link
            }
            item.due = moment()
            item.createdDate = moment()
            item.modifiedDate = moment()
            item.completedDate = moment()
            item.isCompleted = Bool.random(using: &random)
            item.isMuted = Bool.random(using: &random)
            item.snoozedUntil = moment()
            let leads = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Int.random(in: 0...Int(Int32.max), using: &random)
            }
            item.leads = Set(leads).sorted(by: >)
            if Bool.random(using: &random) {
                item.recurrence = try RecurrenceRule(RuleReference.random(&random).text)
            }
            item.recurrenceStart = moment()
            item.isAfterDone = Bool.random(using: &random)
            item.occurrencesDone = Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil
            item.timeZone = ["Europe/Madrid", "Asia/Kathmandu", "No/where"].randomElement(using: &random)
            let reading = try read(write(item))
            let back = try #require(reading.items.first, "round \(round)")
            // Without a start, a rule counts from the due time.
            if item.recurrence != nil { item.recurrenceStart = item.recurrenceStart ?? item.due }
            item.hasExactName = back.hasExactName
            let (differences, remarks) = (Self.differences(back, item), reading.remarks.map(\.text))
            #expect(differences == [] && remarks == [], "round \(round): \(differences) \(remarks)")
        }
    }

    /// The properties that differ.
    private static func differences(_ first: ExchangeItem, _ second: ExchangeItem) -> [String] {
        zip(Mirror(reflecting: first).children, Mirror(reflecting: second).children).compactMap {
            first, second in
            let (found, expected) = ("\(first.value)", "\(second.value)")
            return found == expected
                ? nil : "\(first.label ?? ""): \(found.debugDescription), not \(expected.debugDescription)"
        }
    }

    /// Every minute of the hour that occurs twice, and of the hours around it.
    @Test func repeatedLocalTimesAreDistinguished() throws {
        let begin = try moment("2027-10-31T00:30:00Z")
        for minutes in stride(from: 0.0, to: 150, by: 1) {
            var item = ExchangeItem(uid: "A", name: "x")
            item.due = begin + minutes * 60
            item.recurrenceStart = item.due
            item.recurrence = try RecurrenceRule("FREQ=DAILY")
            item.timeZone = "Europe/Madrid"
            let text = write(item)
            #expect(try read(text).items == [item])
            // A change of the time by another program takes precedence.
            let moved = text.replacing(#/(DUE|DTSTART);TZID=Europe/Madrid:20271031T/#) {
                "\($0.output.1);TZID=Europe/Madrid:20271030T"
            }
            #expect(try read(moved).items.first?.due.map { $0 < begin } == true)
        }
    }

    @Test func changesByOtherProgramsOverrideExactText() throws {
        var item = ExchangeItem(uid: "A\u{1}", name: "Pay\u{7} ")
        item.notes = "One\r\nTwo"
        let text = write(item)
        #expect(text.contains("SUMMARY:Pay \r\n") && text.contains("X-TODOD-SUMMARY:\"Pay%07%20\"\r\n"))
        #expect(try read(text).items.first?.name == "Pay\u{7} ")
        let changed = text.replacing("SUMMARY:Pay ", with: "SUMMARY:Pay less")
        #expect(try read(changed).items.map(\.name) == ["Pay less"])
        #expect(try read(changed).items.map(\.notes) == ["One\r\nTwo"])
    }

    /// SOGo removes the quotes of unknown properties, and writes URLs like texts.
    @Test func textsAreReadWithOtherQuotesAndEscapes() throws {
        var item = ExchangeItem(uid: "A", name: "Pay\u{7} ")
        item.notes = "Lines \n"
        item.url = "https://example.org/a?b=c,d;e"
        let text = write(item).replacing("\"", with: "").replacing("c,d;e", with: "c\\,d\\;e")
        #expect(text.contains("X-TODOD-SUMMARY:Pay%07%20\r\n") && text.contains("c\\,d\\;e"))
        let found = try read(text)
        let same = try #require(found.items.first)
        #expect((same.name, same.notes, same.url) == (item.name, item.notes, item.url))
        #expect(found.remarks.isEmpty, "\(found.remarks)")
    }

    @Test func leadTimesAreKeptWithoutDueTime() throws {
        var item = ExchangeItem(uid: "A", name: "x")
        item.leads = [86_400, 300, 0]
        #expect(try read(write(item)).items == [item])
        let dated = write(item).replacing("STATUS:", with: "DUE:20270131T090000Z\r\nSTATUS:")
        #expect(try read(dated).items.first?.leads == item.leads)
    }

    @Test func writtenItemsReadBack() throws {
        var open = try item()
        open.recurrence = try RecurrenceRule("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD")
        open.recurrenceStart = try moment("2026-08-31T09:00:00+02:00")
        open.timeZone = "Europe/Madrid"
        open.isAfterDone = true
        open.occurrencesDone = 4
        var done = ExchangeItem(uid: "B", name: "Water the plants")
        done.isCompleted = true
        done.completedDate = try moment("2026-11-03T10:00:00Z")
        let text = write(open, done)
        let reading = try read(text)
        #expect(reading.items == [open, done])
        #expect(reading.remarks == [])
        for line in text.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
        #expect(text.contains("TZID:Europe/Madrid\r\n"))
        #expect(text.contains("DUE;TZID=Europe/Madrid:20270131T090000\r\n"))
        #expect(text.contains("RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1\r\n"))
    }

    /// todod keeps counting from the original start if the start was moved. Other programs count from the new
    /// start.
    @Test(arguments: [
        ("2027-01-01", "2027-01-05", 4, 10), ("2027-01-05", "2027-01-05", 4, 6),
        ("2027-01-01", "2027-01-01", 0, 10), ("2027-01-03", "2027-01-05", 6, 6),
        ("2027-01-05", "2027-01-05", 12, 1),
    ])
    func countIsWrittenFromStart(start: String, due: String, done: Int, count: Int) throws {
        var item = try item()
        item.recurrence = try RecurrenceRule("FREQ=DAILY;COUNT=10")
        item.recurrenceStart = try moment("\(start)T09:00:00Z")
        item.due = try moment("\(due)T09:00:00Z")
        item.occurrencesDone = done
        let text = write(item)
        #expect(text.contains("RRULE:FREQ=DAILY;COUNT=\(count)\r\n"), "\(text)")
        #expect(try read(text).items.first?.recurrence == item.recurrence)
    }

    @Test func zoneIsDescribedOnce() throws {
        var item = try item()
        item.recurrence = try RecurrenceRule("FREQ=DAILY")
        item.timeZone = "Europe/Madrid"
        var other = item
        other.uid = "B"
        #expect(write(item, other).components(of: "BEGIN:VTIMEZONE") == 1)
        #expect(try read(write(item, other)).items.count == 2)
    }

    @Test func controlCharactersAreOmitted() throws {
        let text = write(ExchangeItem(uid: "A", name: "a\u{1B}[31mb\u{0}c\td"))
        #expect(text.contains("SUMMARY:a[31mbc\td\r\n"))
    }

    @Test(arguments: [
        ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "2027-01-15", "FREQ=MONTHLY"),
        (
            "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=3;SKIP=BACKWARD;COUNT=4", "2027-01-30",
            "FREQ=MONTHLY;INTERVAL=3;COUNT=4;BYMONTHDAY=28,29,30;BYSETPOS=-1"
        ),
        (
            "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "2027-01-15",
            "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
        ),
        ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "2027-01-31", "FREQ=YEARLY"),
        (
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "2028-02-29",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"
        ),
        ("FREQ=WEEKLY;BYDAY=MO", "2027-01-31", "FREQ=WEEKLY;BYDAY=MO"),
    ])
    func portableRuleHasSameOccurrences(rule: String, day: String, portable: String) throws {
        let rule = try RecurrenceRule(rule)
        let start = try moment("\(day)T09:00:00Z")
        let written = try RecurrenceRule(rule.portable(from: TimeZoneRules.utc.civil(at: start)))
        #expect(written == (try RecurrenceRule(portable)))
        var due = start
        for _ in 0..<30 {
            let next = rule.next(after: due, and: due, from: start, in: .utc)
            #expect(next == written.next(after: due, and: due, from: start, in: .utc))
            due = next?.due ?? due
        }
    }

    // MARK: - Files of other programs

    @Test func timeInDescribedZoneIsRead() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTIMEZONE
            TZID:Somewhere
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0200
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VTODO
            UID:a
            SUMMARY:x
            DUE;TZID=Somewhere:20261201T090000
            END:VTODO
            END:VCALENDAR
            """
        #expect(try read(text).items.first?.due == moment("2026-12-01T09:00:00+02:00"))
    }

    @Test(arguments: [
        ("DUE:20261201T080000Z", "2026-12-01T09:00:00+01:00"),
        ("DUE:20261201T090000", "2026-12-01T09:00:00+01:00"),
        ("DUE;VALUE=DATE:20261201", "2026-12-01T23:59:59+01:00"),
        ("DUE;TZID=America/New_York:20261201T090000", "2026-12-01T15:00:00+01:00"),
        ("DTSTART:20261201T080000Z", "2026-12-01T09:00:00+01:00"),
    ])
    func timesAreReadInAllForms(line: String, due: String) throws {
        #expect(try read(task("SUMMARY:x", line)).items.first?.due == moment(due))
    }

    // MARK: - Dates and floating times

    private func localItem(_ due: String) throws -> ExchangeItem {
        var item = ExchangeItem(uid: "A", name: "x")
        item.setDue(CalendarTime(due), in: madrid)
        item.modifiedDate = now
        return item
    }

    @Test(arguments: [
        ("2026-12-01", "DUE;VALUE=DATE:20261201"), ("2026-12-01T20:00:00", "DUE:20261201T200000"),
    ])
    func localTimeIsNeverWrittenWithZone(due: String, line: String) throws {
        let item = try localItem(due)
        #expect(write(item).split(separator: "\r\n").contains { $0 == line })
        #expect(try read(write(item)).items == [item])
    }

    @Test(arguments: [
        ("2026-12-04", "FREQ=WEEKLY;UNTIL=20261231;BYDAY=FR", "DTSTART;VALUE=DATE:20261127"),
        ("2026-12-04T20:00:00", "FREQ=WEEKLY;UNTIL=20261231T235959;BYDAY=FR", "DTSTART:20261127T200000"),
    ])
    func repeatingLocalTimeReadsBack(due: String, rule: String, start: String) throws {
        var item = try localItem(due)
        item.recurrence = try RecurrenceRule(rule)
        item.recurrenceStart = try #require(item.localDue).momentInUTC - 7 * 86_400
        item.occurrencesDone = 1
        let text = write(item)
        #expect(text.contains("\r\n\(start)\r\n") && text.contains("RRULE:\(rule)\r\n"))
        #expect(try read(text).items == [item])
    }

    /// Other programs count the alarm of a date from midnight.
    @Test func leadTimeOfDateIsWrittenFromMidnight() throws {
        var item = try localItem("2026-12-01")
        item.leads = [86_400, 3_600]
        let text = write(item)
        #expect(text.contains("TRIGGER;RELATED=END:-PT54000S\r\n"))
        #expect(text.contains("TRIGGER;RELATED=END:PT28800S\r\n"))
        #expect(try read(text).items == [item])
    }

    @Test(arguments: ["2026-12-01", "2026-12-01T20:00:00", "2026-12-01T20:00:00Z"])
    func startAtDueTimeReadsBack(due: String) throws {
        var item = try localItem(due)
        item.setStart(CalendarTime(due), in: madrid)
        #expect(try read(write(item)).items == [item])
    }

    @Test func dateWithRuleOfHoursGetsATimeOfDay() throws {
        let reading = try read(task("SUMMARY:x", "DUE;VALUE=DATE:20261127", "RRULE:FREQ=DAILY;BYHOUR=8,20"))
        let item = try #require(reading.items.first)
        let due = try moment("2026-11-27T09:00:00+01:00")
        #expect(item.localDue == nil && item.due == due)
        #expect(reading.remarks.map(\.text) == ["'x': its rule needs a time of day, and 09:00 is used"])
    }

    /// I2: a task that repeats on dates of another program stays one.
    @Test func taskOnDatesOfOtherProgramRepeatsOnDates() throws {
        let item = try #require(
            try read(
                task(
                    "SUMMARY:x", "DTSTART;VALUE=DATE:20261123", "DUE;VALUE=DATE:20261127",
                    "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261221")
            ).items.first)
        #expect(item.localDue?.text == "2026-11-27" && item.timeZone == nil)
        #expect(item.recurrence?.text == "FREQ=WEEKLY;UNTIL=20261225;BYDAY=FR")
        #expect(item.recurrenceStart == item.localDue?.momentInUTC)
    }

    @Test func startWithZoneOfRepeatingDateIsKept() throws {
        let item = try #require(
            try read(
                task(
                    "SUMMARY:x", "DTSTART;TZID=Europe/Madrid:20261126T080000", "DUE;VALUE=DATE:20261127",
                    "RRULE:FREQ=WEEKLY")
            ).items.first)
        let start = try moment("2026-11-26T08:00:00+01:00")
        #expect(item.localDue?.text == "2026-11-27" && item.start == start && item.localStart == nil)
        #expect(item.recurrenceStart == item.localDue?.momentInUTC)
    }

    @Test func otherPropertiesAreReadOrCounted() throws {
        let reading = try read(
            task(
                "SUMMARY:Call\\, then write", "DESCRIPTION:Line one\\nline", "  two", "LOCATION:Office",
                "URL:https://example.org/1", "CATEGORIES:Work,Phone", "PRIORITY:1", "PERCENT-COMPLETE:100",
                "X-APPLE-SORT-ORDER:5", "RELATED-TO:other", "CLASS:PUBLIC", "DTSTAMP:20261101T000000Z"))
        let item = try #require(reading.items.first)
        #expect(item.name == "Call, then write")
        #expect(item.notes == "Line one\nline two")
        #expect(item.url == "https://example.org/1")
        #expect(item.category == "Work")
        #expect(item.priority == 1)
        #expect(item.isCompleted)
        #expect(item.tags == ["Phone"] && reading.remarks.isEmpty)
        #expect(item.parent == "other")
        #expect(
            reading.sums
                == ["LOCATION", "X-APPLE-SORT-ORDER"].map { "\($0) of 1 task kept for exports as iCalendar" })
    }

    // MARK: - Tags

    @Test func otherProgramReadsCategoryAndTagsAsCategories() throws {
        var item = ExchangeItem(uid: "A", name: "x")
        (item.category, item.tags, item.modifiedDate) = ("Home", ["a;b", "errand"], now)
        let lines = write(item).split(separator: "\r\n").map(String.init)
        #expect(
            lines.filter { $0.hasPrefix("CATEGORIES:") } == [
                "CATEGORIES:Home", "CATEGORIES:a\\;b", "CATEGORIES:errand",
            ])
        #expect(try read(write(item)).items == [item])
        // A tag can have the name of the category, and an item can have tags and no category.
        for category in ["errand", nil] {
            item.category = category
            #expect(try read(write(item)).items == [item])
        }
    }

    @Test(
        arguments: [
            (["CATEGORIES:Work"], "Work", []),
            (["CATEGORIES:Work,Phone", "CATEGORIES:Call"], "Work", ["Call", "Phone"]),
            (["X-TODOD-TAGS:errand"], nil, []),
            (["CATEGORIES:errand", "X-TODOD-TAGS:errand"], nil, ["errand"]),
            // Another program has sorted the categories, removed a tag, and added one.
            (["CATEGORIES:errand,Home,new", "X-TODOD-TAGS:errand gone"], "Home", ["errand", "new"]),
        ] as [([String], String?, [String])])
    func categoriesAreReadAsCategoryAndTags(lines: [String], category: String?, tags: [String]) throws {
        let text = task("SUMMARY:x", lines.joined(separator: "\r\n"))
        let reading = try read(text)
        #expect(reading.items.map(\.category) == [category] && reading.items.map(\.tags) == [tags])
        #expect(reading.remarks.isEmpty && reading.sums.isEmpty)
    }

    @Test func tagOfOtherProgramIsMadeValid() throws {
        let long = String(repeating: "x", count: 300)
        let reading = try read(task("SUMMARY:x", "CATEGORIES:Home,#next,a\\, b,\u{200B},\(long)"))
        #expect(reading.items.map(\.tags) == [["a b", "next"]])
        #expect(
            reading.sums == [
                "2 tags changed, such as '#next' of 'x' (line 3), which becomes 'next': "
                    + "the name of a tag has no comma, no control character, and no + or # before it",
                "1 tag omitted: '\u{200B}' of 'x' (line 3): the name of a tag has a visible character",
                "1 tag omitted: '\(long.prefix(60))' of 'x' (line 3): the name of a tag has at most 256 characters",
            ])
        #expect(reading.remarks.isEmpty)
    }

    @Test func unreadableTagsOfExportAreRemarked() throws {
        let reading = try read(task("SUMMARY:x", "CATEGORIES:Home,a", "X-TODOD-TAGS:\"a%"))
        #expect(reading.items.map(\.tags) == [["a"]])
        #expect(reading.remarks.map(\.text) == ["'x': its X-TODOD-TAGS cannot be read, and is omitted"])
    }

    /// A second property that a task has once at most is named.
    @Test func secondSinglePropertyIsRemarked() throws {
        let reading = try read(
            task(
                "SUMMARY:x", "summary:y", "DUE:20310301T090000Z", "DUE:20310302T090000Z", "PRIORITY:1",
                "PRIORITY:2", "PRIORITY:3"))
        #expect(reading.items.map(\.name) == ["x"])
        #expect(reading.items.first?.due == (try moment("2031-03-01T09:00:00Z")))
        #expect(
            reading.remarks.map(\.text) == [
                "'x': it has 2 DUE properties, and the first valid one is imported",
                "'x': it has 3 PRIORITY properties, and the first valid one is imported",
                "'x': it has 2 SUMMARY properties, and the first valid one is imported",
            ])
    }

    /// The parts of an alarm that a lead time does not have are counted, except the text that every alarm has.
    @Test func omittedPartsOfAlarmsAreCounted() throws {
        let alarm = { (lines: String) in "BEGIN:VALARM\r\n\(lines)\r\nEND:VALARM" }
        let reading = try read(
            task(
                "SUMMARY:x", "DUE:20310301T090000Z",
                alarm(
                    "ACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER;RELATED=END:-PT5M\r\nREPEAT:2\r\nDURATION:PT1M"
                ),
                alarm("ACTION:EMAIL\r\nDESCRIPTION:Call now\r\nTRIGGER;RELATED=END:-PT9M\r\nREPEAT:0"),
                alarm("ACTION:DISPLAY\r\nDESCRIPTION:x")))
        #expect(reading.items.first?.leads == [540, 300])
        #expect(reading.remarks.isEmpty)
        #expect(
            reading.sums == [
                "ACTION:EMAIL of the alarms of 1 task omitted", "DESCRIPTION of the alarms of 1 task omitted",
                "DURATION of the alarms of 1 task omitted", "REPEAT of the alarms of 1 task omitted",
                "VALARM without TRIGGER of 1 task omitted",
            ])
    }

    /// A start or a duration that does not determine the due time is counted.
    @Test(arguments: [
        (["DTSTART:20310301T100000Z", "DUE:20310301T090000Z"], ["DTSTART"]),
        (["DTSTART:20310301T080000Z", "DUE:20310301T090000Z"], []),
        (["DTSTART:20310301T090000Z", "DUE:20310301T090000Z"], []),
        (["DTSTART:20310301T080000Z", "DUE:20310301T090000Z", "RRULE:FREQ=DAILY"], []),
        (["DURATION:PT1H", "DUE:20310301T090000Z"], ["DURATION"]), (["DURATION:PT1H"], ["DURATION"]),
        (["DTSTART:20310301T080000Z", "DURATION:-PT1H"], ["DURATION"]),
        (["DTSTART:20310301T080000Z", "DURATION:PT1H"], []),
    ])
    func unusedTimeIsCounted(lines: [String], names: [String]) throws {
        let reading = try read(task((["SUMMARY:x"] + lines).joined(separator: "\r\n")))
        #expect(reading.sums == names.map { "\($0) of 1 task kept for exports as iCalendar" })
    }

    /// A line that is not a property, and a component in a task, are named, and so is a property of the calendar.
    @Test func unknownPartsOfFileAreNamed() throws {
        let text = task(
            "SUMMARY:x", "Call back", "COMMENT:", "CONTACT:Ann",
            "BEGIN:VLOCATION\r\nNAME:Home\r\nEND:VLOCATION")
        let reading = try read(
            text.replacing("VERSION:2.0", with: "VERSION:2.0\r\nX-WR-CALNAME:Home\r\n sweet home\r\nX-EMPTY:")
        )
        #expect(
            reading.remarks.map(\.text) == ["'x': the line 'CALL BACK' is not a property, and is omitted"])
        #expect(
            reading.sums == [
                "CONTACT of 1 task kept for exports as iCalendar",
                "VLOCATION of 1 task kept for exports as iCalendar",
                "X-WR-CALNAME of 1 calendar omitted",
            ])
    }

    @Test func unreadableOwnPropertiesAreRemarked() throws {
        let reading = try read(
            task(
                "SUMMARY:x", "X-TODOD-SNOOZED-UNTIL:soon", "X-TODOD-OCCURRENCES-DONE:-1",
                "X-TODOD-LEADS:300/x", "X-TODOD-START-LEADS:x",
                "X-TODOD-MUTED:YES", "X-TODOD-LATER:1"))
        #expect(
            reading.remarks.map(\.text)
                == ["LEADS", "MUTED", "OCCURRENCES-DONE", "SNOOZED-UNTIL", "START-LEADS"].map {
                    "'x': its X-TODOD-\($0) cannot be read, and is omitted"
                })
        #expect(reading.sums == ["X-TODOD-LATER of 1 task kept for exports as iCalendar"])
    }

    /// A lead time is negative after the time from which it counts.
    @Test func alarmsAreKeptWithoutTheirTimes() throws {
        var item = ExchangeItem(uid: "A", name: "x")
        (item.leads, item.alerts) = ([600, -60], [.beforeStart(1_800), .beforeStart(-600)].sorted())
        let text = write(item)
        #expect(!text.contains("VALARM"))
        let reading = try read(text)
        #expect(reading.items == [item] && reading.remarks.isEmpty)
    }

    /// A place that another program has added changes no notes.
    @Test func placeIsKeptBesideEmptyNotes() throws {
        var item = ExchangeItem(uid: "A", name: "x")
        item.notes = ""
        #expect(try read(write(item)).items == [item])
        let text = write(item).replacing("STATUS:", with: "LOCATION:Office\r\nSTATUS:")
        let back = try #require(try read(text).items.first)
        #expect(back.notes == "" && write(back).contains("\r\nLOCATION:Office\r\n"))
    }

    /// The rule of another program replaces the exact rule of todod.
    @Test func changedRuleOverridesExactRule() throws {
        var item = try item()
        item.recurrence = try RecurrenceRule("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD")
        let text = write(item)
        #expect(text.contains("X-TODOD-RRULE:") && text.contains("RRULE:FREQ=MONTHLY;BYMONTHDAY=28"))
        #expect(try read(text).items.first?.recurrence == item.recurrence)
        let changed = text.replacing("\r\nRRULE:FREQ=MONTHLY;", with: "\r\nRRULE:FREQ=MONTHLY;INTERVAL=2;")
        #expect(try read(changed).items.first?.recurrence?.text.contains("INTERVAL=2") == true)
    }

    @Test func alarmsBecomeLeadTimesAndAlerts() throws {
        let alarm = { (trigger: String) in "BEGIN:VALARM\r\nACTION:DISPLAY\r\n\(trigger)\r\nEND:VALARM" }
        let reading = try read(
            task(
                "SUMMARY:x", "DTSTART:20261201T080000Z", "DUE:20261201T090000Z",
                alarm("TRIGGER;RELATED=END:-PT15M"),
                alarm("TRIGGER:-PT5M"), alarm("TRIGGER;VALUE=DATE-TIME:20261130T090000Z"),
                alarm("TRIGGER;RELATED=END:PT5M")))
        let moment = try #require(RFC3339.moment("2026-11-30T09:00:00Z"))
        #expect(reading.items.first?.leads == [900, -300])
        #expect(reading.items.first?.alerts == [.beforeStart(300), .moment(moment)])
        #expect(reading.remarks.isEmpty)
    }

    /// An alarm of a repeating task belongs to each occurrence. Some programs write the due time itself as a moment.
    @Test(arguments: [
        ("DTSTART:20261201T090000Z", "TRIGGER;VALUE=DATE-TIME:20261130T090000Z", 86_400),
        ("DTSTART:20261201T080000Z", "TRIGGER:-PT5M", 3_900),
    ])
    func alarmOfRepeatingTaskBecomesLeadTime(start: String, trigger: String, lead: Int) throws {
        let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\n\(trigger)\r\nEND:VALARM"
        let reading = try read(task("SUMMARY:x", start, "DUE:20261201T090000Z", "RRULE:FREQ=WEEKLY", alarm))
        #expect(reading.items.first?.leads == [lead] && reading.items.first?.alerts == [])
    }

    @Test func alarmsBeyondTheLimitAreOmitted() throws {
        let alarms = (1...17).map { "BEGIN:VALARM\r\nTRIGGER;RELATED=END:-PT\($0)M\r\nEND:VALARM" }
        let far = "BEGIN:VALARM\r\nTRIGGER;RELATED=END:-P7102W\r\nEND:VALARM"
        let reading = try read(
            task("SUMMARY:x", "DUE:20261201T090000Z", (alarms + [far]).joined(separator: "\r\n")))
        #expect(reading.items.first?.leads == (1...16).reversed().map { $0 * 60 })
        #expect(
            reading.remarks.map(\.text) == [
                "'x': an alarm more than 68 years away from the due time is omitted",
                "'x': 1 of its alarms are omitted: an item has at most 16",
            ])
    }

    @Test func alarmAtTheMomentOfTheDueTimeBecomesLeadTime() throws {
        let alarm = "BEGIN:VALARM\r\nTRIGGER;VALUE=DATE-TIME:20261201T090000Z\r\nEND:VALARM"
        let reading = try read(task("SUMMARY:x", "DUE:20261201T090000Z", alarm))
        #expect(reading.items.first?.leads == [0] && reading.items.first?.alerts == [])
    }

    @Test func omissionsAreRemarked() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:a
            SUMMARY:secondly
            DUE:20261201T090000Z
            RRULE:FREQ=SECONDLY
            END:VTODO
            BEGIN:VTODO
            UID:a
            SUMMARY:again
            END:VTODO
            BEGIN:VTODO
            UID:b
            STATUS:CANCELLED
            SUMMARY:never mind
            END:VTODO
            BEGIN:VTODO
            UID:c
            END:VTODO
            BEGIN:VEVENT
            UID:d
            SUMMARY:an event
            END:VEVENT
            END:VCALENDAR
            """
        let reading = try read(text)
        #expect(reading.items.map(\.name) == ["secondly", "never mind", "(no name)"])
        #expect(
            reading.remarks.map(\.description) == [
                "line 2: 'secondly' does not repeat: an item can repeat every minute at most; try '1 minute' or '5 minutes'",
                "line 8: a second task with the UID a is omitted",
                "line 17: a task without a SUMMARY is called '(no name)'",
            ])
        #expect(reading.sums == ["1 VEVENT omitted: only tasks (VTODO) are imported"])
    }

    /// A summary without visible characters is no reason to refuse the calendar.
    @Test(arguments: ["", " ", "\u{200B}", "\u{2060}\u{FEFF}"])
    func invisibleSummaryGetsName(summary: String) throws {
        let reading = try read(task("SUMMARY:\(summary)"))
        #expect(reading.items.map(\.name) == ["(no name)"])
        #expect(reading.remarks.count == 1)
    }

    /// I1: A rule that cannot be read is named with the reason, though libical drops it.
    @Test(arguments: [
        ("FREQ=DAILY;COUNT=999999999999", "COUNT=999999999999 is more than 100000; omit it for no end"),
        ("FREQ=DAILY;COUNT=4294967298", "COUNT=4294967298 is more than 100000; omit it for no end"),
        (
            "FREQ=DAILY;COUNT=99999999999999999999",
            "COUNT=99999999999999999999 is more than 100000; omit it for no end"
        ),
        ("FREQ=DAILY;COUNT=0", "COUNT=0 is not a number from 1 to 100000"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0 is not a number from 1 to 32767"),
        ("FREQ=DAILY;INTERVAL=-1", "INTERVAL=-1 is not a number from 1 to 32767"),
        ("FREQ=DAILY;INTERVAL=99999", "INTERVAL=99999 is more than 32767"),
        (
            "FREQ=DAILY;UNTIL=20269999",
            "UNTIL=20269999 is not a date; use a form such as 20261231 or 20261231T180000Z"
        ),
        (
            "FREQ=DAILY;UNTIL=20270101T250000Z",
            "UNTIL=20270101T250000Z is not a date; use a form such as 20261231 or 20261231T180000Z"
        ),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX is not valid in a rule"),
        ("FREQ=FOO", "'FREQ=FOO' is not a rule of RFC 5545"),
        ("FREQ=DAILY;X-FOO=1", "X-FOO=1 is not valid in a rule"),
        ("FREQ=DAILY;FREQ=WEEKLY", "FREQ is given twice"),
        ("", "'' is not a part of a rule; a rule has the form FREQ=WEEKLY;BYDAY=MO,WE"),
    ])
    func unreadableRuleIsNamed(rule: String, reason: String) throws {
        let reading = try read(task("SUMMARY:x", "DUE:20310301T090000Z", "RRULE:\(rule)"))
        #expect(reading.items.count == 1 && reading.items.first?.recurrence == nil)
        #expect(reading.remarks.map(\.text) == ["'x' does not repeat: \(reason)"])
    }

    /// A rule is read as it is written, over several lines and with parameters.
    @Test func foldedRuleIsRead() throws {
        let reading = try read(
            task(
                "SUMMARY:x", "DUE:20310303T090000Z",
                "rrule;X-A=b;X-B=\"c:d\":FREQ=WEE\r\n KLY;BYDAY=MO,\r\n\tWE"))
        #expect(reading.items.first?.recurrence?.text == "FREQ=WEEKLY;BYDAY=MO,WE")
        #expect(reading.remarks.isEmpty)
    }

    /// No property of a task is dropped or changed without a remark.
    @Test func unreadablePropertiesAreNamed() throws {
        let reading = try read(
            task(
                "SUMMARY:x", "DUE:20310301T090000Z", "PRIORITY:abc", "RDATE:20310401T090000Z",
                "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:junk\r\nEND:VALARM"))
        #expect(
            reading.remarks.map(\.text) == [
                "'x': its PRIORITY 'abc' is not from 0 to 9; 0 is used",
                "'x': its TRIGGER cannot be read, and is omitted",
            ])
        let other = try read(
            task(
                "SUMMARY:x", "PRIORITY:77", "CLASS:PRIVATE", "PERCENT-COMPLETE:0", "STATUS:IN-PROCESS",
                "ATTENDEE:mailto:a@example.org"))
        #expect(other.remarks.map(\.text) == ["'x': its PRIORITY '77' is not from 0 to 9; 9 is used"])
        #expect(
            other.sums == [
                "ATTENDEE of 1 task kept for exports as iCalendar",
                "CLASS of 1 task kept for exports as iCalendar",
                "STATUS of 1 task kept for exports as iCalendar",
            ])
        let plain = try read(task("SUMMARY:x", "CLASS:PUBLIC", "PERCENT-COMPLETE:0", "STATUS:NEEDS-ACTION"))
        #expect(plain.remarks.isEmpty && plain.sums.isEmpty)
    }

    @Test func unsupportedPropertiesAreCounted() throws {
        let reading = try read(
            task("SUMMARY:x", "RELATED-TO:b", "RELATED-TO:c", "CONTACT:Ada", "GEO:52.5;13.4"))
        #expect(
            reading.sums == [
                "CONTACT of 1 task kept for exports as iCalendar",
                "GEO of 1 task kept for exports as iCalendar",
            ])
        #expect(reading.items.first?.parent == "b")
        #expect(reading.remarks.map(\.text) == ["'x': a second parent, c, is omitted"])
    }

    /// The file names the zone with the prefix of a program or with a name of its own, and may describe it or
    /// not.
    @Test(arguments: [
        "/freeassociation.sourceforge.net/Europe/Berlin", "/mozilla.org/20070129_1/Europe/Berlin",
        "Europe/Berlin", "Berlin time",
    ])
    func zonesNamedByOtherProgramsAreFound(name: String) throws {
        let zone = """
            BEGIN:VTIMEZONE\r
            TZID:\(name)\r
            X-LIC-LOCATION:Europe/Berlin\r
            BEGIN:STANDARD\r
            DTSTART:19701025T030000\r
            TZOFFSETFROM:+0200\r
            TZOFFSETTO:+0100\r
            END:STANDARD\r
            END:VTIMEZONE\r

            """
        let plain = task("SUMMARY:x", "DUE;TZID=\(name):20310701T090000", "RRULE:FREQ=DAILY")
        let described = plain.replacing("END:VCALENDAR", with: zone + "END:VCALENDAR")
        for text in name.contains("/") ? [plain, described] : [described] {
            let reading = try read(text)
            #expect(reading.items.first?.due == (try moment("2031-07-01T09:00:00+02:00")))
            #expect(reading.items.first?.timeZone == "Europe/Berlin")
            #expect(reading.remarks.isEmpty, "\(reading.remarks)")
        }
    }

    @Test func taskWithDurationIsDueAtItsEnd() throws {
        let due = { (lines: String) in try self.read(self.task("SUMMARY:x", lines)).items.first?.due }
        #expect(try due("DTSTART:20310301T090000Z\r\nDURATION:PT2H30M") == moment("2031-03-01T11:30:00Z"))
        #expect(try due("DTSTART:20310301T090000Z\r\nDURATION:-PT2H") == moment("2031-03-01T09:00:00Z"))
        #expect(try due("DURATION:PT2H") == nil)
    }

    /// The next two due times of the item of a task, as local times of its zone.
    private func next(_ item: ExchangeItem) throws -> [String] {
        let due = try #require(item.due)
        let zone = item.timeZone.flatMap(TimeZoneRules.init(named:)) ?? madrid
        var series: Series? = Series(
            try #require(item.recurrence), start: item.recurrenceStart ?? due, due: due, in: zone)
        return try (0..<2).map { _ in
            series = series.flatMap { $0.done(at: $0.due) }
            return try series.map { try #require(zone.civil(at: $0.due)).text } ?? "none"
        }
    }

    /// A task that begins before it is due keeps the distance at each occurrence, and its export is read back
    /// as the same item.
    @Test(arguments: [
        ("20261130T083000", "DUE:20261130T090000", "FREQ=DAILY", ["2026-12-01 09:00", "2026-12-02 09:00"]),
        ("20261130T083000", "DURATION:PT30M", "FREQ=DAILY", ["2026-12-01 09:00", "2026-12-02 09:00"]),
        (
            "20261130T083000", "DUE:20261130T090000", "FREQ=DAILY;BYHOUR=8;BYMINUTE=30",
            ["2026-12-01 09:00", "2026-12-02 09:00"]
        ),
        (
            "20261130T083000", "DUE:20261130T090000", "FREQ=WEEKLY;BYDAY=MO,TH",
            ["2026-12-03 09:00", "2026-12-07 09:00"]
        ),
        (
            "20261130T083000", "DUE:20261202T090000", "FREQ=WEEKLY;BYDAY=MO,FR",
            ["2026-12-06 09:00", "2026-12-09 09:00"]
        ),
        (
            "20261127T083000", "DURATION:P3D", "FREQ=WEEKLY;INTERVAL=2",
            ["2026-12-14 08:30", "2026-12-28 08:30"]
        ),
        (
            "20261201T083000", "DUE:20261205T090000", "FREQ=MONTHLY;BYMONTHDAY=1",
            ["2027-01-05 09:00", "2027-02-05 09:00"]
        ),
        (
            "20261130T083000", "DUE:20261201T090000", "FREQ=MONTHLY;BYMONTHDAY=-1",
            ["2027-01-01 09:00", "2027-02-01 09:00"]
        ),
        (
            "20261129T083000", "DUE:20261130T090000", "FREQ=MONTHLY;BYMONTHDAY=-2",
            ["2026-12-31 09:00", "2027-01-31 09:00"]
        ),
        (
            "20261130T083000", "DUE:20261130T090000", "FREQ=DAILY;UNTIL=20261201T073000Z",
            ["2026-12-01 09:00", "none"]
        ),
        ("20261130T233000", "DUE:20261201T003000", "FREQ=DAILY;COUNT=2", ["2026-12-02 00:30", "none"]),
        ("20261130T083000", "DUE:20261130T090000", "FREQ=HOURLY", ["2026-11-30 10:00", "2026-11-30 11:00"]),
        ("20270328T023000", "DUE:20270328T023000", "FREQ=DAILY", ["2027-03-29 02:30", "2027-03-30 02:30"]),
    ])
    func distanceFromStartToDueTimeIsKept(start: String, end: String, rule: String, times: [String]) throws {
        let zone = ";TZID=Europe/Berlin:"
        let reading = try read(
            task(
                "SUMMARY:x", "DTSTART\(zone)\(start)", end.replacing("DUE:", with: "DUE\(zone)"),
                "RRULE:\(rule)"))
        let item = try #require(reading.items.first)
        #expect(try next(item) == times)
        #expect(reading.remarks == [])
        #expect(try read(write(item)).items.first.map(next) == times)
    }

    @Test func remarkNamesDistanceThatCannotBeKept() throws {
        let reading = try read(
            task(
                "SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20261127T083000",
                "DUE;TZID=Europe/Berlin:20261130T090000", "RRULE:FREQ=MONTHLY;BYDAY=-1FR"))
        #expect(
            reading.remarks.map(\.text) == [
                "'x': the rule of its start (DTSTART) is used for its due time"
            ])
    }

    /// A rule with times in UTC repeats in UTC, and is exported as such.
    @Test(arguments: [
        ("20261130T080000Z", "FREQ=DAILY;BYHOUR=8,16", ["2026-11-30 16:00", "2026-12-01 08:00"]),
        ("20261130T230000Z", "FREQ=WEEKLY;BYDAY=MO", ["2026-12-07 23:00", "2026-12-14 23:00"]),
        (
            "20261130T080000Z", "FREQ=HOURLY;INTERVAL=2;BYHOUR=8,10,12",
            ["2026-11-30 10:00", "2026-11-30 12:00"]
        ),
    ])
    func ruleInUTCRepeatsInUTC(due: String, rule: String, times: [String]) throws {
        let item = try #require(try read(task("SUMMARY:x", "DUE:\(due)", "RRULE:\(rule)")).items.first)
        #expect(item.timeZone == "UTC")
        #expect(try next(item) == times)
        let text = write(item)
        #expect(text.contains("\r\nDUE:\(due)\r\n") && !text.contains("X-TODOD-TIME-ZONE"), "\(text)")
        #expect(try read(text).items.first.map(next) == times)
    }

    /// An item without a zone repeats by the clock of the machine, also after its export is read.
    @Test func ruleByLocalClockIsReadBack() throws {
        var item = try item()
        item.recurrence = try RecurrenceRule("FREQ=DAILY")
        item.recurrenceStart = item.due
        #expect(try read(write(item)).items == [item])
    }

    @Test func firstOfSeveralRulesIsKept() throws {
        let reading = try read(
            task("SUMMARY:x", "DUE:20310301T090000Z", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"))
        #expect(reading.items.first?.recurrence?.text == "FREQ=DAILY")
        #expect(reading.remarks.map(\.text) == ["'x': of several rules the first is kept"])
    }

    /// Apple's programs write such alarms for a location, or to represent no alarm.
    @Test(arguments: [
        "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "TRIGGER:-PT10M\r\nX-APPLE-PROXIMITY:ARRIVE",
        "TRIGGER:-PT10M\r\nPROXIMITY:ARRIVE",
        "ACTION:NONE\r\nTRIGGER:-PT10M",
    ])
    func silentAlarmsAreNoLeadTimes(alarm: String) throws {
        let lines = "BEGIN:VALARM\r\n\(alarm)\r\nEND:VALARM"
        for text in [task("SUMMARY:x", lines), task("SUMMARY:x", "DUE:20310301T090000Z", lines)] {
            let reading = try read(text)
            let isForPlace = alarm.contains("PROXIMITY")
            #expect(reading.items.first?.leads == [] && reading.sums.isEmpty)
            #expect(
                reading.remarks.map(\.description)
                    == (isForPlace ? ["line 3: 'x': an alarm for a place is omitted"] : []))
        }
    }

    @Test func alarmWithoutDueTimeIsRemarked() throws {
        let alarm = "BEGIN:VALARM\r\nTRIGGER;RELATED=END:-PT5M\r\nEND:VALARM"
        let reading = try read(task("SUMMARY:x", alarm))
        #expect(reading.remarks.map(\.text) == ["'x': an alarm without a due time is omitted"])
    }

    @Test(
        arguments: [
            ("DUE:tomorrow", "'x': its DUE is not a time, and is omitted"),
            ("DUE:20261399T090000Z", "'x': its DUE is not a time, and is omitted"),
            (
                "DTSTART;TZID=\"W. Europe Standard Time\":20261201T090000",
                "'x': the time zone 'W. Europe Standard Time' is unknown; its DTSTART is read in the local time zone"
            ),
            ("DUE;TZID=Europe/Berlin:20261201T090000", nil), ("DUE;VALUE=DATE:20261201", nil),
            ("DUE:20261201T090000", nil),
        ] as [(String, String?)])
    func unclearTimeIsRemarked(line: String, remark: String?) throws {
        let reading = try read(task("SUMMARY:x", line))
        #expect(reading.remarks.map(\.text) == [remark].compactMap(\.self))
    }

    @Test func taskWithoutUIDGetsStableUID() throws {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:x\nEND:VTODO\nEND:VCALENDAR\n"
        let uid = try read(text).items.first?.uid
        #expect(uid?.hasPrefix("todod-") == true)
        #expect(try read(text).items.first?.uid == uid)
        #expect(try read(text.replacing("x", with: "y")).items.first?.uid != uid)
    }

    @Test(arguments: [
        ("", "line 1: the file is empty"),
        ("hello\n", "line 1: this is not an iCalendar file, which begins with BEGIN:VCALENDAR"),
        ("BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:x\n", "line 2: VTODO has no matching END"),
        ("BEGIN:VCALENDAR\nEND:VTODO\n", "line 2: END:VTODO has no matching BEGIN"),
        (
            "BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VTODO\nSUMMARY:x\nEND:VTODO\n",
            "line 3: BEGIN:VTODO is outside of a VCALENDAR"
        ),
    ])
    func otherTextIsRefused(text: String, error: String) {
        let failure = #expect(throws: ICalendarReader.Failure.self) { try read(text) }
        #expect(failure?.description == error)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
