import Foundation
import TestServers
import Testing

/// Promise 9 of docs/sync.md: times stay dates, floating, in their zone or in UTC.
@Suite(.waiting) struct SyncTimeTests {
    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "BEGIN:STANDARD", "DTSTART:19701025T030000",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD",
        "BEGIN:DAYLIGHT", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE",
    ]
    /// Names, the lines of the times, the new time that is typed, and the lines with it.
    private static let forms: [(name: String, lines: [String], typed: String, changed: [String])] = [
        (
            "date", ["DTSTART;VALUE=DATE:20261130", "DUE;VALUE=DATE:20261201"], "2026-12-05",
            ["DUE;VALUE=DATE:20261205"]
        ),
        ("floating", ["DUE:20261201T090000"], "2026-12-05T10:00", ["DUE:20261205T100000"]),
        ("utc", ["DUE:20261201T090000Z"], "2026-12-05T10:00", ["DUE:20261205T100000Z"]),
        (
            "zone", ["DTSTART;TZID=Europe/Vienna:20261201T080000", "DUE;TZID=Europe/Vienna:20261201T090000"],
            "2026-12-05T10:00", ["DUE;TZID=Europe/Vienna:20261205T110000"]
        ),
        (
            "weekly-zone",
            [
                "DTSTART;TZID=Europe/Vienna:20261201T090000", "DUE;TZID=Europe/Vienna:20261201T090000",
                "RRULE:FREQ=WEEKLY",
            ],
            "2026-12-08T10:00",
            ["DTSTART;TZID=Europe/Vienna:20261208T110000", "DUE;TZID=Europe/Vienna:20261208T110000"]
        ),
    ]

    @Test(arguments: ServerKind.allCases)
    func changedTimesKeepTheirForm(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        for form in Self.forms {
            let zone = form.name.hasSuffix("zone") ? Self.zone : []
            try tasks.put(RemoteTasks.text(form.name, form.lines, before: zone), to: "\(form.name).ics")
        }
        let machine = try SyncedMachine(tasks, zone: "UTC")
        for form in Self.forms { try machine.run("edit \(machine.id(form.name)) --due \(form.typed)") }
        try machine.synchronize()
        for form in Self.forms {
            let text = try tasks.text("\(form.name).ics")
            for line in form.changed { #expect(text.contains("\r\n\(line)\r\n"), "\(form.name): \(text)") }
            #expect(text.contains("BEGIN:VTIMEZONE") == form.name.hasSuffix("zone"))
        }
        // Another change leaves the times alone.
        let before = try Self.forms.map { try times(tasks, $0.name) }
        for form in Self.forms { try machine.run("edit \(machine.id(form.name)) --notes more") }
        try machine.synchronize()
        #expect(try Self.forms.map { try times(tasks, $0.name) } == before)
        try machine.expectAgreement()
    }

    private func times(_ tasks: RemoteTasks, _ name: String) throws -> [String] {
        try tasks.text("\(name).ics").components(separatedBy: "\r\n").filter {
            $0.hasPrefix("DUE") || $0.hasPrefix("DTSTART") || $0.hasPrefix("RRULE")
        }
    }

    /// Times that are typed in another zone on one machine are the same moments on the other.
    @Test(arguments: ServerKind.allCases)
    func timesOfOneMachineArriveOnAnotherInAnotherZone(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let one = try SyncedMachine(tasks, zone: "Europe/Vienna")
        let two = try SyncedMachine(tasks, zone: "America/New_York")
        try one.addItem("date --due 2026-12-01")
        try one.addItem("floating --due 2026-12-01T09:00 --floating")
        try one.addItem("moment --due 2026-12-01T09:00 --start 2026-11-30T08:00")
        try one.addItem("weekly --due 2026-12-01T09:00 --every week")
        try one.addItem("days --due 2026-12-01 --every 'month until 2027-05-01'")
        try one.synchronize()
        try two.synchronize()
        let fields = ["due", "start", "recurrence", "timeZone", "floating"]
        for item in try one.items() {
            let other = try two.item(item["name"] as? String ?? "")
            for field in fields {
                let (here, there) = (moment(item[field]), moment(other[field]))
                #expect(here == there, "\(item["name"] ?? "" as NSString) \(field): \(here) \(there)")
            }
        }
        // The other machine changes the name only, and the times come back as they were.
        let before = try one.items().map { [$0["due"], $0["start"], $0["recurrence"]] }
        for name in ["date", "floating", "moment", "weekly", "days"] {
            try two.run("edit \(two.id(name)) --notes more")
        }
        try two.synchronize()
        try one.synchronize()
        #expect(try one.items().map { [$0["due"], $0["start"], $0["recurrence"]] } == before)
        #expect(try one.items().allSatisfy { $0["notes"] == "more" as NSString })
        try two.expectAgreement()
    }

    /// Returns a time without the offset in which the machine prints it.
    private func moment(_ value: NSObject?) -> String {
        guard let text = value as? String else { return "\(value ?? "none" as NSString)" }
        return ISO8601DateFormatter().date(from: text).map { "\($0)" } ?? text
    }
}
