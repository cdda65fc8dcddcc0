import Foundation
import SQLiteDriver
import Testing
import Varlink

/// Undo and redo of changes, through the real programs.
@Suite struct UndoTests {
    /// A call of each method that changes items, and the description of its change.
    private static let edits: [(method: String, parameters: String, summary: String)] = [
        ("AddItem", #"{"name":"Tea","due":"2031-05-01 09:00","leads":"1h, 1d"}"#, "added 'Tea'"),
        ("AddCategory", #"{"name":"Home"}"#, "added the category 'Home'"),
        ("AddCategory", #"{"name":"Work"}"#, "added the category 'Work'"),
        (
            "UpdateItems", #"{"ids":[1],"category":"Home","notes":"n","leads":"5m"}"#,
            "changed the notes, the category and the alerts of 'Tea'"
        ),
        ("UpdateItems", #"{"ids":[1],"leads":"10m"}"#, "changed the alerts of 'Tea'"),
        ("SnoozeItems", #"{"ids":[1],"until":"2031-04-30 18:00"}"#, "snoozed 'Tea'"),
        ("MuteItems", #"{"ids":[1],"muted":true}"#, "muted 'Tea'"),
        ("CompleteItems", #"{"ids":[1]}"#, "completed 'Tea'"),
        ("ReopenItems", #"{"ids":[1]}"#, "reopened 'Tea'"),
        (
            "UpdateCategory", #"{"name":"Home","newName":"House","muted":true}"#,
            "renamed the category 'Home' to 'House'"
        ),
        ("DeleteCategory", #"{"name":"House","moveTo":"Work"}"#, "deleted the category 'House'"),
        (
            "Import",
            #"{"text":"{\"todod\":1,\"categories\":[],\"items\":[{\"uid\":\"a\",\"name\":\"x\",\"category\":\"New\"},{\"uid\":\"b\",\"name\":\"y\"}]}"}"#,
            "imported 2 items and 1 category"
        ),
        (
            "AddItem", #"{"name":"Plants","every":"mon, thu","due":"2031-05-01 18:00"}"#, "added 'Plants'"
        ),
        ("SkipItems", #"{"ids":[4]}"#, "skipped 'Plants'"),
        ("CompleteItems", #"{"ids":[4]}"#, "completed 'Plants'"),
        (
            "UpdateItems", #"{"ids":[4],"due":"2031-06-01 18:00","every":""}"#,
            "changed the due time, the rule and the time zone of 'Plants'"
        ),
        ("DeleteItems", #"{"ids":[1,2,3,4]}"#, "deleted 4 items"),
    ]

    /// Returns everything that the daemon stores, except for modification and alert times.
    private func state(_ sandbox: Sandbox) throws -> String {
        let items = try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items.map { item in
            let reply = try sandbox.call("GetItem", #"{"id":\#(item["id"]?.text ?? "")}"#)
            guard case .object(let whole)? = reply.parameters["item"] else { return "" }
            let kept = whole.members.filter { !["modifiedAt", "nextAlert", "lastAlert"].contains($0.name) }
            return JSON.object(JSONObject(kept)).text
        }
        return items.joined(separator: "\n") + (try sandbox.call("ListCategories").parameters.text)
    }

    private func words(_ reply: MethodReply) -> [String] {
        guard case .array(let changes)? = reply.parameters["changes"] else { return ["\(reply)"] }
        return changes.map { change in
            if case .object(let object) = change, case .string(let summary)? = object["summary"] {
                summary
            } else {
                ""
            }
        }
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func everyChangeIsUndoneAndRedoneAfterRestart(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        var daemon = try sandbox.startDaemon()
        var states = [try state(sandbox)]
        for edit in Self.edits {
            let reply = try sandbox.call(edit.method, edit.parameters)
            #expect(reply.error == nil, "\(edit.method): \(reply)")
            states.append(try state(sandbox))
        }
        #expect(daemon.stop() == 0)
        daemon = try sandbox.startDaemon()
        for (index, edit) in Self.edits.enumerated().reversed() {
            #expect(words(try sandbox.call("Undo")) == [edit.summary])
            #expect(try state(sandbox) == states[index], "\(edit.summary)")
        }
        #expect(try sandbox.call("Undo").error == "dev.todod.Todo.NothingToUndo")
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        #expect(
            words(try sandbox.call("Redo", #"{"count":100}"#)) == Self.edits.map(\.summary))
        #expect(try state(sandbox) == states.last)
        #expect(try sandbox.call("Redo").error == "dev.todod.Todo.NothingToUndo")
    }

    @Test func undoAndRedoNameTheirChanges() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("undo").errors.contains("there is no change to undo"))
        #expect(try sandbox.todoctl("add", "Pay the rent").status == 0)
        #expect(try sandbox.todoctl("delete", "1").status == 0)
        #expect(try sandbox.todoctl("undo").output.hasPrefix("Undone: deleted 'Pay the rent'  ("))
        #expect(try sandbox.todoctl("list").output.contains("Pay the rent"))
        #expect(try sandbox.todoctl("redo").output.hasPrefix("Redone: deleted 'Pay the rent'  ("))
        let both = try sandbox.todoctl("undo", "2").output.split(separator: "\n")
        #expect(both.map { $0.prefix(16) } == ["Undone: deleted ", "Undone: added 'P"])
        #expect(try sandbox.todoctl("undo", "2").status == 1)
        for word in ["0", "-1", "x", "101"] {
            let result = try sandbox.todoctl("undo", word)
            #expect(result.status == (word == "101" ? 1 : 2), "\(word)")
        }
    }

    @Test func watchReportsUndoAsChanges() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a"])
        #expect(try sandbox.call("DeleteItems", #"{"ids":[1]}"#).error == nil)
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        #expect(try sandbox.call("Undo").error == nil)
        let added = try watcher.nextReply()
        #expect(added.text("event") == "added" && added.names == ["a"])
        #expect(try sandbox.call("Redo").error == nil)
        #expect(try watcher.nextReply().text("event") == "deleted")
    }

    @Test func undoOfPropertiesChangedByAnotherProgramIsAConflict() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(try sandbox.todoctl("edit", "1", "--name", "Milk", "-p", "2").status == 0)
        #expect(daemon.stop() == 0)
        let store = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try store.execute("UPDATE ToDo SET name = 'Coffee', priority = 1")
        store.close()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Undo")
        #expect(reply.error == "dev.todod.Todo.UndoConflict")
        #expect(reply.text("summary") == "changed the name and the priority of 'Tea'")
        #expect(reply.integer("item") == 1)
        #expect(reply.parameters["changed"] == .array([.string("name"), .string("priority")]))
        let result = try sandbox.todoctl("undo")
        #expect(result.status == 1)
        #expect(result.errors.contains("its name and its priority have changed since"), "\(result.errors)")
        #expect(try sandbox.call("GetItem", #"{"id":1}"#).parameters.text.contains(#""name":"Coffee""#))
    }

    @Test func undoThatNeedsATakenNameIsAConflict() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.call("AddCategory", #"{"name":"Home"}"#).error == nil)
        #expect(try sandbox.call("DeleteCategory", #"{"name":"Home"}"#).error == nil)
        #expect(daemon.stop() == 0)
        let store = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try store.execute(
            "INSERT INTO Category (id, uid, name, doNotAlert, createdDate, modifiedDate) VALUES (9, 'u', 'HOME', 0, 0, 0)"
        )
        store.close()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Undo")
        #expect(reply.error == "dev.todod.Todo.UndoConflict")
        #expect(reply.text("summary") == "deleted the category 'Home'")
        #expect(reply.text("reason") == "another category has its name now")
    }

    @Test func changeBeyondUndoLimitLeavesSafetyCopy() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems(["before"])
        let older = (1...3).map { "todo.sqlite.2020010\($0)T000000Z.before-Import.backup" }
        // A safety copy of a store with a log has that log beside it.
        for name in older + [older[0] + "-wal"] { try sandbox.write("", to: "data/todod/\(name)") }
        let items = (1...10_001).map { #"{"uid":"\#($0)","name":"item \#($0)"}"# }
        try sandbox.write(
            #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#, to: "many.json")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/many.json")
        #expect(result.output.contains("Import of 10001 items cannot be undone"), "\(result.output)")
        let undo = try sandbox.call("Undo")
        #expect(undo.error == "dev.todod.Todo.NothingToUndo")
        let copy = try #require(undo.text("backup"))
        let kept = try SQLiteConnection(path: copy, mode: .readOnly)
        #expect(try kept.integer("SELECT count(*) FROM ToDo") == 1)
        #expect(try sandbox.call("Status").integer("items") == 10_002)
        // The oldest safety copy was removed.
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(names.filter { $0.contains("2020") }.sorted() == Array(older.dropFirst()))
        // Later changes can be undone again.
        try sandbox.addItems(["after"])
        #expect(try sandbox.call("Undo", #"{"count":5}"#).error == nil)
        #expect(try sandbox.call("Status").integer("items") == 10_002)
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("the store from before the change is kept in \(copy)"))
    }

    @Test func largeImportIsUndoneAsOneChange() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let items = (1...10_000).map { #"{"uid":"\#($0)","name":"item \#($0)"}"# }
        try sandbox.write(
            #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#, to: "many.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/many.json").output == "10000 added\n")
        #expect(words(try sandbox.call("Undo")) == ["imported 10000 items"])
        #expect(try sandbox.call("Status").integer("items") == 0)
        #expect(words(try sandbox.call("Redo")) == ["imported 10000 items"])
        #expect(try sandbox.call("Status").integer("items") == 10_000)
    }
}

extension JSONObject {
    fileprivate var text: String { JSON.object(self).text }
}
