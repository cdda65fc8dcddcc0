import Testing
import Varlink

/// Changing several items at once, and what is refused.
@Suite struct EditingTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for name in ["Tea", "Milk", "Bread", "Jam"] {
            let due = name == "Bread" ? #","due":"in 3 days","every":"day""# : ""
            #expect(try sandbox.call("AddItem", #"{"name":"\#(name)","notes":"n"\#(due)}"#).error == nil)
        }
        #expect(try sandbox.todoctl("done", "4").status == 0)
        return sandbox
    }

    /// A line for each item, open or done.
    private func state(_ sandbox: Sandbox) throws -> [String] {
        try sandbox.todoctl("list", "--all", "--sort", "id", "-F", "{id} {category} {priority} {notes}")
            .output.split(separator: "\n").map(String.init)
    }

    /// A3: An edit changes all items that are named, and one undo takes it back.
    @Test func editChangesSeveralItemsInOneStep() throws {
        let sandbox = try filled()
        let before = try state(sandbox)
        let edited = try sandbox.todoctl("edit", "1", "2-3", "-c", "Home", "--new-category", "-p", "2")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(edited.output.hasPrefix("Changed 1  Tea\nChanged 2  Milk\nChanged 3  Bread  ("))
        #expect(try state(sandbox) == ["1 Home 2 n", "2 Home 2 n", "3 Home 2 n", "4  0 n"])
        let undone = try sandbox.todoctl("undo")
        #expect(undone.output.contains("changed the priority and the category of 3 items"), "\(undone)")
        #expect(try state(sandbox) == before)
    }

    /// A3: A predicate chooses the items of an edit; JSON has all of them.
    @Test func editTakesPredicate() throws {
        let sandbox = try filled()
        let reply = try sandbox.todoctl("edit", "--where", "name IN {'Tea', 'Milk'}", "-p", "high", "--json")
        #expect(reply.output.hasPrefix(#"{"items":[{"id":1,"#) && reply.output.contains(#"{"id":2,"#))
        #expect(try state(sandbox).map { $0.contains(" 1 ") } == [true, true, false, false])
        let none = try sandbox.todoctl("edit", "--where", "name == 'Salt'", "-p", "high")
        #expect(none.status == 0 && none.output.hasSuffix("nothing was changed.\n"))
    }

    /// A3: When one of the items cannot be changed, none is, and the error names it.
    @Test(arguments: [
        (["1", "2", "7", "-p", "1"], Int32(1), "there is no item 7; nothing was changed"),
        (["1-3", "--due", ""], 1, "item 3: an item that comes again needs one"),
        (["1", "2", "--name", "Same"], 2, "--name takes the number of one item"),
        (["1", "2"], 2, "'edit' of several items needs something to change"),
        (["1", "2", "--past"], 2, "'edit' of several items needs something to change"),
        (["1", "2", "--notes", "a", "--append-notes", "b"], 2, "--notes and --append-notes exclude"),
        (["1", "--append-notes", " "], 1, "cannot take the added notes: it is empty"),
        (["1", "2", "-c", "Nowhere"], 1, "there is no category 'Nowhere'"),
    ])
    func editThatFailsChangesNothing(words: [String], status: Int32, error: String) throws {
        let sandbox = try filled()
        let before = try state(sandbox)
        let result = try sandbox.run("todoctl", ["edit"] + words)
        #expect(result.status == status && result.errors.contains(error), "\(result)")
        #expect(result.output.isEmpty)
        #expect(try state(sandbox) == before)
    }

    /// A8: Notes can be added below those that are there.
    @Test func appendedNotesFollowThoseThatAreThere() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("edit", "2", "--notes", "").status == 0)
        #expect(try sandbox.todoctl("edit", "1-2", "--append-notes", "called").status == 0)
        #expect(try state(sandbox).prefix(2) == ["1  0 n\\u{A}called", "2  0 called"])
    }

    /// A3: The API refuses an empty list, a guard for several items, and two ways to write notes.
    @Test(arguments: [
        (#"{"ids":[],"name":"x"}"#, "ids"),
        (#"{"ids":[1,2],"ifModified":"2031-05-01T00:00:00Z"}"#, "ifModified"),
        (#"{"ids":[1],"notes":"a","appendNotes":"b"}"#, "appendNotes"),
        (#"{"ids":[1],"appendNotes":""}"#, "appendNotes"),
    ])
    func updateRefusesWhatItCannotTake(parameters: String, field: String) throws {
        let sandbox = try filled()
        let before = try state(sandbox)
        let reply = try sandbox.call("UpdateItems", parameters)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == field)
        #expect(try state(sandbox) == before)
    }

    /// A3: An edit of more items than one turn takes is one step as well, and appended notes have a limit.
    @Test func editOfManyItemsIsOneStep() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems((1...600).map { "Item \($0)" })
        #expect(try sandbox.todoctl("edit", "1-600", "-p", "3").status == 0)
        let count = { try sandbox.call("ListItems", #"{"where":"priority == 3"}"#).items.count }
        #expect(try count() == 600)
        #expect(try sandbox.todoctl("undo").output.contains("changed the priority of 600 items"))
        #expect(try count() == 0)
        let half = String(repeating: "x", count: 600_000)
        #expect(try sandbox.call("UpdateItems", #"{"ids":[1],"appendNotes":"\#(half)"}"#).error == nil)
        let refused = try sandbox.call("UpdateItems", #"{"ids":[2,1],"appendNotes":"\#(half)"}"#)
        #expect(refused.text("field") == "appendNotes")
        #expect(refused.text("reason")?.contains("the notes of item 1 would be longer") == true)
        #expect(try sandbox.call("ListItems", #"{"where":"notes != nil"}"#).items.count == 1)
    }
}
