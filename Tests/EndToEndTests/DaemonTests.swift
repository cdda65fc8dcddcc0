import Foundation
import Testing

/// The real daemon and the real client together.
@Suite struct DaemonTests {
    @Test func itemsAreKeptOverARestart() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").output == "Added category Home\n")
        let added = try sandbox.todoctl(
            "add", "Pay", "the", "rent", "--due", "in 3 days", "--category", "home")
        #expect(added.output.hasPrefix("Added 1  Pay the rent  ("))
        #expect(
            try sandbox.todoctl("add", "--", "--due is a word here").output
                == "Added 2  --due is a word here\n")
        #expect(try sandbox.todoctl("done", "2").output == "Done 2  --due is a word here\n")
        #expect(daemon.stop() == 0)

        daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list")
        #expect(
            list.output.contains("Home") && list.output.contains("Pay the rent")
                && !list.output.contains("a word"))
        #expect(try sandbox.todoctl("list", "--done").output.contains("a word here"))
        #expect(try sandbox.todoctl("delete", "1", "2", "--yes").output.hasPrefix("Deleted 1  Pay the rent"))
        #expect(try sandbox.todoctl("list", "--all").output == "There are no items yet.\n")
        #expect(daemon.stop(SIGINT) == 0)
        #expect(!FileManager.default.fileExists(atPath: sandbox.socket))
    }

    @Test func answeredChangesAreKeptAfterKill() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        for number in 1...20 { #expect(try sandbox.todoctl("add", "item", "\(number)").status == 0) }
        daemon.kill()
        // The socket file is still there, but no process listens on it. The next daemon replaces it.
        #expect(FileManager.default.fileExists(atPath: sandbox.socket))
        _ = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list", "--json").output
        #expect(list.components(separatedBy: "\"id\":").count - 1 == 20)
    }

    @Test func filesAreReadableByTheOwnerOnly() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon(environment: ["TODOD_SOCKET": "\(sandbox.directory)/run/s"])
        for (path, mode) in [
            ("data/todod", 0o700), ("data/todod/todo.sqlite", 0o600), ("run", 0o700), ("run/s", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(sandbox.directory)/\(path)")
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test func alertOfItemDueSoonIsSentAndRecorded() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon("--tick-seconds", "1")
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 minutes").status == 0)
        #expect(try sandbox.todoctl("add", "Silent", "--due", "in 3 minutes", "--mute").status == 0)
        #expect(try sandbox.todoctl("add", "Later", "--due", "in 10 minutes").status == 0)
        // Before it stops, the daemon records the alerts that it sent.
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list", "--json").output
        let items = list.components(separatedBy: "{\"id\"").dropFirst()
        #expect(items.filter { $0.contains("lastAlert") }.count == 1)
        #expect(items.first { $0.contains("lastAlert") }?.contains("\"name\":\"Tea\"") == true)
    }
}

@Suite struct RefusalTests {
    @Test func secondDaemonOnStoreNamesTheFirst() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let second = try sandbox.run("todod", ["--socket", "\(sandbox.directory)/other"])
        #expect(second.status == 1)
        #expect(
            second.errors.contains("todod is running") && second.errors.contains("\(daemon.processID)"),
            "\(second.errors)")
        #expect(try sandbox.todoctl("status").status == 0)
    }

    @Test func secondDaemonOnSocketNamesTheFirst() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let second = try sandbox.run("todod", ["--store", "\(sandbox.directory)/other.sqlite"])
        #expect(second.status == 1)
        #expect(
            second.errors.contains("is in use by todod (process \(daemon.processID))"), "\(second.errors)")
        // The daemon has closed the store that it opened first.
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.directory)/other.sqlite-wal"))
        #expect(try sandbox.todoctl("status").status == 0)
    }

    @Test(arguments: ["todo.sqlite", "todo.xml"], [[], ["--check"], ["--migrate"]])
    func refusalOfOtherFileCreatesNoFiles(name: String, arguments: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            "[Store]\nType=\(name.hasSuffix("xml") ? "xml" : "sqlite")\n", to: "config/todod/todod.conf")
        try sandbox.write("A letter to grandmother, which is no store of items.\n", to: "letters/\(name)")
        let file = "\(sandbox.directory)/letters/\(name)"
        let result = try sandbox.run("todod", ["--store", file] + arguments)
        #expect(result.status != 0 && result.errors.contains(file), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/letters") == [name])
    }

    @Test func socketPathThatIsTooLongIsRefused() throws {
        let sandbox = try Sandbox()
        let path = "\(sandbox.directory)/" + String(repeating: "x", count: 100)
        let result = try sandbox.run("todod", ["--socket", path])
        #expect(result.status == 1)
        #expect(result.errors.contains("longer than the 107 bytes"), "\(result.errors)")
        let client = try sandbox.todoctl("status", "--socket", path)
        #expect(client.status == 3)
        #expect(client.errors.contains("longer than the 107 bytes"))
    }

    @Test func fileAtSocketPathIsNotRemoved() throws {
        let sandbox = try Sandbox()
        try sandbox.write("mine", to: "s")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(result.errors.contains("where another file exists"), "\(result.errors)")
        #expect(try String(contentsOfFile: sandbox.socket, encoding: .utf8) == "mine")
    }

    @Test func directoryThatCannotBeCreatedIsNamed() throws {
        let sandbox = try Sandbox()
        let result = try sandbox.run("todod", ["--store", "/proc/nowhere/todo.sqlite"])
        #expect(result.status == 1)
        #expect(result.errors.contains("/proc/nowhere"), "\(result.errors)")
    }

    @Test func reloadAppliesNewLeadTime() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 30 minutes").status == 0)
        try sandbox.write("[Alert]\nLeadTime=1h\n", to: "config/todod/todod.conf")
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list", "--json").output.contains("lastAlert"))
    }
}

@Suite struct ClientTests {
    @Test func clientWithoutDaemonExplainsHowToStartIt() throws {
        let sandbox = try Sandbox()
        let result = try sandbox.todoctl("list", environment: ["XDG_RUNTIME_DIR": sandbox.directory])
        #expect(result.status == 3)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("no daemon answers at \(sandbox.socket)"))
        #expect(result.errors.contains("in another terminal:  todod\n"))
    }

    @Test func clientErrorsSuggestACommand() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let cases: [([String], String)] = [
            (["done", "7"], "there is no item 7; nothing was changed\n"),
            (["edit", "7", "--due", "tomorrow"], "there is no item 7; nothing was changed\n"),
            (["show", "7"], "there is no item 7\n"), (["show", "7", "8"], "there is no item 7\n"),
            (["list", "--category", "Work"], "To see all categories:  todoctl category list"),
            (
                ["category", "delete", "Hom"],
                "did you mean 'Home'?\nTo see all categories:  todoctl category list"
            ),
            (["add", "x", "--priority", "10"], "cannot use the priority: expected 1 (the highest) to 9"),
            (["list", "--sort", "foo"], "cannot use the sort key: an item has no field 'foo'"),
            (["list", "--sort", "dueDate"], "an item has no field 'dueDate'; did you mean 'due'?"),
            (["list", "--sort", "due, prio"], "an item has no field 'prio'; did you mean 'priority'?"),
            (["list", "--sort", "DUE"], "an item has no field 'DUE'; did you mean 'due'?"),
            (["redo"], "nothing was undone since the last change"),
            (["backup", "/proc/nowhere"], "todoctl: no copy was made: /proc/nowhere"),
            (["add", " "], "cannot use the name: it is empty"),
            (["add", "x", "--due", "2026-02-30"], "February 2026 has 28 days, there is no day 30"),
            (["add", "x", "--due", "yesterday 10:00"], "To accept it, add --past."),
            (["add", "x", "--category", "Hom"], "did you mean 'Home'?"),
            (["add", "x", "--category", "My garden"], "todoctl category add 'My garden'"),
            (["category", "add", "HOME"], "the category 'Home' already exists"),
        ]
        for (arguments, text) in cases {
            let result = try sandbox.run("todoctl", arguments)
            #expect(result.status == 1, "\(arguments)")
            #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
        }
        #expect(try sandbox.todoctl("list", "--all").output == "There are no items yet.\n")
    }

    /// Empty values, which are usually unset variables, get an error that lists the valid ones.
    @Test(arguments: [
        (["list", "--sort", ""], "not ''; the keys are id, "),
        (["list", "--sort", "due,,name"], "not 'due,,name'; the keys are id, "),
        (["list", "--sort", "-"], "not '-'; the keys are id, "),
        (["list", "--format", ""], "--format is empty\nExample: '{id}"),
        (["due", "--format", ""], "The fields are id, "),
        (["list", "--group", ""], "--group takes one of category, due, priority, not ''"),
        (
            ["export", "--format", ""],
            "--format takes one of json, icalendar, coredata, todotxt, taskwarrior, not ''"
        ),
    ])
    func emptyValueOfOptionIsRefused(arguments: [String], text: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let result = try sandbox.run("todoctl", arguments)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test(arguments: ["list", "due"]) func templateAndJSONTogetherAreRefused(command: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let result = try sandbox.todoctl(command, "--json", "-F", "{id}")
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains("--json and --format cannot be combined"), "\(result.errors)")
    }

    @Test func wrongUsageExitsWithStatus2() throws {
        let sandbox = try Sandbox()
        for arguments in [
            ["lst"], ["--nope"], ["done"], ["done", "x"], ["list", "--nope"], ["status", "x"], ["add"],
            ["category", "rm"], ["add", "x", "--due", ""], ["add", "x", "--every="], ["add", "x", "-c", ""],
            ["undo", ""], ["backup", ""], ["import", ""], ["--socket", "", "list"],
        ] {
            let result = try sandbox.run("todoctl", arguments)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.output.isEmpty && !result.errors.isEmpty, "\(arguments)")
        }
    }

    @Test func bothProgramsHaveHelpAndVersion() throws {
        let sandbox = try Sandbox()
        for program in ["todod", "todoctl"] {
            #expect(try sandbox.run(program, ["--version"]).output == "\(program) 0.1.0\n")
            let help = try sandbox.run(program, ["--help"])
            #expect(help.status == 0 && help.output.hasPrefix("Usage: \(program)") && help.errors.isEmpty)
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
        #expect(try sandbox.todoctl("list", "--help").output.hasPrefix("Usage: todoctl list"))
        #expect(try sandbox.todoctl("help", "list").output == sandbox.todoctl("list", "-h").output)
    }

    @Test func clientWithoutCommandShowsDueItems() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for (name, due) in [("Late", "2020-01-01"), ("Soon", "in 2 hours"), ("Far", "in 9 days")] {
            #expect(try sandbox.todoctl("add", name, "--due", due, "--past").status == 0)
        }
        let output = try sandbox.todoctl().output
        #expect(output.contains("Late") && output.contains("Soon") && !output.contains("Far"))
        #expect(try sandbox.todoctl("--json").output == sandbox.todoctl("due", "--json").output)
    }

    @Test func textOfItemsIsEscapedOnTerminal() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let name = "red \u{1B}[31m\nline \u{202E}tfel"
        #expect(try sandbox.run("todoctl", ["add", name]).status == 0)
        for arguments in [["list"], ["done", "1"], ["list", "--all", "--json"]] {
            let output = try sandbox.run("todoctl", arguments).output
            #expect(
                !output.contains("\u{1B}") && !output.contains("\u{202E}") || arguments.contains("--json"),
                "\(arguments)")
            #expect(!output.contains("\u{1B}"), "\(arguments)")
        }
    }
}
