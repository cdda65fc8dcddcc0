import CivilTime
import Foundation
import SQLiteDriver
import Testing
import Varlink

/// Backups, exports and imports.
@Suite struct ExchangeTests {
    /// A sandbox with three items that have every attribute a client can set. One is overdue and one is done.
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

    /// Another program may have left values that the model does not allow. The rest is still listed and exported.
    @Test func unreadableLeadTimeHidesNothingElse() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "tomorrow", "--lead", "1h,5m").status == 0)
        #expect(daemon.stop() == 0)
        let store = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try store.execute("UPDATE Alarm SET offset = NULL WHERE offset = 3600")
        store.close()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("ListItems", #"{"fields":["leads"]}"#)
        #expect(reply.items.first?["leads"] == .array([.integer(300)]), "\(reply)")
        #expect(try sandbox.todoctl("export").output.contains("\"Tea\""))
        #expect(try sandbox.todoctl("export", "--format", "icalendar").output.contains("SUMMARY:Tea"))
    }

    @Test func importRestoresExportAndRepeatingItChangesNothing() throws {
        let sandbox = try filled()
        let text = try sandbox.todoctl("export").output
        try sandbox.write(text, to: "items.json")
        let file = "\(sandbox.directory)/items.json"
        #expect(try sandbox.todoctl("import", file).output == "3 unchanged\n")

        let other = try Sandbox()
        _ = try other.startDaemon()
        #expect(
            try other.todoctl("import", file, "--dry-run").output
                == "Would be: 3 added, 1 category added\n")
        #expect(try other.call("Status").integer("items") == 0)
        #expect(try other.todoctl("import", file).output == "3 added, 1 category added\n")
        #expect(try other.todoctl("import", file).output == "3 unchanged\n")
        #expect(try other.todoctl("export").output == text)
        // An import sends no alert for an item that is overdue.
        #expect(try other.call("GetItem", #"{"id":2}"#).parameters["item"]?.object?["lastAlert"] == nil)
    }

    @Test func importKeepsTheStateChangedLast() throws {
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
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/new.json").output
                == "3 updated, 1 category updated\n")
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
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","priority":10}]}"#, "json",
            "items[0].priority"
        ),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","leads":[60,-3000000000]}]}"#, "json",
            "items[0].leads[1]"
        ),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","leads":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}]}"#,
            "json", "items[0].leads"
        ),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","due":"soon"}]}"#, "json",
            "items[0].due"
        ),
        (
            #"{"todod":1,"categories":[],"items":[{"uid":"\#(String(repeating: "u", count: 1_025))","name":"x"}]}"#,
            "json", "items[0].uid"
        ),
        (#"{"todod":2,"lists":[]}"#, "json", "todod"), ("nonsense", "json", "text"),
        ("[]", "json", "text"), ("BEGIN:NOTHING", "icalendar", "text"), ("{}", "taskwarrior", "[0].uuid"),
        ("3", "taskwarrior", "text"), ("\n \t", "json", "text"), ("", "icalendar", "text"),
        (#"{"todod":1,"categories":[],"items":[]} {}"#, "json", "text"),
        (#"{"todod":1,"categories":[],"items":[3]}"#, "json", "items[0]"),
        (#"{"todod":1,"categories":{},"items":[]}"#, "json", "categories"),
        (#"{"todod":1,"categories":[],"items":[],"more":[]}"#, "json", "more"),
        (#"[{"uuid":"a","description":"x"},{"uuid":"b"}]"#, "taskwarrior", "[1].description"),
        (#"[{"uuid":"a","description":"x","due":"tomorrow"}]"#, "taskwarrior", "[0].due"),
    ])
    func importWithWrongFieldNamesItAndChangesNothing(text: String, format: String, field: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text),"format":"\#(format)"}"#)
        #expect(reply.text("field") == field || reply.text("parameter") == field, "\(reply)")
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    /// The text of an import that ended or was refused is not part of the next import.
    @Test func importsOfOneConnectionAreIndependent() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let connection = try sandbox.connect()
        func importing(_ text: String, _ more: String = "") throws -> MethodReply {
            try connection.call("Import", #"{"text":\#(JSON.string(text).text)\#(more)}"#)
            return try connection.nextReply()
        }
        func task(_ number: Int) -> String { "\u{FEFF}[{\"uuid\":\"\(number)\",\"description\":\"x\"}]" }
        #expect(try importing(task(1)).integer("added") == 1)
        #expect(try importing(task(2)).integer("added") == 1)
        #expect(try importing("no", #","continues":true"#).error == nil)
        #expect(try importing("thing").error == "dev.todod.Todo.InvalidValue")
        #expect(try importing(task(3)).integer("added") == 1)
    }

    /// The modification time in the file is that of the item, without the fraction of a second.
    @Test func importUpdatesTaskEditedInCalendarFile() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Pay the rent").status == 0)
        let line =
            "todoctl export --format icalendar | sed 's/SUMMARY:Pay the rent/SUMMARY:Pay/' | todoctl import -"
        #expect(try sandbox.shell(line).output == "1 updated\n")
        #expect(try sandbox.call("ListItems").names == ["Pay"])
    }

    @Test func unreadableFileIsNamedWithReason() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.shell("printf 'caf\\351' > ~/latin1").status == 0)
        for (path, reason) in [("nope", "No such file or directory"), ("latin1", "it is not UTF-8 text")] {
            let result = try sandbox.todoctl("import", "\(sandbox.directory)/\(path)")
            #expect(result.status == 1)
            #expect(
                result.errors.hasSuffix("/\(path): \(reason); nothing was imported\n"), "\(result.errors)")
        }
    }

    /// Other systems write a byte order mark at the start of a text.
    @Test(arguments: [
        (#"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x"}]}"#, "json"),
        (#"[{"uuid":"a","description":"x"}]"#, "taskwarrior"),
        (
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
            "icalendar"
        ),
        (Self.foreign, "coredata"),
    ])
    func byteOrderMarkIsIgnored(text: String, format: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let text = JSON.string("\u{FEFF}" + text).text
        let reply = try sandbox.call("Import", #"{"text":\#(text),"format":"\#(format)"}"#)
        #expect(try #require(reply.integer("added")) > 0, "\(reply)")
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func failedImportUsesNoIDs(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        func importItems(_ items: String, isDryRun: Bool) throws -> MethodReply {
            let text =
                #"{"todod":1,"categories":[{"uid":"c","name":"Home","muted":false}],"items":[\#(items)]}"#
            return try sandbox.call("Import", #"{"text":\#(JSON.string(text).text),"dryRun":\#(isDryRun)}"#)
        }
        let items = (1...600).map { #"{"uid":"\#($0)","name":"x","category":"New"}"# }.joined(separator: ",")
        let reply = try importItems(items, isDryRun: true)
        #expect(reply.integer("added") == 600 && reply.integer("categoriesAdded") == 2)
        #expect(try importItems(#"\#(items),{"uid":"a","name":""}"#, isDryRun: false).error != nil)
        #expect(try sandbox.todoctl("add", "first", "--new-category", "--category", "Home").status == 0)
        #expect(try sandbox.call("GetItem", #"{"id":1}"#).error == nil)
        let categories = try sandbox.call("ListCategories").parameters["categories"]
        guard case .array(let all)? = categories else { return #expect(Bool(false)) }
        #expect(all.map { $0.object?["id"] } == [.integer(1)])
    }

    @Test func taskwarriorTasksAreImported() throws {
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
                == """
                2 added, 1 category added, 1 tag added
                  1 task of the status 'deleted' omitted
                  'annotations.entry' of 1 task omitted

                """)
        #expect(try sandbox.run("todoctl", arguments).output.hasPrefix("2 unchanged\n"))
        let item = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]?.object
        #expect(item?["name"] == .string("Call \"Zoë\"") && item?["priority"] == .integer(1))
        #expect(item?.moment("due") == RFC3339.moment("2031-05-01T07:00:00Z"))
        #expect(item?["notes"] == .string("after lunch"))
    }

    /// A category whose state in the file is not used is named.
    @Test func remarkNamesCategoryThatIsNotChanged() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        #expect(try sandbox.todoctl("category", "add", "Work").status == 0)
        func remarks(_ category: String) throws -> JSON? {
            let text = #"{"todod":1,"categories":[\#(category)],"items":[]}"#
            return try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#).parameters["remarks"]
        }
        let category = { (uid: String, name: String, isMuted: Bool, rest: String) in
            #"{"uid":"\#(uid)","name":"\#(name)","muted":\#(isMuted)\#(rest)}"#
        }
        #expect(try remarks(category("", "Home", false, "")) == .array([]))
        #expect(
            try remarks(category("", "Home", true, ""))
                == .array([.string("the category 'Home' is not changed: the file has no 'modifiedAt' for it")]
                ))
        let past = #","modifiedAt":"2001-01-01T00:00:00Z""#
        #expect(
            try remarks(category("", "Home", true, past))
                == .array([
                    .string("the category 'Home' is not changed: it was modified later than in the file")
                ]))
        let known = try sandbox.todoctl("export").output
        let uid = try #require(known.firstMatch(of: #/"uid":"([^"]+)","name":"Home"/#)?.output.1)
        let future = #","modifiedAt":"2999-01-01T00:00:00Z""#
        #expect(
            try remarks(category(String(uid), "Work", true, future))
                == .array([.string("the category 'Home' keeps its name: another category is called 'Work'")]))
    }

    @Test func calendarTasksAreExportedAndImported() throws {
        let sandbox = try filled()
        let text = try sandbox.todoctl("export", "--format", "icalendar").output
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.contains("SUMMARY:Pay the rent\r\n"))
        let other = try Sandbox()
        _ = try other.startDaemon()
        try other.write(text, to: "items.ics")
        #expect(
            try other.todoctl("import", "\(other.directory)/items.ics").output
                == "3 added, 1 category added\n")
        #expect(try other.todoctl("import", "\(other.directory)/items.ics").output == "3 unchanged\n")
        #expect(try other.todoctl("list").output.contains("Pay the rent"))
    }

    @Test func coreDataDocumentIsExportedAndImported() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("edit", "1", "--lead", "1d,1h").status == 0)
        #expect(try sandbox.todoctl("mute", "3").status == 0)
        let text = try sandbox.todoctl("export", "--format", "coredata").output
        #expect(text.hasPrefix("<?xml") && text.contains("<!DOCTYPE database SYSTEM"))
        #expect(!text.contains(#"type="CHANGE""#))
        let whole = try sandbox.call("Export", #"{"format":"coredata"}"#)
        #expect(whole.text("text") == text)
        let other = try Sandbox()
        _ = try other.startDaemon()
        try other.write(text, to: "items.xml")
        let file = "\(other.directory)/items.xml"
        #expect(
            try other.todoctl("import", file, "--dry-run").output == "Would be: 3 added, 1 category added\n"
        )
        #expect(try other.call("Status").integer("items") == 0)
        #expect(try other.todoctl("import", file).output == "3 added, 1 category added\n")
        #expect(try other.todoctl("import", file).output == "3 unchanged\n")
        #expect(try other.todoctl("export").output == sandbox.todoctl("export").output)
        // An import sends no alert for an item that is overdue.
        #expect(try other.call("GetItem", #"{"id":2}"#).parameters["item"]?.object?["nextAlert"] == nil)
        // No temporary file is left.
        for directory in [sandbox, other].map({ "\($0.directory)/data/todod" }) {
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.allSatisfy { !$0.contains("exchange") }, "\(names)")
        }
    }

    @Test(arguments: ["xml", "binary"])
    func everyKindOfStoreIsExportedAsDocument(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        let text = try sandbox.todoctl("export", "--format", "coredata").output
        try sandbox.write(text, to: "items.xml")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/items.xml").output == "2 unchanged\n")
    }

    /// A document as the first version of a Mac application wrote it.
    private static let foreign = #"""
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>5D1A2C5E-55A1-4A2B-9F50-0C8B2B7A53C1</UUID>
                <nextObjectID>104</nextObjectID>
                <metadata><plist version="1.0"><dict></dict></plist></metadata>
            </databaseInfo>
            <object type="TODO" id="z102">
                <attribute name="name" type="string">Pay the rent</attribute>
                <attribute name="duedate" type="date">336046917.5</attribute>
                <attribute name="completed" type="bool">0</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY" idrefs="z104"></relationship>
            </object>
            <object type="TODO" id="z103">
                <attribute name="name" type="string">Tea &amp; milk</attribute>
                <attribute name="completed" type="bool">1</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY"></relationship>
            </object>
            <object type="CATEGORY" id="z104">
                <attribute name="name" type="string">Home</attribute>
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z102"></relationship>
            </object>
        </database>

        """#

    @Test func documentFromMacIsImportedOnce() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(Self.foreign, to: "mac.xml")
        let file = "\(sandbox.directory)/mac.xml"
        #expect(try sandbox.todoctl("import", file).output == "2 added, 1 category added\n")
        #expect(try sandbox.todoctl("import", file).output == "2 unchanged\n")
        let item = try sandbox.call("ListItems", #"{"category":"Home"}"#).items.first
        #expect(item?["name"] == .string("Pay the rent"))
        #expect(item?.moment("due") == RFC3339.moment("2011-08-26T10:21:57.5Z"))
        #expect(item?["nextAlert"] == nil)
        #expect(try sandbox.call("ListItems", #"{"state":"completed"}"#).names == ["Tea & milk"])
    }

    @Test(arguments: [
        ("nonsense", "text"), ("<?xml version=\"1.0\"?><plist/>", "text"),
        (foreign.replacing("Tea &amp; milk", with: ""), "items[1].name"),
        (foreign.replacing(#"idrefs="z104""#, with: #"idrefs="z999""#), "text"),
        (foreign.replacing("TODO", with: "TASK"), "text"),
    ])
    func documentWithErrorChangesNothing(text: String, field: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text),"format":"coredata"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == field, "\(reply)")
        #expect(try sandbox.call("Status").integer("items") == 0)
        #expect(try sandbox.call("Status").integer("categories") == 0)
    }

    /// Lowercasing alone does not show that these names are equal.
    @Test func categoryNamesAreComparedWithoutCase() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.call("AddCategory", #"{"name":"Straße"}"#).error == nil)
        let text = #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","category":"STRASSE"}]}"#
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        #expect(reply.integer("added") == 1 && reply.integer("categoriesAdded") == 0, "\(reply)")
    }

    @Test func textLongerThanAMessageIsImportedInChunks() throws {
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

    @Test func backupIsSoundAndNeverOverwritesAFile() throws {
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

    @Test func interruptedBackupLeavesNoFile() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        // Longer than the part that is copied between two calls.
        let notes = String(repeating: "x", count: 20_000)
        let items = (1...600).map { #"{"uid":"\#($0)","name":"item \#($0)","notes":"\#(notes)"}"# }
        try sandbox.write(
            #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#, to: "many.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/many.json").status == 0)
        let directory = "\(sandbox.directory)/copies"
        try sandbox.connect().call("Backup", #"{"path":"\#(directory)/copy"}"#)
        _ = try sandbox.call("Status")
        #expect(daemon.stop() == 0)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        #expect(files == [] || files == ["copy"])
    }

    @Test func backupCanBeRestoredAsStore() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        let copy = "\(sandbox.directory)/copy.sqlite"
        #expect(try sandbox.todoctl("backup", copy).status == 0)
        #expect(try sandbox.todoctl("delete", "1").status == 0)
        #expect(
            try sandbox.todoctl("import", copy).errors == """
                todoctl: cannot read \(copy): it is a store, or a copy of one; nothing was imported
                To restore a copy of a store, see:  todoctl backup --help

                """)
        #expect(daemon.stop() == 0)
        #expect(try sandbox.run("todod", ["--restore", copy]).status == 0)
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list", "--format", "{id} {name}").output == "1 a\n2 b\n")
    }
}

extension JSON {
    fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}
