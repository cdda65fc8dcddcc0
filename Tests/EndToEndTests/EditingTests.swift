import Foundation
import Testing
import Varlink

/// Changes of several items at once, and the changes that are refused.
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

    /// Returns a line for each item, open or done.
    private func state(_ sandbox: Sandbox) throws -> [String] {
        try sandbox.todoctl("list", "--all", "--sort", "id", "-F", "{id} {category} {priority} {notes}")
            .output.split(separator: "\n").map(String.init)
    }

    /// A3: An edit changes all named items, and one undo reverts it.
    @Test func editChangesSeveralItemsInOneStep() throws {
        let sandbox = try filled()
        let before = try state(sandbox)
        let edited = try sandbox.todoctl("edit", "1", "2-3", "-c", "Home", "--new-category", "-p", "2")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(edited.output.hasPrefix("Changed 1  Tea  (priority 2; category Home)\nChanged 2  Milk  ("))
        #expect(try state(sandbox) == ["1 Home 2 n", "2 Home 2 n", "3 Home 2 n", "4  0 n"])
        let undone = try sandbox.todoctl("undo")
        #expect(undone.output.contains("changed the priority and the category of 3 items"), "\(undone)")
        #expect(try state(sandbox) == before)
    }

    /// A3: A predicate selects the items of an edit, and the JSON reply contains all of them.
    @Test func editTakesPredicate() throws {
        let sandbox = try filled()
        let reply = try sandbox.todoctl("edit", "--where", "name IN {'Tea', 'Milk'}", "-p", "high", "--json")
        #expect(reply.output.hasPrefix(#"{"items":[{"id":1,"#) && reply.output.contains(#"{"id":2,"#))
        #expect(try state(sandbox).map { $0.contains(" 1 ") } == [true, true, false, false])
        let none = try sandbox.todoctl("edit", "--where", "name == 'Salt'", "-p", "high")
        #expect(none.status == 0 && none.output.contains("; nothing was changed."))
    }

    /// A3: If one item cannot be changed, no item is changed, and the error names it.
    @Test(arguments: [
        (["1", "2", "7", "-p", "1"], Int32(1), "there is no item 7; nothing was changed"),
        (["1-3", "--due", ""], 1, "item 3: a repeating item needs one"),
        (["1", "2", "--name", "Same"], 2, "--name needs the number of a single item"),
        (["1", "2"], 2, "'edit' of several items needs something to change"),
        (["1", "2", "--past"], 2, "'edit' of several items needs something to change"),
        (
            ["1", "2", "--notes", "a", "--append-notes", "b"], 2,
            "--notes and --append-notes cannot be combined"
        ),
        (["1", "--append-notes", " "], 1, "cannot use the added notes: it is empty"),
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

    /// A8: Notes can be appended to existing notes.
    @Test func appendedNotesFollowExistingNotes() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("edit", "2", "--notes", "").status == 0)
        #expect(try sandbox.todoctl("edit", "1-2", "--append-notes", "called").status == 0)
        #expect(try state(sandbox).prefix(2) == ["1  0 n\\ncalled", "2  0 called"])
    }

    /// A3: The API refuses an empty list, `ifModified` for several items, and two ways to change notes.
    @Test(arguments: [
        (#"{"ids":[],"name":"x"}"#, "ids"),
        (#"{"ids":[1,2],"ifModified":"2031-05-01T00:00:00Z"}"#, "ifModified"),
        (#"{"ids":[1],"notes":"a","appendNotes":"b"}"#, "appendNotes"),
        (#"{"ids":[1],"appendNotes":""}"#, "appendNotes"),
    ])
    func updateRefusesInvalidFields(parameters: String, field: String) throws {
        let sandbox = try filled()
        let before = try state(sandbox)
        let reply = try sandbox.call("UpdateItems", parameters)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == field)
        #expect(try state(sandbox) == before)
    }

    /// A3: An edit of more items than one batch is also one undo step, and appended notes have a limit.
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

    /// A command that changes nothing says so and adds no undo step.
    @Test(arguments: [
        (["edit", "1", "--notes", "n"], "Nothing changed: 1  Tea\n"),
        (["edit", "1", "--name", "Tea", "--priority", "none", "--lead", ""], "Nothing changed: 1  Tea\n"),
        (["snooze", "1", "off"], "Was not snoozed: 1  Tea\n"), (["unmute", "2"], "Was not muted: 2  Milk\n"),
        (["done", "4"], "Already done: 4  Jam\n"),
    ])
    func commandWithoutEffectReportsIt(words: [String], output: String) throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", words)
        #expect(result.status == 0 && result.output == output, "\(result)")
        #expect(try sandbox.todoctl("undo").output.hasPrefix("Undone: completed 'Jam'"))
    }

    @Test func categoryCommandWithoutEffectReportsIt() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let expected = [
            (["unmute", "home"], "Category Home was not muted"), (["mute", "home"], "Muted category Home"),
            (["mute", "home"], "Category Home was already muted"),
            (["rename", "home", "Home"], "Nothing changed: category Home"),
        ]
        for (words, line) in expected {
            #expect(try sandbox.run("todoctl", ["category"] + words).output == line + "\n")
        }
        #expect(try sandbox.todoctl("undo").output.hasPrefix("Undone: muted the category 'Home'"))
    }

    @Test func replyNamesUnchangedItems() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("mute", "1").status == 0)
        let muted = try sandbox.todoctl("mute", "1-2").output.split(separator: "\n")
        #expect(muted == ["Already muted: 1  Tea", "Muted 2  Milk"])
        let reply = try sandbox.call("UpdateItems", #"{"ids":[1,2,3],"muted":true}"#)
        #expect(reply.parameters["unchanged"] == .array([.integer(1), .integer(2)]))
        #expect(try sandbox.call("MuteItems", #"{"ids":[3],"muted":false}"#).parameters["unchanged"] == nil)
    }

    @Test func undoReportsHowManyChangesWereUndone() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        let lines = try sandbox.todoctl("undo", "99").output.split(separator: "\n")
        #expect(lines.count == 3 && lines[2] == "Only 2 of 99 changes were undone: there are no more.")
        #expect(try sandbox.todoctl("redo", "2").output.split(separator: "\n").count == 2)
    }

    // MARK: - Adding

    /// A6: `add` refuses a lead time without a due time, and `edit` reports that it has no effect.
    @Test func leadTimeNeedsDueTime() throws {
        let sandbox = try filled()
        let refused = try sandbox.todoctl("add", "x", "--lead", "1h")
        #expect(refused.status == 2 && refused.errors.contains("--lead needs --due or --every"))
        let reply = try sandbox.call("AddItem", #"{"name":"x","leads":"1h"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "leads")
        #expect(try sandbox.call("Status").integer("items") == 4)
        #expect(try sandbox.todoctl("add", "x", "--every", "day", "--lead", "1h").status == 0)
        let edited = try sandbox.todoctl("edit", "1", "3", "--lead", "1h").output
        #expect(edited.hasPrefix("Changed 1  Tea; without a due time (--due) the lead time has no effect\n"))
        #expect(edited.split(separator: "\n")[1].hasSuffix("every day)"), "\(edited)")
    }

    /// A7: Options of other programs in a name lead to a hint with the options of `todoctl`, which work.
    @Test(arguments: [
        (
            "Milk due:tomorrow project:home pri:H",
            "--name Milk --due tomorrow --category home --priority 1 --new-category"
        ),
        ("Milk @GARDEN", "--name Milk --category GARDEN"),
        ("Milk +GARDEN", "--name Milk --tag GARDEN"),
        (
            "Milk +shop +errand @garden +Shop",
            "--name Milk --category garden --tag shop --tag errand --tag Shop"
        ),
        ("Call tag:work tomorrow 9am", "--name Call --due 'tomorrow 9am' --tag work"),
        ("Water recur:day due:friday", "--name Water --due friday --every day"),
        ("Milk @garden tomorrow 9am", "--name Milk --due 'tomorrow 9am' --category garden"),
        ("Milk tomorrow 9am @garden", "--name Milk --due 'tomorrow 9am' --category garden"),
        ("Milk tomorrow @garden 9am", "--name Milk --due 'tomorrow 9am' --category garden"),
        ("Water every monday @garden", "--name Water --every monday --category garden"),
        ("Water pri:X due:friday", "--name 'Water pri:X' --due friday"),
    ])
    func optionsOfOtherProgramsLeadToHint(name: String, options: String) throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Garden").status == 0)
        let lines = try sandbox.todoctl("add", name).output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines[0] == "Added 5  \(name)")
        let command = try #require(lines.last?.components(separatedBy: ":  ").last)
        #expect(command == "todoctl edit 5 \(options)")
        let edited = try sandbox.shell(command)
        #expect(edited.status == 0, "\(edited)")
    }

    /// A7: Words that only resemble options are part of the name.
    @Test(arguments: [
        "Mail a@b.c", "See http://x", "1 + 1", "due: x", "C: drive", "+1 day",
        "Tea pri:urgent",
        "Tea pri:12",
    ])
    func nameWithoutOptionsHasNoHint(name: String) throws {
        let sandbox = try filled()
        #expect(try !sandbox.todoctl("add", "--", name).output.contains("The whole text is the name"))
    }

    /// Options without effect, values that the daemon refuses and options of other commands are refused by name.
    @Test(arguments: [
        ("add x --new-category", "--new-category needs --category"),
        ("edit 1 --name x --new-category", "--new-category needs --category"),
        ("add x --due tomorrow --every day --between 9-18", "cannot use the option --between: "),
        ("edit 1 --due tomorrow --lead x", "cannot use the option --lead: "),
        ("edit 1 --mute", "Did you mean 'todoctl mute 1'?"),
        ("edit --unmute", "Did you mean 'todoctl unmute ITEM'?"),
    ])
    func refusalNamesOption(line: String, expected: String) throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", line.split(separator: " ").map(String.init))
        #expect(result.status != 0 && result.errors.contains(expected), "\(result)")
    }

    /// A8: A tab and a line feed in a name are shown as `\t` and `\n`.
    @Test func tabAndLineFeedAreShownAsEscapes() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("add", "a\tb\nc").output == #"Added 5  a\tb\nc"# + "\n")
    }

    // MARK: - Command line

    /// A9: Aliases and abbreviated long options are accepted.
    @Test func aliasesAndAbbreviatedOptionsAreAccepted() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("new", "Salt", "--prio", "high", "--cat", "Home", "--new").status == 0)
        #expect(
            try sandbox.todoctl("ls", "--prio=high", "--form", "{name} {category}").output == "Salt Home\n")
        #expect(try sandbox.todoctl("rm", "5").output == "Deleted 5  Salt\n")
        let ambiguous = try sandbox.todoctl("ls", "--due", "friday")
        #expect(ambiguous.status == 2)
        #expect(ambiguous.errors.contains("'--due' is ambiguous: '--due-before', '--due-after'"))
    }

    /// A10: The error for an unknown category names the option that creates it, if there is no terminal to ask on.
    @Test func unknownCategoryNamesOptionThatCreatesIt() throws {
        let result = try filled().todoctl("edit", "1", "-c", "Garden")
        #expect(
            result.errors.contains("Create it with --new-category, or with:  todoctl category add Garden"))
    }

    /// A new category is a part of the change that needs it.
    @Test(arguments: [["add", "x", "-p", "12"], ["edit", "1", "7"], ["edit", "1", "--due", "garbage"]])
    func failedCommandAddsNoCategory(command: [String]) throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", command + ["-c", "New", "--new-category"])
        #expect(result.status == 1)
        #expect(!(try sandbox.todoctl("category").output.contains("New")), "\(result)")
    }

    @Test(arguments: [["add", "x"], ["edit", "1", "2"]])
    func undoRemovesCategoryOfTheChange(command: [String]) throws {
        let sandbox = try filled()
        let list = "todoctl list --sort id -F '{id} {name} {category}'; todoctl category"
        let before = try sandbox.shell(list).output
        let result = try sandbox.run("todoctl", command + ["-c", "New", "--new-category"])
        #expect(result.status == 0, "\(result)")
        #expect(try sandbox.todoctl("category").output.contains("New"))
        #expect(try sandbox.todoctl("undo").status == 0)
        #expect(try sandbox.shell(list).output == before)
        #expect(try sandbox.todoctl("redo").status == 0)
        #expect(
            try sandbox.todoctl("list", "--category", "New", "--count").output == "\(command.count - 1)\n")
    }

    // MARK: - JSON

    /// L9: Every command that returns items prints them under the same JSON name.
    @Test(arguments: [
        ["add", "x"], ["list"], ["due", "9d"], ["show", "1"], ["edit", "1", "-p", "1"], ["done", "1"],
        ["reopen", "4"], ["snooze", "1", "5m"], ["mute", "1"], ["unmute", "1"], ["skip", "3"],
        ["delete", "1"],
    ])
    func itemCommandPrintsItems(words: [String]) throws {
        let output = try filled().run("todoctl", words + ["--json"]).output
        #expect(output.hasPrefix(#"{"items":[{"id":"#), "\(words): \(output)")
    }

    /// L9: With `--json`, an error is a line of JSON.
    @Test(arguments: [
        (["show", "77"], Int32(1), "dev.todod.Todo.ItemNotFound", #""parameters":{"ids":[77]}}"#),
        (
            ["add", "x", "--due", "never"], 1, "dev.todod.Todo.InvalidDate",
            #""parameters":{"field":"due","text":"never""#
        ),
        (["edit", "1", "-c", "No"], 1, "dev.todod.Todo.CategoryNotFound", #""similar":[]}}"#),
        (["list", "--frob"], 2, "Usage", #""parameters":{}}"#), (["frob"], 2, "Usage", "no command 'frob'"),
        (["import", "/nowhere"], 1, "Failed", "cannot read /nowhere"),
        (["list", "--socket", "/nowhere"], 3, "NoDaemon", "no daemon answers at /nowhere"),
    ])
    func errorIsJSON(words: [String], status: Int32, name: String, part: String) throws {
        let result = try filled().run("todoctl", words + ["--json"])
        #expect(result.status == status && result.output.isEmpty, "\(result)")
        #expect(
            result.errors.hasPrefix(#"{"error":"\#(name)","message":""#) && result.errors.contains(part),
            "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(!result.errors.contains("todoctl: "))
    }

    // MARK: - Import

    private func calendar(_ name: String) -> String {
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(name)\r\nSUMMARY:\(name)\r\nEND:VTODO\r\nEND:VCALENDAR"
    }

    /// I3: Several calendars, including those of a directory, are one import and one undo step.
    @Test func severalCalendarsAreOneImport() throws {
        let sandbox = try filled()
        for name in ["a", "b"] { try sandbox.write(calendar(name), to: "work/cal/\(name).ics") }
        try sandbox.write("\u{FEFF}" + calendar("c"), to: "work/c.ics")
        for name in ["color", ".hidden"] { try sandbox.write("#ff0000", to: "work/cal/\(name)") }
        try sandbox.write("x", to: "work/cal/inner/d.ics")
        let result = try sandbox.shell("todoctl import cal c.ics")
        #expect(result.status == 0 && result.output == "3 added\n", "\(result)")
        #expect(
            result.errors == """
                todoctl: cal/color: not an iCalendar file, omitted
                todoctl: cal/inner: a directory, omitted

                """)
        #expect(try sandbox.shell("todoctl import cal/*.ics c.ics").output == "3 unchanged\n")
        #expect(try sandbox.todoctl("undo").output.contains("imported 3 items"))
        #expect(try sandbox.call("Status").integer("items") == 4)
    }

    /// A remark on one of several files names the file and the line in it.
    @Test func importRemarksNameTheFile() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let begin = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n"
        func task(_ uid: String, _ lines: String = "SUMMARY:x\r\n") -> String {
            "BEGIN:VTODO\r\nUID:\(uid)\r\nDTSTAMP:20261120T120000Z\r\n\(lines)END:VTODO\r\n"
        }
        try sandbox.write(begin + task("1") + "END:VCALENDAR", to: "work/a.ics")
        try sandbox.write(begin + task("2") + task("3", "") + "END:VCALENDAR\r\n", to: "work/b.ics")
        let result = try sandbox.shell("todoctl import a.ics b.ics")
        #expect(
            result.output == "3 added\n  b.ics, line 9: a task without a SUMMARY is called '(no name)'\n",
            "\(result)")
        try sandbox.write(begin + "BEGIN:VTODO\r\nEND:VCALENDAR\r\n", to: "work/c.ics")
        let refused = try sandbox.shell("todoctl import a.ics c.ics")
        #expect(
            refused.errors.hasPrefix(
                "todoctl: cannot import the file: c.ics, line 5: END:VCALENDAR has no matching BEGIN"),
            "\(refused)")
        // A single file is not named.
        let alone = try sandbox.shell("todoctl import b.ics")
        #expect(alone.output.hasSuffix("  line 9: a task without a SUMMARY is called '(no name)'\n"))
    }

    /// I3: If one file cannot be imported, nothing is imported, and the error names the file.
    @Test(arguments: [
        ("a.ics items.json", "items.json is not an iCalendar file; nothing was imported"),
        ("a.ics half.ics", "half.ics is incomplete"),
        ("a.ics nowhere.ics", "cannot read nowhere.ics: No such file"),
        ("a.ics -", "standard input (-) cannot be imported together with files"),
        ("a.ics a.ics -f json", "can be imported as icalendar only"),
        ("empty", "there is no iCalendar file in empty"),
        ("a.ics wrong.ics", "nothing was imported"),
        ("binary", "cannot read binary/x.ics: it is not UTF-8 text"),
    ])
    func importOfSeveralFilesIsAllOrNothing(files: String, error: String) throws {
        let sandbox = try filled()
        try sandbox.write(calendar("a"), to: "work/a.ics")
        try sandbox.write("[]", to: "work/items.json")
        try sandbox.write(String(calendar("h").dropLast(20)), to: "work/half.ics")
        try sandbox.write(calendar("w").replacing("END:VTODO", with: "END:VEVENT"), to: "work/wrong.ics")
        _ = try sandbox.shell("mkdir empty binary; printf 'BEGIN:VCALENDAR\\377' > binary/x.ics")
        let result = try sandbox.shell("todoctl import \(files) < /dev/null")
        #expect(result.status != 0 && result.errors.lowercased().contains(error.lowercased()), "\(result)")
        #expect(try sandbox.call("Status").integer("items") == 4)
    }
}
