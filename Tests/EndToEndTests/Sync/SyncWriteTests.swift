import Foundation
import TestServers
import Testing

/// Promises 1 and 4 of docs/sync.md: every write is conditional, and a program that is killed at any request neither loses
/// nor doubles anything.
@Suite(.waiting) struct SyncWriteTests {
    @Test(arguments: ServerKind.allCases)
    func everyWriteIsConditional(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("there", "PRIORITY:5")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try machine.addItem("here")
        try machine.addItem("short-lived")
        try machine.synchronize()
        try machine.run("edit \(machine.id("there")) --priority 1")
        try machine.run("edit \(machine.id("here")) --notes more")
        try machine.synchronize()
        try machine.run("delete \(machine.id("short-lived"))")
        try machine.synchronize()

        let writes = try proxy.requests().filter { $0.method == "PUT" || $0.method == "DELETE" }
        #expect(writes.count { $0.method == "PUT" } == 4 && writes.count { $0.method == "DELETE" } == 1)
        for write in writes {
            let isNew = write.headers["if-none-match"] == "*"
            let version = write.headers["if-match"] ?? ""
            #expect(isNew != (version.hasPrefix("\"") && version.hasSuffix("\"")), "\(write)")
            #expect(write.method == "PUT" || !isNew)
        }
        #expect(
            try proxy.requests().allSatisfy { !["MOVE", "COPY", "POST", "PROPPATCH"].contains($0.method) })
        try machine.expectAgreement()
    }

    /// The server has a newer version than the machine has read.
    @Test(arguments: ServerKind.allCases)
    func newerVersionOfTheServerIsMergedBeforeTheNextWrite(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("task")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        // The machine follows its own change without reading the list before.
        try tasks.edit("task.ics") { $0.replacing("SUMMARY:task", with: "SUMMARY:task\r\nPRIORITY:2") }
        try proxy.clear()
        try machine.run("edit \(machine.id("task")) --notes more")
        try machine.synchronize()
        let text = try tasks.text("task.ics")
        #expect(text.contains("PRIORITY:2\r\n") && text.contains("DESCRIPTION:more\r\n"))
        #expect(try machine.item("task")["priority"] == 2 as NSNumber)
        #expect(try machine.run("sync conflicts") == "There are no conflicts.\n")
    }

    // MARK: - Crashes

    /// The moment at which both programs are killed.
    enum Moment: String, CaseIterable {
        case beforeTheServerHasTheRequest
        case afterTheServerHasAnswered
    }

    /// Makes changes of every kind on both sides, and kills both programs at the n-th request of the synchronization, for
    /// each n. After a restart, both sides have all changes, each once.
    @Test(arguments: [ServerKind.radicale, .xandikos], Moment.allCases)
    func killAtAnyRequestLosesAndDoublesNothing(kind: ServerKind, moment: Moment) throws {
        let tasks = try RemoteTasks(kind)
        for name in ["gone-here", "gone-there", "edited-here", "edited-there", "edited-both"] {
            try tasks.add(name)
        }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        var expected = Set(["edited-here", "edited-there", "edited-both"])
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            try #require(number < 60, "the synchronization does not end")
            // The programs are stopped, so that all changes are part of one synchronization.
            machine.sync.kill()
            let (new, there) = ("new-here-\(number)", "new-there-\(number)")
            expected.formUnion([new, there])
            try machine.addItem(new)
            try tasks.add(there)
            try machine.run("edit \(machine.id("edited-here")) --notes 'here \(number)'")
            try tasks.edit("edited-there.ics") { Self.setting("LOCATION", to: "there \(number)", in: $0) }
            try machine.run("edit \(machine.id("edited-both")) --notes 'here \(number)'")
            try tasks.edit("edited-both.ics") { Self.setting("LOCATION", to: "there \(number)", in: $0) }
            if number == 1 {
                try machine.run("delete \(machine.id("gone-here"))")
                try tasks.delete("gone-there.ics")
            } else {
                try machine.run("delete \(machine.id("new-here-\(number - 1)"))")
                try tasks.delete("new-there-\(number - 1).ics")
                expected.subtract(["new-here-\(number - 1)", "new-there-\(number - 1)"])
            }

            try machine.restart()
            var fault = Fault(moment == .beforeTheServerHasTheRequest ? .cutBefore : .cutAfter)
            fault.skip = number - 1
            fault.kills = machine.processes
            try proxy.clear()
            try proxy.add(fault)
            // todod-sync synchronizes at its start, and again for this call, which ends early if it is killed.
            _ = try machine.sandbox.shell("todoctl sync now")
            isDone = try !proxy.requests().contains { $0.fault != "none" }
            try proxy.clear()
            try machine.restart()
            try machine.synchronize()

            try machine.expectAgreement("request \(number)")
            #expect(try Set(machine.names()) == expected)
            #expect(try machine.names().count == expected.count)
            for (name, lines) in [
                ("edited-here", ["DESCRIPTION:here \(number)"]),
                ("edited-there", ["LOCATION:there \(number)"]),
                ("edited-both", ["DESCRIPTION:here \(number)", "LOCATION:there \(number)"]),
            ] {
                let text = try tasks.text("\(name).ics")
                for line in lines { #expect(text.contains("\r\n\(line)\r\n"), "request \(number): \(text)") }
            }
            #expect(try machine.item("edited-both")["notes"] == "here \(number)" as NSString)
            #expect(try machine.list()["conflicts"] == 0 as NSNumber, "request \(number)")
        }
        #expect(number > 10)
    }

    private static func setting(_ name: String, to value: String, in text: String) -> String {
        let lines = text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("\(name):") }.map {
            $0 == "END:VTODO" ? "\(name):\(value)\r\n\($0)" : $0
        }
        return lines.joined(separator: "\r\n")
    }

    /// The answer to each upload of a first synchronization is lost, one after the other.
    @Test(arguments: ServerKind.allCases)
    func lostAnswerToAnUploadMakesNoTwin(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        machine.sync.kill()
        for name in ["a", "b", "c"] { try machine.addItem(name) }
        try proxy.add(Fault(.cutAfter, method: "PUT", times: 3))
        try machine.restart()
        _ = try machine.sandbox.shell("todoctl sync now")
        _ = try machine.sandbox.shell("todoctl sync now")
        try machine.synchronize()
        #expect(try tasks.names() == ["a", "b", "c"])
        #expect(try tasks.files().count == 3)
        try machine.expectAgreement()
        #expect(try machine.run("sync conflicts") == "There are no conflicts.\n")
    }
}
