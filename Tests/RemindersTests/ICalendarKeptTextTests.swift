import CivilTime
import TestSupport
import Testing

@testable import Reminders

/// The text of other programs that an item keeps, in iCalendar.
@Suite struct ICalendarKeptTextTests {
    private typealias Reading = (items: [ExchangeItem], remarks: [String], sums: [String])

    private func read(_ lines: [String]) throws -> Reading {
        try read(
            text: (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VTODO", "UID:a"] + lines
                + ["END:VTODO", "END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n")
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

    /// The lines of other programs, of which todod has no property.
    private static let foreign = [
        "SUMMARY;LANGUAGE=de:Tee", "CLASS:PRIVATE", "GEO:37.386013;-122.082932",
        "LOCATION;ALTREP=\"cid:x\":Office",
        "ORGANIZER;CN=\"Ann; Lee\":mailto:ann@example.com",
        "ATTENDEE;RSVP=TRUE;X-NUM=0:mailto:bob@example.com",
        "ATTENDEE:mailto:cy@example.com", "COMMENT:One\\, two", "CONTACT:Ada", "x-lower;GAP=P1D:1",
        "X-LONG:a line that another program has fol\r\n ded at a place of its own and with a char\r\n\tacter é",
        "SEQUENCE:3", "X-EMPTY:",
        "BEGIN:VLOCATION\r\nNAME:Home\r\nBEGIN:X-IN\r\nX-A:1\r\nEND:X-IN\r\nEND:VLOCATION",
    ]

    @Test func foreignLinesAreExportedAsTheyWere() throws {
        let reading = try read(Self.foreign)
        let item = try #require(reading.items.first)
        #expect(item.name == "Tee" && item.notes == nil && reading.remarks == [])
        let text = write(item)
        for line in Self.foreign { #expect(text.contains("\r\n\(line)\r\n"), "\(line)") }
        #expect(text.components("SUMMARY") == 1)
        #expect(!text.contains(ICalendarKeptText.header))
        #expect(reading.sums.contains("COMMENT of 1 task kept for exports as iCalendar"))
        #expect(reading.sums.allSatisfy { !$0.hasSuffix("omitted") }, "\(reading.sums)")
    }

    @Test func exportAndImportKeepTheSameText() throws {
        let item = try #require(try read(Self.foreign).items.first)
        let back = try #require(try read(text: write(item)).items.first)
        #expect(back.remainder == item.remainder)
        #expect(write(back) == write(item))
    }

    /// A line of a property that todod has is written until the item changes in that property.
    @Test(arguments: [
        ("SUMMARY;LANGUAGE=de:Tee", "SUMMARY:Kaffee"), ("PRIORITY:99", "PRIORITY:2"),
        ("DUE;TZID=Europe/Berlin;X-A=1:20310301T090000", "DUE:20320301T080000Z"),
        ("CATEGORIES;LANGUAGE=de:Haus,Garten", "CATEGORIES:Hof"), ("STATUS:WAITING", "STATUS:COMPLETED"),
        ("URL:www.example.com", "URL:https://example.com"),
        ("ATTACH;X-SIZE=3:https://example.com/a", "ATTACH:https://example.com/b"),
        ("DESCRIPTION;ALTREP=\"cid:x\":One", "DESCRIPTION:Two"),
    ])
    func knownLineIsReplacedByChange(line: String, later: String) throws {
        var item = try #require(try read(["X-OTHER:1", line]).items.first)
        #expect(write(item).contains("\r\n\(line)\r\n"))
        let plain = try #require(try read(["X-NOTHING:1", later]).items.first)
        if line.hasPrefix("SUM") { item.name = plain.name }
        if line.hasPrefix("PRI") { item.priority = plain.priority }
        if line.hasPrefix("DUE") { item.due = plain.due }
        if line.hasPrefix("CAT") { (item.category, item.tags) = (plain.category, plain.tags) }
        if line.hasPrefix("STA") { item.isCompleted = true }
        if line.hasPrefix("URL") { item.url = plain.url }
        if line.hasPrefix("ATT") { item.links = plain.links }
        if line.hasPrefix("DES") { item.notes = plain.notes }
        let text = write(item)
        #expect(!text.contains(line) && text.contains("\r\n\(later)\r\n"), "\(text)")
        #expect(text.contains("\r\nX-OTHER:1\r\n"))
    }

    /// A time with a zone is written with the description of the zone.
    @Test func zoneOfKeptTimeIsDescribed() throws {
        let item = try #require(
            try read(["SUMMARY:x", "DUE;TZID=Europe/Berlin:20310301T090000"]).items.first)
        let text = write(item)
        #expect(text.contains("\r\nTZID:Europe/Berlin\r\n"))
        #expect(try read(text: text).items.first?.due == item.due)
    }

    /// A zone that only the file describes cannot be written again.
    @Test func timeInUnknownZoneIsNotKept() throws {
        let item = try #require(try read(["SUMMARY:x", "DUE;TZID=My zone:20310301T090000"]).items.first)
        #expect(!write(item).contains("My zone") && write(item).contains("\r\nDUE:20310301T090000Z\r\n"))
    }

    @Test func dataOfAttachmentStaysWhenLinksChange() throws {
        let data = "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:VGV4dA=="
        var item = try #require(
            try read(["SUMMARY:x", data, "ATTACH;X-A=1:https://example.com"]).items.first)
        item.links = [LinkValue(url: "https://example.org")]
        let text = write(item)
        #expect(text.contains("\r\n\(data)\r\n") && !text.contains("X-A=1"))
    }

    @Test func exportOfTododKeepsNothing() throws {
        var item = ExchangeItem(uid: "a", name: "x, y")
        item.notes = String(repeating: "Long; ", count: 40)
        (item.category, item.tags, item.priority, item.percent) = ("Home", ["a b"], 3, 40)
        item.due = Timestamp(secondsSince1970: 1_900_000_000)
        item.recurrence = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO;UNTIL=20351231T000000")
        item.timeZone = "Europe/Berlin"
        item.links = [LinkValue(url: "https://example.com")]
        #expect(try read(text: write(item)).items.map(\.remainder) == [nil])
    }

    // MARK: - Hostile files

    @Test func keptTextHasALimit() throws {
        let big = String(repeating: "x", count: 1 << 20)
        let reading = try read(["SUMMARY:x", "X-A:1", "X-BIG:\(big)", "X-B:2"])
        let item = try #require(reading.items.first)
        #expect(item.remainder.map { String(decoding: $0, as: UTF8.self) } == "X-A:1\r\nX-B:2\r\n")
        #expect(reading.remarks == ["'x': X-BIG omitted, as an item keeps at most 65536 bytes"])
    }

    @Test func manySmallLinesHaveTheSameLimit() throws {
        let reading = try read(["SUMMARY:x"] + (0..<9_000).map { "X-P\($0):\($0)" })
        #expect(try #require(reading.items.first?.remainder).count <= ICalendarKeptText.bytesLimit)
        #expect(reading.remarks.count == 1)
    }

    @Test func controlCharactersAreNotKept() throws {
        let reading = try read(["SUMMARY:x\0y", "X-A:1\0 2", "X-B:\u{1B}[1m", "X-C:3"])
        #expect(reading.items.first?.name == "xy")
        #expect(
            reading.remarks == [
                "'xy': its NUL characters are omitted", "'xy': X-B with control characters omitted",
            ])
        #expect(write(try #require(reading.items.first)).contains("\r\nX-A:1 2\r\nX-C:3\r\n"))
    }

    @Test func linesThatEndWithReturnAreKept() throws {
        let text = "BEGIN:VCALENDAR\rBEGIN:VTODO\rUID:a\rSUMMARY:x\rX-A:1\r 2\rEND:VTODO\rEND:VCALENDAR\r"
        #expect(write(try #require(try read(text: text).items.first)).contains("\r\nX-A:1\r\n 2\r\n"))
    }

    /// A line that only looks like a component after it is unfolded is none.
    @Test func foldedBeginIsNoComponent() throws {
        let item = try #require(
            try read(["SUMMARY:x", "BEG\r\n IN:X-A", "X-B:1", "EN\r\n D:VTODO"]).items.first)
        let text = write(item)
        #expect(text.components("BEGIN:") == 2 && text.components("END:") == 2 && text.contains("X-B:1"))
    }

    @Test(arguments: [
        ("summary:x", "SUMMARY"), ("Due;VALUE=DATE:x", "DUE"), ("SUM\r\n MARY:x", "SUMMARY"),
        ("DUE\r\n\t:x", "DUE"),
        ("NO COLON", "NO COLON"), ("A\"B:C;D:E", "A\"B:C"), ("É:x", "É"), (":x", ""),
        (String(repeating: "X", count: 65) + ":x", String(repeating: "X", count: 64)),
    ])
    func unitHasTheNameOfItsProperty(line: String, name: String) {
        let units = ICalendarUnit.units(in: "BEGIN:VTODO\r\n\(line)\r\nEND:VTODO\r\n")
        #expect(units.map(\.name) == [name])
        #expect(units.first?.property.name == name)
    }

    @Test(arguments: [
        ("a\nb\n", "a\r\nb\r\n"), ("a\r\nb\n", "a\r\nb\r\n"), ("\n\n", "\r\n\r\n"), ("a\rb", "a\rb"),
        ("", ""),
    ])
    func textOfServerGetsTheLineEndsOfTheStandard(text: String, wanted: String) {
        #expect(Array(SyncFormat.normalized(text).utf8) == Array(wanted.utf8))
    }

    @Test func deepComponentIsRefusedByLine() throws {
        let depth = 5_000
        let lines =
            ["SUMMARY:x"] + Array(repeating: "BEGIN:X-A", count: depth)
            + Array(repeating: "END:X-A", count: depth)
        #expect(throws: ICalendarReader.Failure.self) { try read(lines) }
        do {
            _ = try read(lines)
        } catch let failure as ICalendarReader.Failure {
            #expect(failure.line == 105 && failure.reason.contains("more than 100"))
        }
    }

    /// The text can come from a damaged store or from a JSON file that a person wrote.
    @Test(arguments: [
        "END:VTODO\r\nEND:VCALENDAR\r\n", "BEGIN:X-A\r\nX-B:1\r\n",
        "X-TODOD-KEPT:SUMMARY=zz;;=\r\nSUMMARY:y\r\n",
        "no property", "\u{FF}\0\n\n", "BEGIN:VTODO\r\nUID:b\r\nEND:VTODO\r\n", "X-A:1",
    ])
    func anyTextLeavesTheExportReadable(kept: String) throws {
        var item = ExchangeItem(uid: "a", name: "x")
        item.remainder = Array(kept.utf8)
        let reading = try read(text: write(item))
        #expect(reading.items.map(\.name) == ["x"] && reading.items.map(\.uid) == ["a"])
    }

    /// Each random task is exported as it was, and a second export is the same.
    @Test func randomTasksAreKept() throws {
        var random = SplitMix(state: 5)
        let lines =
            Self.foreign.dropFirst() + [
                "DTSTART:20310101T090000Z", "DUE:20310301T090000Z", "RRULE:FREQ=DAILY", "DURATION:PT1H",
                "PRIORITY:0", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:20", "CATEGORIES:a,b", "CATEGORIES:c",
                "URL:x", "ATTACH:https://example.com", "CREATED;X-A=1:20260101T000000Z",
                "DTSTART;X-A=1:20310201T090000Z",
                "LAST-MODIFIED:20260101T000000Z", "RELATED-TO:z", "RELATED-TO;RELTYPE=CHILD:y",
                "EXDATE:20310101T090000Z",
            ]
        for round in 0..<200 {
            let chosen = ["SUMMARY;LANGUAGE=en:x"] + lines.filter { _ in Bool.random(using: &random) }
            let item = try #require(try read(chosen).items.first)
            let text = write(item)
            for line in chosen {
                #expect(text.contains("\r\n\(line)\r\n"), "round \(round): \(line) in \(text)")
            }
            #expect(write(try #require(try read(text: text).items.first)) == text, "round \(round)")
        }
    }
}

extension String {
    /// The number of times that a text is in this one.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
