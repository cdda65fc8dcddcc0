import Foundation
import Testing
import Varlink

/// Commands that take several items, ranges and predicates, and ask before they delete several items.
@Suite struct SelectionTests {
    /// A sandbox with six items. The fourth is done and the fifth is deleted.
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b", "c", "d", "e", "f"])
        #expect(try sandbox.todoctl("done", "4").status == 0)
        #expect(try sandbox.todoctl("delete", "5").output == "Deleted 5  e\n")
        return sandbox
    }

    private func ids(_ sandbox: Sandbox, _ options: String...) throws -> String {
        try sandbox.run("todoctl", ["list", "--format", "{id}", "--sort", "id"] + options).output
            .split(separator: "\n").joined(separator: " ")
    }

    @Test func rangeSelectsExistingItems() throws {
        let sandbox = try filled()
        #expect(
            try sandbox.todoctl("done", "2-5,6", "1").output == "Done 1  a\nDone 2  b\nDone 3  c\nDone 6  f\n"
        )
        #expect(
            try sandbox.todoctl("reopen", "3-100").output == "Reopened 3  c\nReopened 4  d\nReopened 6  f\n")
        #expect(try ids(sandbox) == "3 4 6")
        #expect(
            try sandbox.todoctl("done", "7-9").output == "No open item matches 7-9; nothing was changed.\n")
        #expect(try sandbox.todoctl("done", "7-9", "--json").output == "{\"items\":[]}\n")
    }

    @Test func unknownItemNumberIsRefused() throws {
        let sandbox = try filled()
        let result = try sandbox.todoctl("done", "1-3", "5")
        #expect(result.status == 1 && result.errors.contains("there is no item 5; nothing was changed"))
        #expect(try ids(sandbox) == "1 2 3 6")
    }

    @Test func predicateSelectsItemsForTheCommand() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("mute", "--where", "name IN {'a', 'd'}").output == "Muted 1  a\n")
        #expect(try sandbox.todoctl("reopen", "--where", "TRUEPREDICATE").output == "Reopened 4  d\n")
        #expect(
            try sandbox.todoctl("snooze", "--where", "name == 'b'", "until", "tomorrow", "9am").output
                .hasPrefix("Snoozed 2  b until tomorrow"))
        let minutes = try sandbox.todoctl("snooze", "1", "3", "5", "minutes").output
        #expect(minutes.split(separator: "\n").map { $0.prefix(12) } == ["Snoozed 1  a", "Snoozed 3  c"])
        let wrong = try sandbox.todoctl("done", "--where", "nmae == 'b'")
        #expect(wrong.status == 1 && wrong.errors.contains("cannot read the predicate"))
        #expect(try sandbox.todoctl("done", "3", "--where", "name == 'b'").status == 2)
    }

    /// A5: A number after the items can mean another item or minutes.
    @Test(arguments: [
        (["1", "3"], "1 3 10m", "1 3min"), (["1", "2", "3"], "1 2 3 10m", "1 2 3min"),
        (["1-2", "6"], "1-2 6 10m", "1-2 6min"),
    ])
    func snoozeRefusesAmbiguousNumber(words: [String], items: String, minutes: String) throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", ["snooze"] + words)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors.contains("Nothing was snoozed."))
        #expect(result.errors.contains("todoctl snooze \(items)\n"), "\(result.errors)")
        #expect(result.errors.contains("todoctl snooze \(minutes)\n"), "\(result.errors)")
        #expect(try ids(sandbox, "--where", "snoozedUntil != nil") == "")
    }

    /// A5: Words that can only mean items are items.
    @Test(arguments: [["1,3"], ["1-3"], ["1", "3", "10m"], ["1", "2-3"], ["--where", "id < 4"]])
    func snoozeTakesUnambiguousItems(words: [String]) throws {
        let sandbox = try filled()
        let result = try sandbox.run("todoctl", ["snooze"] + words)
        #expect(result.status == 0 && result.output.hasPrefix("Snoozed 1  a until "), "\(result.errors)")
        #expect(try ids(sandbox, "--where", "snoozedUntil != nil").hasSuffix("3"))
    }

    /// A5: `snooze off` ends the snooze of several items, and undo restores it.
    @Test func offEndsSnooze() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("edit", "1", "--due", "in 2 hours").status == 0)
        #expect(try sandbox.todoctl("snooze", "1", "3", "1d").status == 0)
        let result = try sandbox.todoctl("snooze", "1-3", "off")
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(
            lines[0].hasPrefix("Unsnoozed 1  a; next alert ")
                && lines.dropFirst() == ["Was not snoozed: 2  b", "Unsnoozed 3  c"])
        #expect(try ids(sandbox, "--where", "snoozedUntil != nil") == "")
        #expect(try sandbox.todoctl("undo").output.hasPrefix("Undone: ended the snooze of 2 items"))
        #expect(try ids(sandbox, "--where", "snoozedUntil != nil") == "1 3")
        // Other programs use the API.
        #expect(try sandbox.call("SnoozeItems", #"{"ids":[1],"off":true}"#).error == nil)
        #expect(try ids(sandbox, "--where", "snoozedUntil != nil") == "3")
        for wrong in [#"{"ids":[1]}"#, #"{"ids":[1],"off":false}"#, #"{"ids":[1],"off":true,"until":"1h"}"#] {
            #expect(try sandbox.call("SnoozeItems", wrong).error?.hasSuffix("InvalidValue") == true)
        }
    }

    @Test func deletionOfSeveralItemsNeedsYesWithoutTerminal() throws {
        let sandbox = try filled()
        for (words, hint) in [
            (["1", "2"], "todoctl delete 1 2 --yes"), (["1-3"], "todoctl delete 1-3 --yes"),
            (["--where", "name < 'c'"], #"todoctl delete --where 'name < '\''c'\''' --yes"#),
        ] {
            let result = try sandbox.run("todoctl", ["delete"] + words)
            #expect(result.status == 2)
            #expect(result.errors.contains("To confirm:  \(hint)\n"), "\(result.errors)")
        }
        #expect(try ids(sandbox, "--all") == "1 2 3 4 6")
        #expect(
            try sandbox.todoctl("delete", "--where", "name < 'c'", "--yes").output
                == "Deleted 1  a\nDeleted 2  b\n")
        #expect(try sandbox.todoctl("delete", "--where", "name == 'c'").status == 0)
    }

    // MARK: - Many items

    @Test func itemsBeyondOneCallAreChangedInSeveral() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let count = 10_001
        try sandbox.addItems((1...count).map { "Item \($0)" })
        let ids = (1...count).map(String.init)
        let all = try sandbox.run("todoctl", ["mute"] + ids)
        let lines = all.output.split(separator: "\n")
        #expect(all.status == 0 && lines.count == count + 1)
        #expect(lines.last == "This made 2 changes. To undo them:  todoctl undo 2")
        #expect(try sandbox.todoctl("undo", "2").status == 0)
        #expect(try sandbox.call("ListItems", #"{"where":"doNotAlert == YES","limit":1}"#).items.isEmpty)
    }

    @Test func manyRangesAreAccepted() throws {
        let sandbox = try filled()
        let ranges = (1...1_500).map { "\($0 * 2)-\($0 * 2 + 1)" }
        let result = try sandbox.run("todoctl", ["mute"] + ranges)
        #expect(result.output == "Muted 2  b\nMuted 3  c\nMuted 6  f\n", "\(result.errors)")
        let numbers = (1...3_000).map(String.init)
        let asked = try sandbox.run("todoctl", ["delete"] + numbers)
        #expect(asked.status == 2 && asked.errors.contains("'delete' of 3000 items needs confirmation"))
    }

    // MARK: - Show

    @Test func showPrintsSeveralItems() throws {
        let sandbox = try filled()
        let texts = try sandbox.todoctl("show", "1", "3-5").output.components(separatedBy: "\n\n")
        #expect(texts.map { $0.prefix { $0 != "\n" } } == [1, 3, 4].map { "Item:          \($0)" })
        #expect(try sandbox.todoctl("show", "--where", "name == 'b'").output.hasPrefix("Item:          2\n"))
        #expect(try sandbox.todoctl("show", "7-9").output == "No item matches 7-9.\n")
        let missing = try sandbox.todoctl("show", "1", "5")
        #expect(
            missing.status == 1 && missing.output.isEmpty && missing.errors.contains("there is no item 5"))
    }

    @Test func showNamesNoAlertOfMutedCategory() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        #expect(try sandbox.todoctl("edit", "1", "--category", "home", "--due", "in 2 days").status == 0)
        #expect(try sandbox.todoctl("show", "1").output.contains("Next alert:"))
        #expect(try sandbox.todoctl("category", "mute", "home").status == 0)
        let muted = try sandbox.todoctl("show", "1").output
        #expect(muted.contains("Category:      Home (muted)\n") && !muted.contains("Next alert:"))
    }

    /// L9: One item has the same form in JSON as several.
    @Test(arguments: [
        ("1", #"{"items":[{"id":1,"#), ("1-1", #"{"items":[{"id":1,"#), ("1-2", #"{"items":[{"id":1,"#),
        ("3-4", #"{"items":[{"id":3,"#), ("7-9", #"{"items":[]}"#),
    ])
    func showPrintsItemsInJSON(words: String, beginning: String) throws {
        let sandbox = try filled()
        let output = try sandbox.todoctl("show", "--json", words).output
        #expect(output.hasPrefix(beginning), "\(output)")
        #expect(output.split(separator: "\n").count == 1)
    }

    // MARK: - Questions

    @Test(arguments: [("y", true), ("yes", true), ("", false), ("n", false)])
    func deletionAsksOnTerminal(answer: String, deletes: Bool) throws {
        let sandbox = try filled()
        let result = try sandbox.terminal("todoctl delete 1 2", typing: answer + "\n")
        let question = "2 items:\r\n  1  a\r\n  2  b\r\nDelete these 2 items? [y/N] "
        #expect(result.output.contains(question), "\(result)")
        #expect(result.status == (deletes ? 0 : 1))
        #expect(try ids(sandbox) == (deletes ? "3 6" : "1 2 3 6"))
    }

    @Test func unknownCategoryIsCreatedOnRequest() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let near = try sandbox.todoctl("add", "x", "--category", "Hom")
        #expect(near.status == 1 && near.errors.contains("did you mean 'Home'?"))
        #expect(
            try sandbox.todoctl("add", "x", "--category", "Hobby", "--new-category").output == "Added 7  x\n")
        #expect(try sandbox.todoctl("edit", "7", "--category", "Garden", "--new-category").status == 0)

        let meant = try sandbox.terminal("todoctl add y --category Hom", typing: "y\n")
        #expect(
            meant.output.contains("There is no category 'Hom'. Did you mean 'Home'? [y/N] "), "\(meant)")
        #expect(try sandbox.terminal("todoctl add z --category Fun", typing: "y\n").status == 0)
        #expect(try sandbox.terminal("todoctl add z --category No", typing: "n\n").status == 1)
        #expect(
            try sandbox.todoctl("list", "-F", "{name}={category}", "--where", "category != nil").output
                == "x=Garden\ny=Home\nz=Fun\n")
    }

    @Test func deletionOfCategoryWithItemsNeedsYes() throws {
        let sandbox = try filled()
        for name in ["Home", "Work"] { #expect(try sandbox.todoctl("category", "add", name).status == 0) }
        for id in ["1", "2"] { #expect(try sandbox.todoctl("edit", id, "-c", "Home").status == 0) }
        let refused = try sandbox.todoctl("category", "delete", "home")
        #expect(refused.status == 2 && refused.errors.contains("todoctl category delete home --yes"))
        #expect(try sandbox.todoctl("category", "delete", "Home", "--move-to", "Work").status == 0)
        #expect(try sandbox.todoctl("category", "delete", "Work", "--yes").output.contains("2 items"))
    }

    /// R8: A regular expression that takes too long is an error of the predicate, not of the store.
    @Test func slowMatchIsAnErrorOfThePredicate() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems([String(repeating: "a", count: 100) + "cb"])
        for arguments in [["list"], ["list", "--limit", "5"], ["delete", "--yes"]] {
            let result = try sandbox.run("todoctl", arguments + ["--where", "name MATCHES '(a+)+b'"])
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("todoctl: cannot read the predicate: "), "\(result.errors)")
            #expect(result.errors.contains("takes too long"))
        }
        #expect(try sandbox.call("Status").integer("items") == 1)
    }

    /// R3: An unknown category of any length is answered immediately. A full comparison of such a long name would take
    /// a minute.
    @Test func longUnknownCategoryIsAnsweredImmediately() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let name = String(repeating: "c", count: 250)
        for number in 10..<30 {
            #expect(try sandbox.call("AddCategory", #"{"name":"\#(name)\#(number)"}"#).error == nil)
        }
        let long = String(repeating: "c", count: 900_000)
        let reply = try sandbox.call("AddItem", #"{"name":"x","category":"\#(long)"}"#)
        #expect(reply.error == "dev.todod.Todo.CategoryNotFound")
        let near = try sandbox.call("AddItem", #"{"name":"x","category":"\#(name)9x"}"#)
        #expect(near.parameters["similar"] != .array([]))
    }
}
