import CivilTime
import Testing

@testable import TodoClient

@Suite struct CalendarLineTests {
    private func line(_ text: String) throws -> CalendarLine {
        try #require(CalendarLine.lines(of: text).first)
    }

    @Test(arguments: [
        ("DUE:20261127T090000Z", "2026-11-27T09:00:00Z"), ("DUE;VALUE=DATE:20261127", "2026-11-27"),
        ("DUE:20261127T200000", "2026-11-27T20:00:00"),
        ("DUE;TZID=Europe/Berlin:20261127T090000", "2026-11-27T08:00:00Z"),
        ("DUE;TZID=\"Europe/Berlin\":20261127T090000", "2026-11-27T08:00:00Z"),
    ])
    func timesAreRead(text: String, time: String) throws {
        #expect(try line(text).time == CalendarTime(time))
    }

    @Test(arguments: [
        "DUE;TZID=Nowhere/Else:20261127T090000", "DUE:soon", "DUE:20261127T0900", "DUE:20261327", "DUE:",
        "DUE:20261127T090000+0100",
    ])
    func textThatIsNoTimeIsKept(text: String) throws {
        #expect(try line(text).time == nil)
    }

    @Test(arguments: [
        (#"SUMMARY:Tea\, green\; hot\\cold\nnew"#, "Tea, green; hot\\cold\nnew"),
        ("SUMMARY:Pay the\r\n  rent", "Pay the rent"), ("SUMMARY;X=\"a:b\":c", "c"), ("SUMMARY:", ""),
    ])
    func textIsUnescapedAndUnfolded(text: String, value: String) throws {
        #expect(try line(text).text == value)
    }

    @Test func componentIsOneProperty() {
        let lines = CalendarLine.lines(
            of: "PRIORITY:3\r\nBEGIN:VALARM\r\nTRIGGER:-PT1H\r\nACTION:DISPLAY\r\nEND:VALARM\r\nno colon\r\n")
        #expect(lines.map(\.name) == ["PRIORITY", "VALARM"])
        #expect(lines[1].value == "TRIGGER:-PT1H, ACTION:DISPLAY")
    }
}
