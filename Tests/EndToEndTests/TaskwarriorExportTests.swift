import Foundation
import Testing
import Varlink

/// Tasks for Taskwarrior, through the real programs.
@Suite struct TaskwarriorExportTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
    }

    private func add(_ arguments: String...) throws {
        let result = try sandbox.run("todoctl", ["add", "--literal"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
    }

    private func exported() throws -> String {
        try sandbox.todoctl("export", "--format", "taskwarrior").output
    }

    private func imported(_ text: String) throws -> String {
        try sandbox.write(text, to: "tasks.json")
        return try sandbox.todoctl("import", "\(sandbox.directory)/tasks.json").output
    }

    /// The values that a task cannot express are those of the store.
    @Test func exportedTasksChangeNothing() throws {
        try add("Pay \"x\"", "--due", "2077-03-01 09:00:30", "--priority", "2", "--notes", "One\n\nTwo\n")
        try add(
            "Passport", "--due", "2077-03-01", "--start", "2077-02-01", "--category", "Home", "--tag",
            "post office")
        try add("Pill", "--due", "2077-03-01 09:00", "--every", "day", "--floating")
        try add("Rent", "--due", "2077-03-01", "--every", "month until 2077-12-31")
        try add("Run", "--due", "2077-03-01 09:00", "--every", "mon,fri 9 times", "--blocked-by", "1,2")
        try add("Old")
        #expect(try sandbox.todoctl("done", "6").status == 0)
        let before = try sandbox.call("Export").text("text")
        let text = try exported()
        let result = try imported(text)
        #expect(result.hasPrefix("6 unchanged\n"), "\(result)\n\(text)")
        #expect(try sandbox.call("Export").text("text") == before, "\(text)")
        #expect(text.contains(#""recur":"1m""#) && text.contains(#""status":"recurring""#), "\(text)")
        #expect(text.contains(#""status":"completed""#), "\(text)")
    }

    /// An item has the same task in each export. A copy of the task is another item.
    @Test func identifierThatIsNoUUIDIsFoundAgain() throws {
        let own =
            #"{"todod":1,"categories":[],"items":[{"uid":"a b","name":"x"},{"uid":"c","name":"y","blockedBy":["a b"]}]}"#
        #expect(try imported(own) == "2 added\n")
        let text = try exported()
        #expect(try exported() == text)
        #expect(text.contains(#""tododuid":"a b""#), "\(text)")
        #expect(try imported(text) == "2 unchanged\n")
        let copy = #"{"uuid":"296d835e-8f85-4224-8f36-c612cad1b9f8","description":"z","tododuid":"c"}"#
        #expect(try imported(text.replacing("\n]", with: ",\n\(copy)\n]")) == "1 added, 2 unchanged\n")
    }

    /// The start, a snooze and parts of seconds are those of the store.
    @Test func changeInTaskwarriorLeavesOtherValues() throws {
        try add("Passport", "--due", "2077-03-01 09:00", "--start", "2077-02-01 08:00")
        #expect(try sandbox.todoctl("snooze", "1", "2077-02-27 10:00").status == 0)
        let fields = #"{"state":"all","fields":["start","snoozedUntil","createdAt","tags","completed"]}"#
        let before = try #require(try sandbox.call("ListItems", fields).items.first)
        let modified = #/"modified":"[^"]*"/#
        let tagged = try exported().replacing(modified, with: #""modified":"20760101T000000Z","tags":["a"]"#)
        #expect(try imported(tagged) == "1 updated, 1 tag added\n", "\(tagged)")
        var after = try #require(try sandbox.call("ListItems", fields).items.first)
        #expect(after["tags"] == .array([.string("a")]))
        for name in ["start", "snoozedUntil", "createdAt"] { #expect(after[name] == before[name], "\(name)") }
        let done = try exported().replacing("pending", with: "completed")
            .replacing(modified, with: #""modified":"20760102T000000Z","end":"20760102T000000Z""#)
        #expect(try imported(done).hasPrefix("1 updated\n"), "\(done)")
        after = try #require(try sandbox.call("ListItems", fields).items.first)
        #expect(after["completed"] == .boolean(true) && after["start"] == before["start"], "\(after)")
    }

    /// Every version of Taskwarrior accepts these forms.
    @Test func taskHasFormOfTaskwarrior() throws {
        let own = #"""
            {"todod":1,"categories":[],"items":[{"uid":"296d835e-8f85-4224-8f36-c612cad1b9f8","name":"x","priority":7,
            "category":"Home","tags":["a"],"due":"2077-03-01T09:00:00Z","completed":true,"cancelled":true,
            "completedAt":"2026-11-02T00:00:00Z","createdAt":"2026-11-01T00:00:00Z","modifiedAt":"2026-11-02T00:00:00Z",
            "notes":"One\nTwo"}]}
            """#
        _ = try imported(own)
        #expect(
            try exported() == """
                [
                {"uuid":"296d835e-8f85-4224-8f36-c612cad1b9f8","description":"x","status":"deleted",\
                "entry":"20261101T000000Z","modified":"20261102T000000Z","end":"20261102T000000Z",\
                "due":"20770301T090000Z","project":"Home","priority":"L","tags":["a"],\
                "annotations":[{"entry":"20261101T000000Z","description":"One"},\
                {"entry":"20261101T000001Z","description":"Two"}]}
                ]

                """)
    }

    // MARK: - With Taskwarrior

    private static let task = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/task" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: task != nil, "taskwarrior is not installed")) func taskwarriorKeepsItems() throws {
        try add("Pay \"x\"", "--due", "2077-03-01 09:00", "--priority", "2", "--notes", "One\n\nTwo")
        try add(
            "Passport", "--due", "2077-03-01", "--start", "2077-02-01", "--category", "Home", "--tag",
            "post office")
        try add("Run", "--blocked-by", "1,2")
        try add("Old")
        try add("Bins", "--due", "2077-03-01 09:00", "--every", "2 weeks until 2077-12-31")
        #expect(try sandbox.todoctl("done", "4").status == 0)
        try sandbox.write(try exported(), to: "tasks.json")
        try sandbox.write("confirmation=off\n", to: "taskrc")
        let program = "TASKRC=~/taskrc TASKDATA=~/tasks \(try #require(Self.task))"
        let taken = try sandbox.shell("mkdir -p ~/tasks && \(program) import ~/tasks.json")
        #expect(taken.status == 0, "\(taken)")
        let back = try sandbox.shell("\(program) export")
        let before = try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items
        let result = try imported(back.output)
        #expect(result.hasPrefix("5 unchanged\n"), "\(result)\n\(back)")
        let after = try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items
        for name in ["uid", "name", "due", "start", "every", "priority", "category", "completed", "notes"] {
            #expect(after.map { $0[name] } == before.map { $0[name] }, "\(name)\n\(back.output)")
        }
    }
}
