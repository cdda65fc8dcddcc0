import Foundation
import Testing

/// A daemon that reads a damaged page of its store while it runs.
@Suite struct DamageTests {
    /// Returns a store of a hundred items. Its first pages are sound, and its end, or one page with items, is damaged.
    private func sandboxWithADamagedStore(isOnePage: Bool = false) throws -> (
        Sandbox, sound: Data, damaged: Data
    ) {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<100 {
            #expect(try sandbox.todoctl("add", "item \(number)", "--notes", text).status == 0)
        }
        #expect(daemon.stop() == 0)
        let sound = try Data(contentsOf: URL(filePath: sandbox.store))
        var damaged = sound
        // In its last third, the file contains mostly rows, and nearly all of their text is notes.
        var places = Array(stride(from: sound.count * 2 / 3 / 4096 * 4096, to: sound.count, by: 4096))
        if isOnePage {
            let last = "SELECT max(pageno) FROM dbstat WHERE name = 'ToDo' AND pagetype = 'leaf'"
            let number = try sandbox.shell("sqlite3 \(sandbox.store) \"\(last)\"").output
            places = [(try #require(Int(number.dropLast())) - 1) * 4096]
        }
        for page in places {
            damaged.replaceSubrange(page..<page + 64, with: Data(repeating: 0xA5, count: 64))
        }
        try damaged.write(to: URL(filePath: sandbox.store))
        return (sandbox, sound, damaged)
    }

    @Test func documentedCommandsSaveReadableItems() throws {
        let (sandbox, _, _) = try sandboxWithADamagedStore(isOnePage: true)
        let page = try String(contentsOfFile: "docs/store-formats.md", encoding: .utf8)
        // The page also has a command for a damaged log.
        let commands = page.split(separator: "\n").filter {
            $0.hasPrefix("sqlite3 ") && !$0.contains("wal_checkpoint")
        }
        #expect(commands.count == 2)
        let directory = "\(sandbox.directory)/data/todod"
        for command in commands {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "cd \(directory) && \(command)"]
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0)
        }
        let saved = "\(directory)/saved.sqlite"
        #expect(try sandbox.run("todod", ["--check", "--store", saved]).output.contains("sound"))
        _ = try sandbox.startDaemon("--store", saved)
        let list = try sandbox.todoctl("list", "--json").output
        #expect((90..<100).contains(list.components(separatedBy: "\"id\":").count - 1))
    }

    @Test(arguments: ["name", "uid", "priority", "doNotAlert"])
    func checkReportsMissingValue(column: String) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
        let update = "update ToDo set \(column)=NULL"
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) '\(update)'").status == 0)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 65)
        #expect(
            (check.output + check.errors).contains("ToDo 1: \(column) has no value, and must have one"),
            "\(check)")
    }

    /// An item without a value that every item has is shown with a default, and hides no other item.
    @Test(arguments: ["name", "uid", "priority", "doNotAlert", "completed"])
    func missingValueHidesNoItem(column: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 9 days").status == 0)
        #expect(try sandbox.todoctl("add", "Milk").status == 0)
        let update = "update ToDo set \(column)=NULL where id=1"
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) '\(update)'").status == 0)
        for format in [[], ["--json"]] {
            let list = try sandbox.run("todoctl", ["list", "--all"] + format)
            #expect(list.status == 0 && list.output.contains("Milk"), "\(list)")
            #expect(list.output.contains(column == "name" ? "(no name)" : "Tea"), "\(list)")
        }
        let status = try sandbox.todoctl("status")
        let field = column == "doNotAlert" ? "muted" : column
        #expect(status.output.contains("item 1 has no value for \(field)"), "\(status)")
        #expect(try sandbox.todoctl("show", "1").status == 0)
        #expect(try sandbox.todoctl("export").status == 0)
        #expect(try sandbox.todoctl("done", "2").status == 0)
    }

    /// A value that another program wrote, a command that uses it, and the words of the error and of the check.
    struct WrongValue: Sendable, CustomTestStringConvertible {
        let sql: String
        let command: [String]
        let error: String
        let finding: String
        var testDescription: String { sql }

        static let largest = "9223372036854775807"
        static let all = [
            WrongValue(
                sql: "update ToDo set priority=99999999", command: ["done", "1"],
                error: "priority has a value that the model does not allow",
                finding: "ToDo 1: priority is not allowed: the integer value does not fit integer16"),
            WrongValue(
                sql: "update ToDo set occurrencesDone=\(largest)", command: ["done", "1"],
                error: "occurrencesDone has a value that the model does not allow",
                finding: "ToDo 1: occurrencesDone is not allowed: the integer value does not fit integer32"),
            WrongValue(
                sql: "update _largestIDs set id=\(largest)", command: ["add", "Milk"],
                error: "the largest ID of ToDo is in use or recorded",
                finding: "ToDo: the largest ID is in use or recorded"),
            WrongValue(
                sql: "update ToDo set id=\(largest)", command: ["add", "Milk"],
                error: "the largest ID of ToDo is in use or recorded",
                finding: "ToDo: the largest ID is in use or recorded"),
            WrongValue(
                sql: "update Change set sequence=\(largest)", command: ["add", "Milk"],
                error: "a change has the sequence number \(largest), which is out of range",
                finding: "Change 1: sequence is not allowed: more than the upper bound"),
            WrongValue(
                sql: "update Change set sequence=-\(largest)", command: ["add", "Milk"],
                error: "a change has the sequence number -\(largest), which is out of range",
                finding: "Change 1: sequence is not allowed: less than the lower bound"),
        ]
    }

    @Test(arguments: WrongValue.all) func valueOutOfRangeIsAnErrorInTheReply(value: WrongValue) throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) '\(value.sql)'").status == 0)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 65 && check.output.contains(value.finding), "\(check)")
        daemon = try sandbox.startDaemon()
        let result = try sandbox.run("todoctl", value.command)
        #expect(result.status == 1 && result.errors.contains(value.error), "\(result)")
        #expect(result.errors.contains("restore a backup"), "\(result)")
        #expect(try sandbox.todoctl("status").status == 0)
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: [
        ("priority=12", "priority is not allowed: more than the upper bound"),
        ("occurrencesDone=-1", "occurrencesDone is not allowed: less than the lower bound"),
        ("name=\"\"", "name is not allowed: 0 is less than 1"),
        ("completed=7", "completed does not fit boolean"),
    ])
    func checkReportsValueThatBreaksARule(assignment: String, finding: String) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
        let update = "update ToDo set \(assignment)".replacing("\"", with: "'")
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) \"\(update)\"").status == 0)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 65 && check.output.contains("ToDo 1: \(finding)"), "\(check)")
    }

    enum Obstacle: CaseIterable { case logWithoutStore, linkToItself, directoryAsIndex }

    @Test(arguments: Obstacle.allCases) func checkRefusesStoreThatCannotBeOpened(obstacle: Obstacle) throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.startDaemon().stop() == 0)
        let files = FileManager.default
        switch obstacle {
        case .logWithoutStore:
            try files.removeItem(atPath: sandbox.store)
            try Data("log".utf8).write(to: URL(filePath: "\(sandbox.store)-wal"))
        case .linkToItself:
            try files.removeItem(atPath: sandbox.store)
            try files.createSymbolicLink(atPath: sandbox.store, withDestinationPath: sandbox.store)
        case .directoryAsIndex:
            try files.createDirectory(atPath: "\(sandbox.store)-shm", withIntermediateDirectories: false)
        }
        let check = try sandbox.run("todod", ["--check"])
        let start = try sandbox.run("todod", [])
        #expect(check.status == 1 && start.status == 1, "\(check) \(start)")
        #expect(check.errors == start.errors, "\(check) \(start)")
    }

    @Test(arguments: [["list"], ["show", "90"], ["done", "90"], ["list", "--where", "notes CONTAINS 'y'"]])
    func daemonReportsDamageAndStops(_ command: [String]) throws {
        let (sandbox, sound, damaged) = try sandboxWithADamagedStore()
        let daemon = try sandbox.startDaemon()
        let result = try sandbox.run("todoctl", command)
        #expect(result.status == 1)
        #expect(result.errors.contains("the database is damaged; stop, keep a copy, and restore a backup"))
        #expect(daemon.waitForEnd() == 65)
        #expect(daemon.errors.contains("todod ends without further changes"), "\(daemon.errors)")
        #expect(try Data(contentsOf: URL(filePath: sandbox.store)) == damaged)

        try sound.write(to: URL(filePath: sandbox.store))
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("show", "90").output.contains("item 89"))
    }
}
