import Foundation
import TestServers
import Testing

/// Promises 2 and 3 of docs/sync.md: changes are merged by property, and unknown lines are kept.
@Suite(.waiting) struct SyncMergeTests {
    private static let kinds: [ServerKind] = [.radicale, .xandikos]

    @Test(arguments: kinds)
    func changesOfDifferentPropertiesOnTwoMachinesAreMerged(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        try one.addItem("Cook --due 2026-12-01T18:00 --tag food --notes Rice")
        try one.synchronize()
        try two.synchronize()
        two.sync.kill()
        one.sync.kill()
        try one.run("edit \(one.id("Cook")) --priority 1 --tag home")
        try two.run("edit \(two.id("Cook")) --notes Pasta --tag quick --due 2026-12-02T19:00")
        try one.restart()
        try one.synchronize()
        try two.restart()
        try two.synchronize()
        try one.synchronize()
        for machine in [one, two] {
            let item = try machine.item("Cook")
            #expect(item["priority"] == 1 as NSNumber && item["notes"] == "Pasta" as NSString)
            #expect(item["tags"] as? [String] == ["food", "home", "quick"])
            #expect(item["due"] == "2026-12-02T19:00:00Z" as NSString)
            #expect(try machine.run("sync conflicts") == "There are no conflicts.\n")
            try machine.expectAgreement()
        }
    }

    @Test(arguments: kinds)
    func losingChangeOfTheSamePropertyIsShownAndRestored(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        // Of two changes, the later one wins.
        let one = try SyncedMachine(tasks, now: "2026-11-18T10:20:00Z")
        let two = try SyncedMachine(tasks, now: "2026-11-18T10:21:00Z")
        try one.addItem("Cook --notes Rice")
        try one.synchronize()
        try two.synchronize()
        one.sync.kill()
        two.sync.kill()
        try one.run("edit \(one.id("Cook")) --notes Pasta")
        try two.run("edit \(two.id("Cook")) --notes Soup")
        try one.restart()
        try one.synchronize()
        try two.restart()
        try two.synchronize()
        try one.synchronize()

        for machine in [one, two] { #expect(try machine.item("Cook")["notes"] == "Soup" as NSString) }
        #expect(try one.run("sync conflicts") == "There are no conflicts.\n")
        let shown = try two.run("sync conflicts")
        #expect(shown.contains("Soup") && shown.contains("lost: Pasta"), "\(shown)")
        #expect(try two.statusText().contains("1 change has lost against another one."))
        let id = try #require(shown.firstMatch(of: #/Conflict: +(\d+),/#)?.1)
        try two.run("sync conflicts restore \(id)")
        #expect(try two.run("sync conflicts") == "There are no conflicts.\n")
        try two.synchronize()
        try one.synchronize()
        for machine in [one, two] { #expect(try machine.item("Cook")["notes"] == "Pasta" as NSString) }
    }

    @Test(arguments: kinds)
    func changeWinsAgainstADeletionOnAnotherMachine(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        for name in ["a", "b"] { try one.addItem(name) }
        try one.synchronize()
        try two.synchronize()
        one.sync.kill()
        two.sync.kill()
        try one.run("delete \(one.id("a"))")
        try two.run("edit \(two.id("a")) --notes kept")
        try one.run("edit \(one.id("b")) --notes kept")
        try two.run("delete \(two.id("b"))")
        try one.restart()
        try one.synchronize()
        try two.restart()
        try two.synchronize()
        try one.synchronize()
        for machine in [one, two] {
            for name in ["a", "b"] { #expect(try machine.item(name)["notes"] == "kept" as NSString) }
            try machine.expectAgreement()
        }
        let conflicts = try two.run("sync conflicts")
        #expect(conflicts.components(separatedBy: "the deletion of the item").count == 3, "\(conflicts)")
    }

    // MARK: - Unknown lines

    private static let unknown = [
        "X-FOO;X-BAR=\"a;b:c\";BAZ=1:one\\, two\\;three\\nfour", "CLASS:PRIVATE", "GEO:48.208800;16.372100",
        "LOCATION;LANGUAGE=de;ALTREP=\"https://example.com/a\":Wien\\, Österreich 🎡",
        "ORGANIZER;CN=\"Ann; B\":mailto:ann@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com",
        "COMMENT:\(String(repeating: "long ü ", count: 30))end", "RESOURCES:a,b\\,c", "SEQUENCE:3",
        "X-EMPTY:", "X-APPLE-SORT-ORDER:643210987", "REQUEST-STATUS:2.0;Success",
    ]
    private static let unknownAlarm = [
        "BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER;RELATED=START:-PT15M", "SUMMARY:Mail", "DESCRIPTION:Body",
        "ATTENDEE:mailto:ann@example.com", "X-ALARM:1", "UID:alarm-1", "END:VALARM",
    ]

    /// Compares the text before and after a change of one property, line by line. Folding is that of the server.
    @Test(arguments: ServerKind.allCases)
    func unknownLinesAreSentBackAsTheyWereRead(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let lines = ["DTSTART:20261201T080000Z", "DUE:20261201T090000Z"] + Self.unknown + Self.unknownAlarm
        try tasks.put(RemoteTasks.text("kept", lines), to: "kept.ics")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        let before = try tasks.text("kept.ics")
        try machine.run("edit \(machine.id("kept")) --priority 3")
        try machine.synchronize()

        let after = try tasks.text("kept.ics")
        let own = ["PRIORITY:3", "DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:"]
        let others = { (text: String) in
            text.components(separatedBy: "\r\n").filter { line in !own.contains { line.hasPrefix($0) } }
        }
        #expect(others(after) == others(before))
        #expect(after.contains("\r\nPRIORITY:3\r\n"))

        // The text that was sent has all lines in the order and with the line breaks of the text that was read.
        let sent = try #require(try proxy.requests().last { $0.method == "PUT" }).body
        #expect(others(sent) == others(before))
    }

    /// A text with another form than that of servers is kept by its bytes, as far as the server does.
    @Test(arguments: [ServerKind.radicale, .xandikos])
    func changesThatAreUndoneLeaveTheText(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.put(RemoteTasks.text("kept", Self.unknown + Self.unknownAlarm), to: "kept.ics")
        let machine = try SyncedMachine(tasks)
        let before = try tasks.text("kept.ics")
        for line in ["--notes more --tag a,b", "--notes '' --no-tags"] {
            try machine.run("edit \(machine.id("kept")) \(line)")
            try machine.synchronize()
        }
        let own = ["DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:"]
        let others = { (text: String) in
            text.components(separatedBy: "\r\n").filter { line in !own.contains { line.hasPrefix($0) } }
        }
        let after = try tasks.text("kept.ics")
        #expect(
            others(after) == others(before),
            "\(others(after).difference(from: others(before)).map { "\($0)" })")
    }

    /// A synchronization without changes writes nothing.
    @Test(arguments: ServerKind.allCases)
    func unchangedTasksAreNotWritten(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.put(RemoteTasks.text("kept", Self.unknown + Self.unknownAlarm), to: "kept.ics")
        try tasks.add("done", "STATUS:COMPLETED", "COMPLETED:20261101T100000Z", "PERCENT-COMPLETE:100")
        try tasks.add("repeating", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;COUNT=5")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try machine.restart()
        try machine.synchronize()
        #expect(try !proxy.requests().contains { ["PUT", "DELETE"].contains($0.method) })
        try machine.expectAgreement()
    }
}
