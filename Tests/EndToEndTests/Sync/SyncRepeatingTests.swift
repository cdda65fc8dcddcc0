import Foundation
import TestServers
import Testing

/// Promise 8 of docs/sync.md: the ways in which programs record a completed occurrence are read, and one is written.
@Suite(.waiting) struct SyncRepeatingTests {
    private static let kinds: [ServerKind] = [.radicale, .xandikos]
    private static let task = [
        "DTSTART:20261201T080000Z", "DUE:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=5", "X-A:1",
    ]

    private func machine(_ kind: ServerKind) throws -> (RemoteTasks, SyncedMachine) {
        let tasks = try RemoteTasks(kind)
        try tasks.put(RemoteTasks.text("walk", Self.task), to: "walk.ics")
        return (tasks, try SyncedMachine(tasks))
    }

    private func due(_ machine: SyncedMachine, _ name: String = "walk") throws -> String? {
        try machine.item(name)["due"] as? String
    }

    @Test(arguments: ServerKind.allCases)
    func completionHereMovesTheTaskOnTheServer(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        try machine.run("done \(machine.id("walk"))")
        try machine.synchronize()
        let text = try tasks.text("walk.ics")
        for line in ["DTSTART:20261202T080000Z", "DUE:20261202T090000Z", "X-A:1"] {
            #expect(text.contains("\r\n\(line)\r\n"), "\(text)")
        }
        let rule = try #require(text.firstMatch(of: #/\r\nRRULE:(\S+)\r\n/#)?.1)
        #expect(Set(rule.split(separator: ";")) == ["FREQ=DAILY", "COUNT=4"])
        #expect(!text.contains("COMPLETED"))
        // Another machine reads the same.
        let other = try SyncedMachine(tasks)
        #expect(try due(other) == "2026-12-02T09:00:00Z")
        try machine.run("undo")
        try machine.synchronize()
        try other.synchronize()
        #expect(try due(other) == "2026-12-01T09:00:00Z")
        #expect(try tasks.text("walk.ics").contains("COUNT=5"))
        try machine.expectAgreement()
    }

    /// Tasks.org and Evolution move the task.
    @Test(arguments: kinds)
    func taskThatMovesOnIsACompletion(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        try tasks.edit("walk.ics") {
            $0.replacing("20261201T08", with: "20261202T08").replacing("20261201T09", with: "20261202T09")
                .replacing("COUNT=5", with: "COUNT=4")
        }
        try machine.synchronize()
        #expect(try due(machine) == "2026-12-02T09:00:00Z")
        #expect((try machine.item("walk")["history"] as? [NSObject])?.count == 1)
        try machine.expectAgreement()
    }

    /// todoman ends the task without its rule, and adds another one with the rule and the next times.
    @Test(arguments: kinds)
    func completedTaskAndItsSuccessorAreRead(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        try tasks.edit("walk.ics") {
            $0.replacing(#/RRULE:[^\r]*\r\n/#, with: "").replacing(
                "END:VTODO",
                with: "STATUS:COMPLETED\r\nCOMPLETED:20261201T083000Z\r\nPERCENT-COMPLETE:100\r\nEND:VTODO")
        }
        try tasks.put(
            RemoteTasks.text(
                "walk-2", name: "walk",
                ["DTSTART:20261202T080000Z", "DUE:20261202T090000Z", "RRULE:FREQ=DAILY;COUNT=5"]),
            to: "walk-2.ics")
        try machine.synchronize()
        let items = try machine.items()
        #expect(items.count == 2)
        let open = items.filter { $0["completed"] as? Bool != true }
        #expect(open.count == 1 && open.first?["due"] == "2026-12-02T09:00:00Z" as NSString)
        #expect(open.first?["recurrence"] != nil)
        try machine.expectAgreement()
    }

    /// python-caldav and Nextcloud mark the whole task as done. todod reads this as one completed occurrence.
    @Test(arguments: kinds)
    func completedTaskWithItsRuleIsOneCompletion(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        try tasks.edit("walk.ics") {
            $0.replacing("END:VTODO", with: "STATUS:COMPLETED\r\nCOMPLETED:20261201T083000Z\r\nEND:VTODO")
        }
        try machine.synchronize()
        #expect(try due(machine) == "2026-12-02T09:00:00Z")
        #expect(try machine.item("walk")["completed"] as? Bool != true)
        let text = try tasks.text("walk.ics")
        #expect(text.contains("DUE:20261202T090000Z") && !text.contains("STATUS:COMPLETED"), "\(text)")
        try machine.expectAgreement()
    }

    /// python-caldav with `safe` adds a done copy, and moves the task to the time of the completion plus an interval.
    @Test(arguments: kinds)
    func doneCopyAndMovedTaskAreRead(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        try tasks.edit("walk.ics") {
            $0.replacing("20261201T080000Z", with: "20261202T083000Z")
                .replacing("20261201T090000Z", with: "20261202T093000Z").replacing("COUNT=5", with: "COUNT=4")
        }
        try tasks.add(
            "walk-done", name: "walked", "DTSTART:20261201T080000Z", "DUE:20261201T090000Z",
            "STATUS:COMPLETED",
            "COMPLETED:20261201T083000Z")
        try machine.synchronize()
        #expect(try due(machine) == "2026-12-02T09:30:00Z")
        #expect(try machine.item("walked")["completed"] as? Bool == true)
        try machine.expectAgreement()
    }

    /// Thunderbird adds a task with RECURRENCE-ID for the completed occurrence.
    @Test(arguments: kinds)
    func completedOccurrenceIsRead(kind: ServerKind) throws {
        let (tasks, machine) = try machine(kind)
        let done = [
            "BEGIN:VTODO", "UID:walk", "RECURRENCE-ID:20261201T080000Z", "DTSTAMP:20261201T083000Z",
            "SUMMARY:walk",
            "DTSTART:20261201T080000Z", "DUE:20261201T090000Z", "STATUS:COMPLETED",
            "COMPLETED:20261201T083000Z",
            "END:VTODO", "END:VCALENDAR",
        ]
        try tasks.edit("walk.ics") { $0.replacing("END:VCALENDAR", with: done.joined(separator: "\r\n")) }
        try machine.synchronize()
        #expect(try due(machine) == "2026-12-02T09:00:00Z")
        #expect(try machine.item("walk")["completed"] as? Bool != true)
        #expect(try machine.list()["problem"] == nil)
        // The task on the server is not damaged by the next change.
        try machine.run("edit \(machine.id("walk")) --notes more")
        try machine.synchronize()
        let text = try tasks.text("walk.ics")
        #expect(
            text.contains("RECURRENCE-ID:20261201T080000Z") && text.contains("DESCRIPTION:more"), "\(text)")
    }

    /// A rule that todod cannot express is kept, and named in the status.
    @Test(arguments: kinds)
    func ruleThatCannotBeExpressedIsKeptWithARemark(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add(
            "odd", "DTSTART:20261201T080000Z", "DUE:20261201T090000Z",
            "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYHOUR=9,11")
        let machine = try SyncedMachine(tasks)
        #expect(try machine.statusText().contains("notes on its tasks"))
        #expect(try tasks.text("odd.ics").contains("BYWEEKNO=20"))
        if try machine.names().contains("odd") {
            try machine.run("edit \(machine.id("odd")) --notes more")
            try machine.synchronize()
        }
        #expect(try tasks.text("odd.ics").contains("BYWEEKNO=20"))
    }
}
