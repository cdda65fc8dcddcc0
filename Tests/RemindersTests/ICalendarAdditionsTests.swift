import CivilTime
import Testing

@testable import Reminders

/// The URL, the links, the expected duration, the progress and the categories of a task in iCalendar.
@Suite struct ICalendarAdditionsTests {
    private typealias Reading = (items: [ExchangeItem], remarks: [String], sums: [String])

    private func read(_ lines: String...) throws -> Reading {
        let text =
            (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a", "SUMMARY:x"] + lines
            + ["END:VTODO", "END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n"
        return try read(text: text)
    }

    private func read(text: String) throws -> Reading {
        var reader = try ICalendarReader(text, zone: .utc, defaultTime: 0)
        var items: [ExchangeItem] = []
        while let item = try reader.next() { items.append(item) }
        return (items, reader.takeRemarks().map(\.text), reader.sums)
    }

    private func write(_ item: ExchangeItem) -> String {
        var writer = ICalendarWriter(now: Timestamp(secondsSince1970: 1_795_194_000), timeOfDates: 9 * 3_600)
        return ICalendarWriter.header + writer.lines(for: item) + ICalendarWriter.footer
    }

    // MARK: - Links

    @Test func attachmentIsLink() throws {
        let reading = try read(
            "ATTACH;FMTTYPE=application/pdf;LABEL=\"The offer; ^'new^'\":https://example.com/a b,c",
            "ATTACH:CID:jsmith.part3@example.com")
        let links = try #require(reading.items.first?.links)
        #expect(links.map(\.url) == ["https://example.com/a%20b,c", "CID:jsmith.part3@example.com"])
        #expect(links.map(\.title) == ["The offer; \"new\"", nil])
        #expect(links.map(\.mediaType) == ["application/pdf", nil] && links.allSatisfy(\.isAttachment))
        #expect(reading.remarks.isEmpty && reading.sums.isEmpty)
    }

    @Test func attachmentThatIsNoLinkIsRemarked() throws {
        let reading = try read(
            "ATTACH;ENCODING=BASE64;VALUE=BINARY:VGV4dA==", "ATTACH:example.com",
            "ATTACH:https://example.com",
            "ATTACH:https://example.com")
        #expect(reading.items.first?.links.map(\.url) == ["https://example.com"])
        #expect(
            reading.remarks == [
                "'x': an attachment whose data is in the file is no link, and is only exported again",
                "'x': the attachment 'example.com' is no link: it is not a URL, which begins with a scheme, "
                    + "such as https://example.com",
                "'x': the attachment 'https://example.com' is there several times; the first is used",
            ])
    }

    @Test func textThatIsNoURLIsRemarked() throws {
        let reading = try read("URL:www.example.com", "DESCRIPTION:One")
        #expect(reading.items.first?.url == nil && reading.items.first?.notes == "One")
        #expect(
            reading.remarks == [
                "'x': its URL 'www.example.com' is omitted: it is not a URL, which begins with a scheme, "
                    + "such as https://example.com"
            ])
    }

    /// The rest of a link stays, and a person learns of each part that does not.
    @Test func unusablePartsOfLinksAreRemarked() throws {
        let reading = try read(
            "URL:https://example.com/\u{7}", "ATTACH;FMTTYPE=foo:https://example.com/a",
            "ATTACH;LABEL=\(String(repeating: "t", count: 1_025)):https://example.com/b")
        let item = try #require(reading.items.first)
        #expect(item.url == "https://example.com/%07")
        #expect(item.links.map(\.url) == ["https://example.com/a", "https://example.com/b"])
        #expect(item.links.map(\.mediaType) == [nil, nil] && item.links[1].title?.count == 1_024)
        #expect(
            reading.remarks == [
                "'x': the control characters in its URL 'https://example.com/%07' become codes",
                "'x': 'foo' of the attachment 'https://example.com/a' is not a media type, and is omitted",
                "'x': the title of the attachment 'https://example.com/b' is cut to 1024 characters",
            ])
    }

    /// Two spellings of one character are two URLs.
    @Test func linksAreComparedByBytes() throws {
        let reading = try read("ATTACH:https://example.com/\u{E9}", "ATTACH:https://example.com/e\u{301}")
        let links = try #require(reading.items.first).links
        #expect(links.count == 2 && links[0] != links[1])
    }

    /// A file of another program may lack what that program does not know.
    @Test func missingAdditionsAreUnknown() throws {
        let item = try #require(try read("DESCRIPTION:One").items.first)
        #expect(item.missing == [.url, .links, .estimate, .percent, .parent, .blockedBy, .remainder])
        #expect(!item.isSnoozeKnown)
        let own = try #require(try read(text: write(ExchangeItem(uid: "a", name: "x"))).items.first)
        #expect(own.missing == [] && own.isSnoozeKnown)
        let done = try #require(try read("STATUS:COMPLETED", "PERCENT-COMPLETE:100").items.first)
        #expect(done.missing.contains(.percent))
    }

    @Test func startThatAnotherProgramHasMovedIsNoDueTime() throws {
        let item = try #require(
            try read("DTSTART:20310304T080000Z", "X-TODOD-START:20310303T080000Z").items.first)
        #expect(
            CalendarTime(moment: item.start, local: item.localStart) == CalendarTime("2031-03-04T08:00:00Z"))
        #expect(item.due == nil)
    }

    @Test(arguments: [
        ("DTSTART;TZID=Europe/Berlin:20310303T080000", "2031-03-03T07:00:00Z"),
        ("DTSTART:20310303T080000", "2031-03-03T08:00:00"),
    ])
    func startOnDueDateOfRepeatingDateIsKept(line: String, start: String) throws {
        let item = try #require(
            try read(line, "DUE;VALUE=DATE:20310303", "RRULE:FREQ=WEEKLY").items.first)
        #expect(CalendarTime(moment: item.start, local: item.localStart) == CalendarTime(start))
        #expect(item.recurrenceStart == item.localDue?.momentInUTC && item.recurrence?.text == "FREQ=WEEKLY")
    }

    /// RFC 5545 requires an UNTIL in UTC beside a start with a zone.
    @Test(arguments: [
        ("FREQ=DAILY;UNTIL=20310701T090000", "UNTIL=20310701T070000Z"),
        ("FREQ=DAILY;UNTIL=20310701", "UNTIL=20310701T215959Z"),
    ])
    func localEndIsWrittenInUTC(rule: String, end: String) throws {
        var item = ExchangeItem(uid: "a", name: "x")
        item.due = RFC3339.moment("2031-06-01T09:00:00+02:00")
        item.timeZone = "Europe/Berlin"
        item.recurrence = try RecurrenceRule(rule)
        item.recurrenceStart = item.due
        let text = write(item)
        #expect(text.contains("\r\nRRULE:FREQ=DAILY;\(end)\r\n"), "\(text)")
        #expect(try read(text: text).items == [item])
    }

    // MARK: - Work

    @Test(
        arguments: [
            ("PT1H30M", 5_400, nil), ("P1D", 86_400, nil), ("PT0S", nil, nil),
            ("-PT5M", nil, "'x': its ESTIMATED-DURATION '-PT5M' cannot be read, and is omitted"),
            ("soon", nil, "'x': its ESTIMATED-DURATION 'soon' cannot be read, and is omitted"),
        ] as [(String, Int?, String?)])
    func estimatedDurationIsRead(text: String, seconds: Int?, remark: String?) throws {
        let reading = try read("ESTIMATED-DURATION:\(text)")
        #expect(reading.items.map(\.estimate) == [seconds])
        #expect(reading.remarks == [remark].compactMap(\.self) && reading.sums.isEmpty)
    }

    @Test(
        arguments: [
            (["PERCENT-COMPLETE:40"], 40, false), (["PERCENT-COMPLETE:40", "STATUS:IN-PROCESS"], 40, false),
            (["PERCENT-COMPLETE:100"], 0, true), (["PERCENT-COMPLETE:100", "STATUS:COMPLETED"], 0, true),
            (["PERCENT-COMPLETE:100", "STATUS:IN-PROCESS"], 100, false),
            (["PERCENT-COMPLETE:100", "STATUS:COMPLETED", "X-TODOD-PERCENT:60"], 60, true),
            // Another program has reopened the task.
            (["PERCENT-COMPLETE:20", "STATUS:IN-PROCESS", "X-TODOD-PERCENT:60"], 20, false),
        ] as [([String], Int, Bool)])
    func progressIsRead(lines: [String], percent: Int, isCompleted: Bool) throws {
        let reading = try read(lines.joined(separator: "\r\n"))
        #expect(
            reading.items.map(\.percent) == [percent] && reading.items.map(\.isCompleted) == [isCompleted])
        #expect(reading.remarks.isEmpty && reading.sums.isEmpty)
    }

    @Test func progressOutOfRangeIsRemarked() throws {
        let reading = try read("PERCENT-COMPLETE:150", "STATUS:IN-PROCESS")
        #expect(reading.items.map(\.percent) == [100])
        #expect(reading.remarks == ["'x': its PERCENT-COMPLETE '150' is not from 0 to 100; 100 is used"])
    }

    @Test func completedTaskIsWrittenAsWhollyDone() throws {
        var item = ExchangeItem(uid: "A", name: "x")
        (item.percent, item.estimate) = (60, 5_400)
        #expect(
            write(item).contains("PERCENT-COMPLETE:60\r\n") && write(item).contains("STATUS:IN-PROCESS\r\n"))
        #expect(write(item).contains("ESTIMATED-DURATION:PT1H30M\r\n"))
        item.isCompleted = true
        #expect(write(item).contains("PERCENT-COMPLETE:100\r\nX-TODOD-PERCENT:60\r\n"))
        #expect(try read(text: write(item)).items == [item])
    }

    // MARK: - Categories

    /// libical splits these at the wrong commas.
    @Test(
        arguments: [
            ("Home,a\\,b,c", "Home", ["a b", "c"]), ("5\" pipe,garden", "5\" pipe", ["garden"]),
            (",,", nil, []),
            ("Home,\"a,b\"", "Home", ["\"a", "b\""]), ("a\\\\,b\\;c", "a\\", ["b;c"]),
        ] as [(String, String?, [String])])
    func categoriesAreSplitAtCommasWithoutBackslash(
        written: String, category: String?, tags: [String]
    ) throws {
        let item = try #require(try read("CATEGORIES:\(written)").items.first)
        #expect(item.category == category && item.tags == tags)
    }
}
