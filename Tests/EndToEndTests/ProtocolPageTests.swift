import Foundation
import TestProcesses
import Testing
import Varlink

/// The reference in docs/protocol.md, compared with the interface text and the real daemon.
@Suite struct ProtocolPageTests {
    /// A call for each method, in the order of the page.
    private static let examples: [(method: String, parameters: String, more: Bool)] = [
        ("AddCategory", #"{"name":"Home"}"#, false),
        (
            "AddItem",
            #"{"name":"Pay the rent","due":"2031-05-01 09:00","timeZone":"Europe/Berlin","category":"home","tags":["bank"]}"#,
            false
        ),
        ("GetItem", #"{"id":1}"#, false),
        (
            "ListItems",
            #"{"where":"dueDate > $tomorrow AND name BEGINSWITH[c] %@","arguments":[{"text":"pay"}],"order":["-due"],"fields":["due"]}"#,
            true
        ),
        ("DueItems", #"{"within":"2d"}"#, false),
        ("Export", "{}", false),
        (
            "Import",
            #"{"text":"[{\"uuid\":\"7f3a\",\"description\":\"Tea\",\"status\":\"pending\"}]","format":"taskwarrior","dryRun":true}"#,
            false
        ),
        ("Backup", #"{"path":"/home/ada/items.sqlite"}"#, false),
        ("UpdateItems", #"{"ids":[1],"priority":2,"leads":"1d, 1h","every":"month 2 times"}"#, false),
        ("SnoozeItems", #"{"ids":[1],"until":"2031-04-30 18:00","timeZone":"Europe/Berlin"}"#, false),
        ("MuteItems", #"{"ids":[1],"muted":true}"#, false),
        ("SkipItems", #"{"ids":[1]}"#, false),
        ("CompleteItems", #"{"ids":[1]}"#, false),
        ("ListHistory", #"{"ids":[1],"counts":true}"#, false),
        ("ReopenItems", #"{"ids":[1]}"#, false),
        ("DeleteItems", #"{"ids":[1]}"#, false),
        ("Undo", #"{"count":2}"#, false),
        ("Redo", "{}", false),
        ("ListCategories", "{}", false),
        ("UpdateCategory", #"{"name":"Home","newName":"House","muted":false}"#, false),
        ("DeleteCategory", #"{"name":"House"}"#, false),
        ("ListTags", "{}", false),
        ("UpdateTag", #"{"name":"bank","newName":"money"}"#, false),
        ("DeleteTag", #"{"name":"money"}"#, false),
        (
            "AddView", #"{"name":"soon","query":{"state":"open","dueBefore":"tomorrow","order":["due"]}}"#,
            false
        ),
        ("ListViews", "{}", false),
        ("UpdateView", #"{"name":"soon","newName":"today"}"#, false),
        ("DeleteView", #"{"name":"today"}"#, false),
        (
            "AddSyncAccount",
            #"{"name":"dav.example.org","url":"https://dav.example.org/ann/","user":"ann","passwordSource":"keyring","lists":[{"url":"https://dav.example.org/ann/home/","name":"Home"}]}"#,
            false
        ),
        ("ListSyncAccounts", "{}", false),
        ("UpdateSyncList", #"{"list":1,"problem":"the server cannot be reached"}"#, false),
        (
            "TakeSyncChanges",
            #"{"list":1,"changed":[{"url":"https://dav.example.org/ann/home/1.ics","etag":"\"1\"","text":"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Tea\r\nPRIORITY:3\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"}],"deleted":[],"missing":[],"token":"t1","complete":true}"#,
            false
        ),
        ("ListSyncEntries", #"{"list":1}"#, false),
        ("ListSyncUploads", #"{"list":1}"#, false),
        (
            "RecordSyncUploads",
            #"{"list":1,"results":[{"url":"https://dav.example.org/ann/home/1.ics","state":"","problem":"the server refuses the task"}]}"#,
            false
        ),
        ("ListSyncConflicts", "{}", false),
        ("ResolveSyncConflict", #"{"id":1,"restore":true}"#, false),
        ("DeleteSyncAccount", #"{"name":"dav.example.org"}"#, false),
        ("Evaluate", #"{"dryRun":true}"#, false),
        ("Quiet", #"{"off":true}"#, false),
        ("Watch", "{}", true),
        ("Status", "{}", false),
        ("GetConfig", "{}", false),
        ("CheckConfig", "{}", false),
        ("TakeWarnings", "{}", false),
    ]

    /// The calls before an example that give it something to show, and are not on the page.
    private static let preparations: [String: [(method: String, parameters: String)]] = [
        "ListSyncUploads": [("UpdateItems", #"{"ids":[2],"priority":1}"#)],
        "ListSyncConflicts": [
            (
                "TakeSyncChanges",
                #"{"list":1,"changed":[{"url":"https://dav.example.org/ann/home/1.ics","etag":"\"2\"","text":"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Tea\r\nPRIORITY:5\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"}],"deleted":[],"missing":[]}"#
            )
        ],
    ]

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let page = repository.appending(path: "docs/protocol.md")
    private static let heading = "### "

    @Test func exampleProgramPrintsAlerts() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let program = try #require(page.firstMatch(of: #/```python\n(?<text>(.|\n)*?)```/#)).output.text
        try sandbox.write(String(program), to: "program.py")
        let terminal = try PseudoTerminal(columns: 200)
        let process = try sandbox.start(
            "/usr/bin/python3", ["\(sandbox.directory)/program.py"], on: terminal)
        // Events before the program watches are not sent to it.
        while try sandbox.call("Status", "{}").parameters["watchers"] != .integer(1) {
            try #require(process.isRunning)
        }
        _ = try sandbox.call("AddItem", #"{"name":"Tea","due":"in 3 minutes"}"#)
        try terminal.wait(for: "Tea is due-soon: 20")
        #expect(daemon.stop() == 0)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func pageAgreesWithInterfaceAndDaemon() throws {
        let text = try interfaceText("dev.todod.Todo.varlink")
        let present = try String(contentsOf: Self.page, encoding: .utf8)
        let start = present.range(of: "\n\(Self.heading)")?.lowerBound ?? present.endIndex
        let wanted = present[..<start] + "\n" + (try reference(Paragraphs(text)))
        if ProcessInfo.processInfo.environment["TODOD_WRITE_DOCS"] != nil {
            try kept(present, in: wanted).write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(present.split(separator: "\n").map(shape) == wanted.split(separator: "\n").map(shape))
        }
    }

    private func interfaceText(_ name: String) throws -> String {
        try String(
            contentsOf: Self.repository.appending(path: "Sources/TodoAPI/\(name)"), encoding: .utf8
        )
        .trimmingCharacters(in: .newlines)
    }

    /// Returns the page with its existing examples, except for those that differ in more than times, durations and
    /// identifiers.
    private func kept(_ present: String, in page: String) -> String {
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        let known = Dictionary(lines(present).map { (timeless($0), $0) }) { first, _ in first }
        return lines(page).map { known[timeless($0)] ?? $0 }.joined(separator: "\n")
    }

    /// Returns the line without its times, durations and identifiers.
    private func timeless(_ line: Substring) -> String {
        String(line).replacing(
            #/[0-9-]{10}T[0-9:]{8}\.[0-9]+Z|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#, with: ""
        )
        .replacing(#/"[a-zA-Z]*(Seconds|Microseconds|Bytes|processID|microseconds)":[0-9.]+/#, with: "")
    }

    /// Returns a section for each method, then the types and the errors.
    private func reference(_ paragraphs: Paragraphs) throws -> String {
        #expect(Set(paragraphs.methods.keys) == Set(Self.examples.map(\.method)))
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        var sections: [String] = []
        for example in Self.examples {
            let paragraph = try #require(paragraphs.methods[example.method])
            for call in Self.preparations[example.method] ?? [] {
                #expect(try sandbox.call(call.method, call.parameters).error == nil)
            }
            sections.append(
                """
                \(Self.heading)\(example.method)

                \(paragraph.prose)```
                \(paragraph.code)
                ```

                ```json
                \(try transcript(of: example, sandbox))
                ```

                """)
        }
        sections.append("\(Self.heading)Types and errors\n\n```\n\(paragraphs.others)\n```\n")
        sections.append(
            """
            \(Self.heading)todod-sync

            The program that connects to servers has its own socket, `$XDG_RUNTIME_DIR/todod-sync/socket`, with this interface:

            ```
            \(try interfaceText("dev.todod.Sync.varlink"))
            ```

            """)
        return sections.joined(separator: "\n")
    }

    private func transcript(
        of example: (method: String, parameters: String, more: Bool), _ sandbox: Sandbox
    ) throws -> String {
        let more = example.more ? #","more":true"# : ""
        let parameters = example.parameters == "{}" ? "" : #","parameters":\#(example.parameters)"#
        let call = #"{"method":"dev.todod.Todo.\#(example.method)"\#(parameters)\#(more)}"#
        let connection = try sandbox.connect()
        try connection.send(Array(call.replacing("/home/ada", with: sandbox.directory).utf8))
        let reply = try connection.nextReply()
        #expect(reply.error == nil, "\(example.method): \(reply)")
        // Paths of this machine are replaced.
        let bytes = MethodReply.bytes(continues: reply.continues) { $0.members(of: reply.parameters) }
        return call + "\n"
            + String(decoding: bytes, as: UTF8.self).replacing(sandbox.directory, with: "/home/ada")
    }

    /// Returns a reply without its values, such as `{"id":0,"name":""}`, or any other line unchanged.
    private func shape(_ line: Substring) -> String {
        guard line.hasPrefix(#"{"parameters":"#), let json = try? JSONParser.parse(Array(line.utf8)) else {
            return String(line)
        }
        return shape(json).text
    }

    private func shape(_ json: JSON) -> JSON {
        switch json {
        case .null, .boolean: json
        case .integer, .number: .integer(0)
        case .string: .string("")
        case .array(let elements): .array(elements.map(shape))
        case .object(let object): .object(JSONObject(object.members.map { ($0.name, shape($0.value)) }))
        }
    }
}

/// The paragraphs of an interface text: each comment and its declaration.
private struct Paragraphs {
    private(set) var methods: [String: (prose: String, code: String)] = [:]
    /// The text of the types and errors, unchanged.
    private(set) var others = ""

    init(_ text: String) {
        var others: [String] = []
        for paragraph in text.components(separatedBy: "\n\n") {
            let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
            let comment = lines.prefix { $0.hasPrefix("#") }
            let code = lines.dropFirst(comment.count)
            guard let first = code.first, !first.hasPrefix("interface ") else { continue }
            guard first.hasPrefix("method ") else {
                others.append(paragraph.trimmingCharacters(in: .newlines))
                continue
            }
            let name = first.dropFirst("method ".count).prefix { $0 != "(" }
            let prose = comment.map { $0.drop { $0 == "#" || $0 == " " } }.joined(separator: "\n")
            methods[String(name)] = (
                prose: prose.isEmpty ? "" : prose + "\n\n", code: code.joined(separator: "\n")
            )
        }
        self.others = others.joined(separator: "\n\n")
    }
}
