import CivilTime
import Foundation
import Testing
import TodoAPI
import Varlink

/// The history of completions, from the command line and over the socket.
@Suite struct HistoryTests {
    /// Thursday, 26 November 2026, 15:00 in Berlin.
    private static let noon = Timestamp(secondsSince1970: 1_795_701_600)
    private static let day = 86_400.0

    /// The programs in Berlin, at a time that the test sets.
    private final class Place {
        let sandbox: Sandbox
        private var daemon: RunningDaemon?
        private(set) var clock = HistoryTests.noon
        private var zone = "Europe/Berlin"

        init(_ kind: String = "sqlite") throws {
            sandbox = try Sandbox()
            try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
            try start()
        }

        private func start() throws {
            daemon = try sandbox.startDaemon(environment: environment)
        }

        private var environment: [String: String] { Sandbox.clock(at: clock).merging(["TZ": zone]) { $1 } }

        /// Restarts the daemon at another time.
        func pass(_ seconds: Double = 0, zone: String? = nil) throws {
            #expect(daemon?.stop() == 0)
            clock = clock + seconds
            self.zone = zone ?? self.zone
            try start()
        }

        func shell(_ line: String, _ extra: [String: String] = [:]) throws -> Sandbox.Result {
            let own = environment.merging(["PATH": "\(Sandbox.products):/usr/bin:/bin"]) { $1 }
            return try sandbox.run(
                "/bin/sh", ["-c", "todoctl \(line)"], environment: own.merging(extra) { $1 })
        }

        func run(_ line: String) throws -> String {
            let result = try shell(line)
            #expect(result.status == 0, "\(line): \(result)")
            return result.output
        }

        func refusal(_ line: String) throws -> String {
            let result = try shell(line)
            #expect(result.status == 1 || result.status == 2, "\(line): \(result)")
            return result.errors
        }

        /// The entries, the newest first.
        func history(_ options: String = "") throws -> [String] {
            try run("history \(options) --format '{id} {due}{skipped}'").split(separator: "\n").map(
                String.init)
        }
    }

    // MARK: - Commands

    @Test(arguments: ["sqlite", "xml", "binary"]) func completionsAreListedNewestFirst(kind: String) throws {
        let place = try Place(kind)
        #expect(
            try place.run("history")
                == "Nothing was done yet. When an item is done, type its number:  todoctl done ID\n")
        _ = try place.run("add Take the pill --every 'day 20:00' --category Health --new-category")
        _ = try place.run("add Pay the rent --due 'today 18:00'")
        _ = try place.run("done 2")
        try place.pass(6 * 3_600)
        _ = try place.run("done 1")
        try place.pass(Self.day)
        _ = try place.run("skip 1")
        #expect(
            try place.run("history") == """
                ID  DONE                      DUE              CATEGORY  ITEM
                 1  today 21:00      skipped  today 20:00      Health    Take the pill
                 1  yesterday 21:00           yesterday 20:00  Health    Take the pill
                 2  yesterday 15:00           yesterday 18:00            Pay the rent

                """)
        #expect(try place.run("show 1").contains("\nLast done:     yesterday 21:00 (due yesterday 20:00)\n"))
        #expect(try !place.run("show 2").contains("Last done"))
        #expect(try place.run("history 1 -n 1 --format '{at:local} {skipped}'") == "2026-11-27 21:00 true\n")
        #expect(
            try place.run("history --counts") == """
                ID  DONE  SKIPPED  STREAK  LONGEST  ITEM
                 1     1        1       1        1  Take the pill

                """)
        let json = try place.run("history 2 --json")
        #expect(
            json.contains(#""at":"2026-11-26T15:00:0"#)
                && json.contains(#""due":"2026-11-26T18:00:00+01:00""#))
    }

    /// On a narrow terminal the category and then the due time are omitted.
    @Test func tableFitsTerminal() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        _ = try sandbox.todoctl(
            "add", "Water all of the plants", "--every", "day 9:00", "-c", "Home", "--new-category")
        for verb in ["done", "skip"] { #expect(try sandbox.todoctl(verb, "1").status == 0) }
        for (columns, heading) in [
            (80, "ID  DONE                  DUE              CATEGORY  ITEM"),
            (40, "ID  DONE               ITEM"),
        ] {
            for options in ["", "--counts"] {
                let shown = try sandbox.terminal("stty cols \(columns); todoctl history \(options)").output
                let lines = shown.split(separator: "\r\n")
                #expect(
                    lines.count == (options == "" ? 3 : 2) && lines.allSatisfy { $0.count <= columns },
                    "\(shown)")
                let words = lines.first?.split(separator: " ")
                #expect(options != "" || words == heading.split(separator: " "), "\(shown)")
            }
        }
    }

    @Test func historyIsFiltered() throws {
        let place = try Place()
        _ = try place.run("add a --every day --category Home --new-category")
        _ = try place.run("add b")
        for _ in 1...4 {
            _ = try place.run("done 1")
            try place.pass(Self.day)
        }
        _ = try place.run("done 2")
        // Monday, 30 November.
        let all = ["2 ", "1 2026-11-29", "1 2026-11-28", "1 2026-11-27", "1 2026-11-26"]
        #expect(try place.history() == all)
        #expect(try place.history("--since saturday") == Array(all[...2]))
        #expect(try place.history("--until friday") == Array(all[3...]))
        #expect(try place.history("--since friday --until friday") == [all[3]])
        #expect(try place.history("--since 47h") == Array(all[...1]))
        #expect(try place.history("--until 2026-11-27T15:00:00+01:00") == [all[4]])
        #expect(try place.history("--category home -n 2") == Array(all[1...2]))
        #expect(try place.history("--where 'name == \"b\"' --all") == ["2 "])
        #expect(try place.history("1-2 -n 2") == Array(all[...1]))
        #expect(
            try place.run("history 2 --until friday")
                == "Nothing that was done matches 2 --until friday. To see everything:  todoctl history\n")
        #expect(try place.run("history 2 --counts").hasPrefix("No repeating item matches 2."))
        #expect(
            try place.run("history --counts --since saturday").hasSuffix(
                "\n 1     2        0       4        2  a\n"))
    }

    @Test(arguments: [
        ("history 9", "there is no item 9"),
        ("history pill", "To find it:  todoctl list pill"),
        ("history --since soon", "soon"),
        ("history --since today --until yesterday", "until"),
        ("history --category Hoem", "Hoem"),
        ("history --counts -n 3", "--counts and --limit cannot be combined"),
        ("history -n 0", "--limit takes a number of at least 1"),
        ("history --counts --format '{id}'", "--counts and --format cannot be combined"),
        ("history --format '{leads}'", "an entry of the history has no field 'leads'"),
        ("history --json --format '{id}'", "--json and --format cannot be combined"),
    ])
    func wrongValueIsNamed(line: String, message: String) throws {
        let place = try Place()
        let text = try place.refusal(line)
        #expect(text.lowercased().contains(message.lowercased()), "\(text)")
    }

    @Test(arguments: [
        (#"{"ids":[]}"#, "ids"), (#"{"limit":-1}"#, "limit"),
        (#"{"since":"2026-11-27","until":"2026-11-26"}"#, "until"),
        (#"{"timeZone":"Mars"}"#, "timeZone"), (#"{"since":"x"}"#, "since"), (#"{"until":"x"}"#, "until"),
    ])
    func errorNamesField(parameters: String, field: String) throws {
        let place = try Place()
        try place.pass(30 * Self.day)
        let reply = try place.sandbox.call("ListHistory", parameters)
        #expect(reply.error != nil && reply.text("field") == field, "\(reply)")
    }

    // MARK: - Items

    @Test(arguments: ["sqlite", "xml", "binary"]) func undoTakesCompletionBack(kind: String) throws {
        let place = try Place(kind)
        _ = try place.run("add a --every 'day 2 times'")
        let both = ["1 2026-11-27", "1 2026-11-26"]
        for (line, entries) in [
            ("done 1", ["1 2026-11-26"]), ("undo", []), ("redo", ["1 2026-11-26"]), ("undo", []),
            ("skip 1", ["1 2026-11-26true"]), ("undo", []), ("done 1", ["1 2026-11-26"]), ("done 1", both),
        ] {
            _ = try place.run(line)
            #expect(try place.history() == entries, "\(line)")
        }
        _ = try place.run("reopen 1")
        #expect(try place.history() == ["1 2026-11-26"])
        try place.pass()
        _ = try place.run("undo")
        #expect(try place.history() == both)
        _ = try place.run("undo 2")
        #expect(try place.history() == [])
        try place.pass()
        _ = try place.run("redo 2")
        #expect(try place.history() == both)
        _ = try place.run("delete 1")
        #expect(try place.history() == [])
        _ = try place.run("undo")
        #expect(try place.history() == both)
    }

    @Test func floatingTimeStaysInOtherZone() throws {
        let place = try Place()
        _ = try place.run("add a --every 'day 20:00' --floating")
        _ = try place.run("done 1")
        try place.pass(Self.day, zone: "Asia/Tokyo")
        _ = try place.run("done 1")
        #expect(try place.history() == ["1 2026-11-27T20:00:00", "1 2026-11-26T20:00:00"])
        #expect(try place.run("history --counts").hasSuffix(" 1     2        0       2        2  a\n"))
    }

    // MARK: - Files

    @Test(arguments: ["sqlite", "xml", "binary"], ["json", "coredata"])
    func exportIsReadBack(kind: String, format: String) throws {
        let place = try Place(kind)
        _ = try place.run("add a --every day")
        _ = try place.run("add b --every '3 hours'")
        for line in ["done 1", "skip 1", "done 2"] {
            _ = try place.run(line)
            try place.pass(Self.day)
        }
        _ = try place.run("add c")
        _ = try place.run("export --format \(format) > ~/items")
        #expect(try place.run("import ~/items") == "3 unchanged\n")
        let other = try Place(kind)
        _ = try other.run("import \(place.sandbox.directory)/items")
        #expect(try other.history() == place.history())
        #expect(try other.history().count == 3)
        #expect(try other.run("import \(place.sandbox.directory)/items") == "3 unchanged\n")
        // The file of a later state replaces the completions.
        _ = try place.run("undo 2")
        _ = try place.run("edit 2 --priority 1")
        _ = try place.run("export --format \(format) > ~/items")
        _ = try other.run("import \(place.sandbox.directory)/items")
        #expect(try other.history() == place.history())
        #expect(try other.run("undo").hasPrefix("Undone: imported"))
        #expect(try other.history().count == 3)
    }

    /// iCalendar and other versions do not have the history, so an import keeps it.
    @Test func fileWithoutHistoryKeepsIt() throws {
        let place = try Place()
        _ = try place.run("add a --every 'day 2 times'")
        _ = try place.run("done 1")
        _ = try place.run("export --format icalendar > ~/items")
        #expect(try place.run("import ~/items") == "1 unchanged\n")
        #expect(
            try place.shell("export --format icalendar | sed s/SUMMARY:a/SUMMARY:b/ > ~/items").status == 0)
        #expect(try place.run("import ~/items") == "1 updated\n")
        #expect(try place.history() == ["1 2026-11-26"])
        // Another program completes the last occurrence.
        _ = try place.shell(
            "export --format icalendar | sed s/STATUS:NEEDS-ACTION/STATUS:COMPLETED/ > ~/items")
        _ = try place.run("import ~/items")
        #expect(try place.history() == ["1 2026-11-27", "1 2026-11-26"])
        _ = try place.run("done 1")
        #expect(try place.history().count == 2)
    }

    @Test func invalidCompletionOfFileIsNamed() throws {
        let place = try Place()
        for (entry, field) in [
            (#"{"due":"2026-11-27"}"#, "items[0].history[0].at"),
            (#"{"at":"2026-11-27T09:00:00Z","due":"soon"}"#, "items[0].history[0].due"),
            (#"{"at":"2026-11-27T09:00:00Z","skipped":1}"#, "items[0].history[0].skipped"),
        ] {
            let item = #"{"uid":"a","name":"a","history":[\#(entry)]}"#
            let text = JSON.string(#"{"todod":1,"categories":[],"items":[\#(item)]}"#).text
            let reply = try place.sandbox.call("Import", #"{"text":\#(text)}"#)
            #expect(reply.text("parameter") == field, "\(reply)")
        }
    }

    /// A store of version 4 has no completions. Its items get them after the migration.
    @Test(arguments: ["sqlite", "xml", "binary"]) func migratedStoreRecordsCompletions(kind: String) throws {
        let sandbox = try Sandbox(now: "2026-11-18T10:20:00Z", zone: "UTC")
        let store = URL(filePath: "\(sandbox.directory)/data/todod/todo.\(kind)")
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: fixtures.appending(path: "Fixtures/reminders-4.\(kind)"), to: store)
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        let repeating = try sandbox.todoctl("list", "--where", "recurrence != nil", "--format", "{id}").output
        let id = try #require(repeating.split(separator: "\n").first.map(String.init))
        let before = try sandbox.todoctl("history", id, "--format", "{id}").output
        #expect(before == "")
        #expect(try sandbox.todoctl("done", id).status == 0)
        #expect(try sandbox.todoctl("history", id, "--format", "{id}").output == "\(id)\n")
        #expect(try sandbox.todoctl("undo").status == 0)
        #expect(try sandbox.todoctl("history", id, "--format", "{id}").output == "")
    }

    // MARK: - The socket

    @Test func longHistoryComesInSeveralReplies() throws {
        let place = try Place()
        let count = 2 * ListHistory.entriesPerReply + 1
        let entries = (0..<count).map { #"{"at":\#(1_700_000_000 + $0 * 60)}"# }.joined(separator: ",")
        let items =
            #"{"uid":"a","name":"a","recurrence":"FREQ=DAILY","due":"2026-11-27","history":[\#(entries)]}"#
        try place.sandbox.write(#"{"todod":1,"categories":[],"items":[\#(items)]}"#, to: "items.json")
        _ = try place.run("import ~/items.json")
        let replies = try place.sandbox.replies("ListHistory", #"{"counts":true}"#)
        let sizes = replies.map { reply in
            if case .array(let entries)? = reply.parameters["entries"] { entries.count } else { -1 }
        }
        #expect(sizes.count == 3 && sizes.reduce(0, +) == count && sizes.max() == ListHistory.entriesPerReply)
        #expect(replies.map { $0.parameters["counts"] == nil } == [true, true, false])
        #expect(try place.sandbox.call("ListHistory").error == nil)
    }

    @Test func idsOfHistoryBeyondTheLimitAreRefused() throws {
        let place = try Place()
        _ = try place.run("add a")
        let ids = Array(repeating: "1", count: ListHistory.idsLimit).joined(separator: ",")
        #expect(try place.sandbox.call("ListHistory", #"{"ids":[\#(ids)]}"#).error == nil)
        let reply = try place.sandbox.call("ListHistory", #"{"ids":[\#(ids),1]}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "ids")
    }

    @Test func completionIsChangeOfItsItem() throws {
        let place = try Place()
        _ = try place.run("add a --every day")
        let watcher = try place.sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        _ = try place.run("done 1")
        let reply = try watcher.nextReply()
        #expect(reply.text("event") == "changed" && reply.parameters["ids"] == .array([.integer(1)]))
        _ = try place.run("add b")
        #expect(try watcher.nextReply().text("event") == "added")
    }
}
