import Foundation
import SQLiteDriver
import Testing
import Varlink

/// Copies, exports and imports.
@Suite struct ExchangeTests {
    /// Three items with everything set that a client can set, one of them past and one done.
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        for arguments in [
            ["Pay the rent", "--due", "in 3 days", "--category", "Home"],
            ["Old \"bill\"\n; \u{1F9FE}", "--due", "2020-01-01 10:00", "--past", "--mute"],
            ["Water the plants"],
        ] { #expect(try sandbox.run("todoctl", ["add"] + arguments).status == 0) }
        #expect(try sandbox.todoctl("done", "3").status == 0)
        return sandbox
    }

    @Test func anExportComesBackWholeAndTwiceIsOnce() throws {
        let sandbox = try filled()
        let text = try sandbox.todoctl("export").output
        try sandbox.write(text, to: "items.json")
        let file = "\(sandbox.directory)/items.json"
        #expect(try sandbox.todoctl("import", file).output == "3 unchanged\n")

        let other = try Sandbox()
        _ = try other.startDaemon()
        #expect(
            try other.todoctl("import", file, "--dry-run").output
                == "Would be: 3 added, 1 categories added\n")
        #expect(try other.call("Status").integer("items") == 0)
        #expect(try other.todoctl("import", file).output == "3 added, 1 categories added\n")
        #expect(try other.todoctl("import", file).output == "3 unchanged\n")
        #expect(try other.todoctl("export").output == text)
        // What is past does not ring.
        #expect(try other.call("GetItem", #"{"id":2}"#).parameters["item"]?.object?["lastAlert"] == nil)
    }

    @Test func theItemThatWasChangedLastWins() throws {
        let sandbox = try filled()
        let before = try sandbox.todoctl("export").output
        try sandbox.write(before, to: "old.json")
        #expect(try sandbox.todoctl("done", "1").status == 0)
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/old.json").output
                == "2 unchanged, 1 newer here and left alone\n")
        let later = before.replacing("Water the plants", with: "Water the garden").replacing(
            #/"modifiedAt":"2[^"]*"/#, with: #""modifiedAt":"2999-01-01T00:00:00Z""#)
        try sandbox.write(later, to: "new.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/new.json").output == "3 updated\n")
        #expect(try sandbox.todoctl("list", "garden", "--all").output.contains("Water the garden"))
    }

    @Test(arguments: [
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x"},{"uid":"b"}]}"#, "json",
            "items[1].name"
        ),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x"},{"uid":"","name":"y"}]}"#, "json",
            "items[1].uid"
        ),
        (#"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","priority":10}]}"#, "json", "priority"),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","due":"soon"}]}"#, "json",
            "items[0].due"
        ),
        (#"{"todod":2,"categories":[],"items":[]}"#, "json", "todod"), ("nonsense", "json", "text"),
        ("[]", "json", "text"), ("BEGIN:NOTHING", "icalendar", "text"), ("{}", "taskwarrior", "text"),
        (#"[{"uuid":"a","description":"x"},{"uuid":"b"}]"#, "taskwarrior", "[1].description"),
        (#"[{"uuid":"a","description":"x","due":"tomorrow"}]"#, "taskwarrior", "[0].due"),
    ])
    func whatIsWrongInAFileIsNamedAndNothingIsImported(text: String, format: String, field: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text),"format":"\#(format)"}"#)
        #expect(reply.text("field") == field || reply.text("parameter") == field, "\(reply)")
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    @Test func tasksOfTaskwarriorComeIn() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(
            #"""
            [{"id":1,"description":"Call \"Zoë\"","due":"20310501T070000Z","entry":"20261101T101112Z",
              "modified":"20261102T000000Z","priority":"H","project":"Home","status":"pending","tags":["x"],
              "uuid":"296d835e-8f85-4224-8f36-c612cad1b9f8","urgency":9.1,
              "annotations":[{"entry":"20261101T101112Z","description":"after lunch"}]},
             {"id":0,"description":"Old","end":"20261103T000000Z","status":"completed","uuid":"b"},
             {"id":0,"description":"Gone","status":"deleted","uuid":"c"}]
            """#, to: "tasks.json")
        let arguments = ["import", "\(sandbox.directory)/tasks.json", "--format", "taskwarrior"]
        #expect(
            try sandbox.run("todoctl", arguments).output
                == "2 added, 1 categories added\n  1 task of the status 'deleted' left out\n")
        #expect(try sandbox.run("todoctl", arguments).output.hasPrefix("2 unchanged\n"))
        let item = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]?.object
        #expect(item?["name"] == .string("Call \"Zoë\"") && item?["priority"] == .integer(1))
        #expect(item?["due"] == .string("2031-05-01T07:00:00Z") && item?["notes"] == .string("after lunch"))
    }

    @Test func calendarTasksGoOutAndComeIn() throws {
        let sandbox = try filled()
        let text = try sandbox.todoctl("export", "--format", "icalendar").output
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.contains("SUMMARY:Pay the rent\r\n"))
        let other = try Sandbox()
        _ = try other.startDaemon()
        try other.write(text, to: "items.ics")
        #expect(
            try other.todoctl("import", "\(other.directory)/items.ics").output
                == "3 added, 1 categories added\n")
        #expect(try other.todoctl("import", "\(other.directory)/items.ics").output == "3 unchanged\n")
        #expect(try other.todoctl("list").output.contains("Pay the rent"))
    }

    @Test func aTextLongerThanAMessageComesInPieces() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let notes = String(repeating: "é\u{1F9FE}", count: 400)
        let items = (1...1_000).map { #"{"uid":"\#($0)","name":"item \#($0)","notes":"\#(notes)"}"# }
        try sandbox.write(
            #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#, to: "many.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/many.json").output == "1000 added\n")
        let text = try sandbox.todoctl("export").output
        #expect(text.components(separatedBy: notes).count == 1_001)
    }

    @Test func aCopyIsSoundAndNeverOverwrites() throws {
        let sandbox = try filled()
        let path = "\(sandbox.directory)/copy.sqlite"
        let result = try sandbox.todoctl("backup", path)
        #expect(result.output.hasPrefix("Copied to \(path); the copy is sound ("), "\(result.errors)")
        let copy = try SQLiteConnection(path: path, mode: .readOnly)
        #expect(try copy.integer("SELECT count(*) FROM ToDo") == 3)
        #expect(try sandbox.todoctl("backup", path).errors.contains("the file exists already"))
        #expect(try sandbox.call("Backup", #"{"path":"copy"}"#).text("field") == "path")
        #expect(try sandbox.todoctl("backup", "/proc/nowhere/copy").status == 1)
        #expect(try sandbox.todoctl("backup").status == 2)
    }
}

extension JSON {
    fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}
