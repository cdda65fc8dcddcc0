import Dispatch
import Foundation
import Synchronization
import Testing
import TodoAPI
import Varlink
import VarlinkServer

/// The output of todoctl, and the errors when it cannot be written.
@Suite struct OutputTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        return sandbox
    }

    @Test(arguments: [
        "list", "list --json", "list -F '{id}'", "show 1", "export", "status", "call Status", "quiet",

        "watch", "--version", "--help", "completion bash",
    ])
    func unwritableOutputIsAnError(line: String) throws {
        let sandbox = try filled()
        let result = try sandbox.shell("todoctl \(line) > /dev/full")
        #expect(result.status == 1)
        let text = "cannot write the answer: No space left on device"
        #expect(
            result.errors
                == (line.contains("--json")
                    ? #"{"error":"Failed","message":"\#(text)","parameters":{}}"# : "todoctl: \(text)") + "\n"
        )
    }

    /// The error names the change that was made, and the command that reverts it.
    @Test(arguments: [
        ("add c", "item 3 was added"),
        ("--json add c", "item 3 was added"),
        ("add c -c Garden --new-category", "item 3 was added"),
        ("done 1", "item 1 was completed"), ("edit 1 2 -p 1", "items 1, 2 were changed"),
        ("delete 2", "item 2 was deleted"), ("mute 1", "item 1 was changed"),
        ("snooze 1 1h", "item 1 was changed"), ("category add Garden", "the category 'Garden' was added"),
        ("category rename Home House", "the category 'House' was changed"),
        ("category delete Home", "the category 'Home' was deleted"),
        (#"call AddItem '{"name":"c"}'"#, "item 3 was added"),
    ])
    func unwritableOutputNamesTheChange(line: String, change: String) throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let result = try sandbox.shell("todoctl \(line) > /dev/full")
        #expect(result.status == 1)
        let text = "\(change), but the answer cannot be written: No space left on device"
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.errors.contains("To undo it:  todoctl undo"), "\(result.errors)")
        #expect(
            try sandbox.shell("todoctl undo > /dev/full").errors.contains("undone, but the answer cannot"))
        #expect(try sandbox.todoctl("list", "-F", "{name}").output == "a\nb\n")
    }

    /// A command that changed nothing does not report a change.
    @Test(arguments: ["category unmute Home", "unmute 1", "import items.json"])
    func unwritableOutputNamesNoChangeIfNoneWasMade(line: String) throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        #expect(try sandbox.shell("todoctl export > items.json").status == 0)
        let result = try sandbox.shell("todoctl \(line) > /dev/full")
        #expect(result.status == 1)
        #expect(result.errors == "todoctl: cannot write the answer: No space left on device\n")
    }

    /// Otherwise the socket would get the number of the closed stream, and text for the user would go to the daemon.
    @Test func socketDoesNotReplaceClosedStream() throws {
        let sandbox = try filled()
        let closed = try sandbox.shell("todoctl list >&-")
        #expect(closed.status == 1)
        #expect(closed.errors == "todoctl: cannot write the answer: Bad file descriptor\n")
        #expect(try sandbox.shell("todoctl list <&- 2>&-").output.contains("ITEM"))
        #expect(try sandbox.shell("todoctl add c <&- >&- 2>&-").status == 1)
        #expect(try sandbox.todoctl("list", "-F", "{name}").output == "a\nb\nc\n")
    }

    /// Otherwise a file of the daemon would get the number of standard error, and messages would be written to the
    /// lock or the store.
    @Test func daemonFileDoesNotReplaceClosedStream() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon(streams: "<&- >&- 2>&-")
        for descriptor in 0...2 {
            let file = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(daemon.processID)/fd/\(descriptor)")
            #expect(file == "/dev/null", "descriptor \(descriptor)")
        }
        #expect(daemon.stop() == 0)
    }

    @Test func closedPipeIsNotAnError() throws {
        let sandbox = try filled()
        #expect(try sandbox.shell("yes x | head -50000 | todoctl import - 2>&1 | true").errors.isEmpty)
        let result = try sandbox.shell("todoctl list | head -1")
        #expect(result.status == 0 && result.errors.isEmpty && result.output.contains("ITEM"))
    }

    // MARK: - Requested fields

    /// The daemon is a server that records the fields of the first request. Others are for hints.
    @Test(arguments: [
        (
            "list",
            [
                "due", "recurrence", "category", "categoryMuted", "tags", "percent", "children",
                "childrenDone",
                "blocked",
            ]
        ),
        ("list --count", []),
        ("list -F '{notes} {due:local}'", ["notes", "due"]), ("due -F '{leads}'", ["leads"]),
    ])
    func listRequestsShownFieldsOnly(line: String, wanted: [String]) throws {
        let sandbox = try Sandbox()
        let queue = DispatchQueue(label: "daemon")
        let listener = try UnixListener(at: try #require(UnixAddress(path: sandbox.socket)))
        let asked = Mutex<JSON?>(nil)
        let server = Server(listener: listener, queue: queue, brokenMessageError: "broken") { responder in
            if responder.call.method != TakeWarnings.qualifiedName {
                asked.withLock { $0 = $0 ?? responder.call.parameters["fields"] }
            }
            responder.reply { FieldWriter.write(ItemList(), to: &$0) }
        }
        try queue.sync { try server.start() }
        defer { queue.sync { server.stop() } }
        #expect(try sandbox.shell("todoctl \(line)").status == 0)
        #expect(asked.withLock { $0 } == .array(wanted.map(JSON.string)))
    }

    // MARK: - Empty lists

    @Test func emptyListIsExplained() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let cases: [([String], String)] = [
            ([], "Nothing to do."), (["--all"], "There are no items yet."),
            (["--done"], "Nothing is done yet."),
            (["rent"], "No open item matches rent."),
            (["--category", "home"], "No open item matches --category home."),
            (["--all", "--within", "2h"], "No item matches --within 2h."), (["-F", "{id}"], ""),
        ]
        for (options, text) in cases {
            let result = try sandbox.run("todoctl", ["list"] + options)
            #expect(result.status == 0 && result.output == (text.isEmpty ? "" : text + "\n"), "\(options)")
        }
    }

    // MARK: - JSON

    @Test func unchangedEditPrintsItemAsJSON() throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", ["edit", "1", "--json"], environment: ["EDITOR": "true"])
        #expect(try result.output == sandbox.todoctl("show", "1", "--json").output)
    }
}
