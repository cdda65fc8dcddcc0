import Foundation
import Testing
import Varlink

/// Saved views, and the views `today` and `next`.
@Suite struct ViewTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox(now: "2026-11-23T09:30:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        for name in ["Home", "Work"] { #expect(try sandbox.todoctl("category", "add", name).status == 0) }
        let items: [[String]] = [
            ["Rent", "--due", "friday 9am", "-c", "Home", "-p", "1"],
            ["Report", "--due", "today 17:00", "-c", "Work", "--tag", "office"],
            ["Old bill", "--due", "2026-11-22 10:00", "--past"],
            ["Plan", "--start", "today 14:00", "--due", "friday"],
            ["Later", "--start", "friday"], ["Pictures"],
            ["Mail", "--due", "today", "-p", "3", "--tag", "office"],
        ]
        for item in items { #expect(try sandbox.run("todoctl", ["add", "--literal"] + item).status == 0) }
        return sandbox
    }

    private func lines(_ sandbox: Sandbox, _ line: String) throws -> String {
        let result = try sandbox.shell("todoctl \(line) -F '{name}'")
        #expect(result.status == 0, "\(result)")
        return result.output.split(separator: "\n").joined(separator: ",")
    }

    @Test(arguments: [
        ("--tag office --sort due", "Report,Mail", "--tag office --sort due"),
        ("-c home", "Rent", "--category home"), ("pict", "Pictures", "pict"),
        ("--overdue", "Old bill", "--overdue"),
        (
            "--where 'priority > 0' --sort -priority -n 1", "Mail",
            "--where 'priority > 0' --sort -priority --limit 1"
        ),
        ("--due-before tomorrow --group due", "Old bill,Report,Mail", "--due-before tomorrow --group due"),
        ("--waiting", "Plan,Later", "--waiting"), ("-p high", "Mail,Rent", "--priority 1,2,3,4"),
    ])
    func savedViewShowsItsList(options: String, expected: String, shown: String) throws {
        let sandbox = try filled()
        let saved = try sandbox.shell("todoctl view save work \(options)")
        #expect(saved.output == "Saved view work: list \(shown)\n", "\(saved)")
        #expect(try lines(sandbox, "view work") == expected)
        #expect(try lines(sandbox, "view WORK") == expected)
        #expect(try sandbox.todoctl("view").output == "VIEW  LIST\nwork  \(shown)\n")
        // The text is an argument of `list`.
        #expect(try lines(sandbox, "list \(shown)") == expected)
    }

    @Test(arguments: [
        ("--parent 3", "Box", "--parent 3"), ("--blocked", "Box", "--blocked"),
        ("--unblocked -t office", "Report,Mail", "--unblocked --tag office"),
    ])
    func savedViewShowsSubtasksAndBlockedItems(options: String, expected: String, shown: String) throws {
        let sandbox = try filled()
        let added = try sandbox.todoctl(
            "add", "--literal", "Box", "--parent", "3", "--blocked-by", "6", "--tag", "office")
        #expect(added.status == 0, "\(added)")
        let saved = try sandbox.shell("todoctl view save work \(options)")
        #expect(saved.output == "Saved view work: list \(shown)\n", "\(saved)")
        #expect(try lines(sandbox, "view work") == expected)
        #expect(try lines(sandbox, "list \(shown)") == expected)
    }

    @Test func renamedTagOrCategoryStaysInViews() throws {
        let sandbox = try filled()
        #expect(try sandbox.shell("todoctl view save a --tag OFFICE --category home").status == 0)
        #expect(try sandbox.shell("todoctl view save b --tag office").status == 0)
        #expect(try sandbox.todoctl("tag", "rename", "office", "desk").status == 0)
        #expect(try sandbox.todoctl("category", "rename", "Home", "House").status == 0)
        let views = "VIEW  LIST\na     --category House --tag desk\nb     --tag desk\n"
        #expect(try sandbox.todoctl("view").output == views)
        #expect(try lines(sandbox, "view b") == "Report,Mail")
        #expect(try sandbox.todoctl("undo", "2").status == 0)
        #expect(try lines(sandbox, "view b") == "Report,Mail")
        #expect(try sandbox.todoctl("view").output.contains("--tag office"))
    }

    /// A time in a view has its meaning when the view is shown.
    @Test func relativeTimeStaysRelative() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("view", "save", "soon", "--due-before", "tomorrow").status == 0)
        let reply = try sandbox.call("ListViews")
        guard case .array(let views)? = reply.parameters["views"], case .object(let view)? = views.first,
            case .object(let query)? = view["query"]
        else {
            Issue.record("\(reply)")
            return
        }
        #expect(query["dueBefore"] == .string("tomorrow") && query["timeZone"] == nil)
    }

    @Test func viewsAreRenamedReplacedDeletedAndRestored() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("view", "save", "work", "--tag", "office").status == 0)
        let again = try sandbox.todoctl("view", "save", "Work", "-c", "Work")
        #expect(again.status == 1 && again.errors.contains("the view 'work' already exists"))
        #expect(again.errors.contains("--replace"))
        #expect(
            try sandbox.todoctl("view", "save", "work", "-c", "Work", "--replace").output
                == "Replaced view work: list --category Work\n")
        #expect(try sandbox.todoctl("undo").output.contains("changed the view 'work'"))
        #expect(try lines(sandbox, "view work") == "Report,Mail")
        #expect(
            try sandbox.todoctl("view", "rename", "work", "office").output == "Renamed view work to office\n")
        #expect(try sandbox.todoctl("undo").output.contains("renamed the view 'work' to 'office'"))
        #expect(try sandbox.todoctl("view", "delete", "work").output == "Deleted view work\n")
        let gone = try sandbox.todoctl("view", "work")
        #expect(gone.status == 1 && gone.errors.contains("there is no view 'work'"))
        #expect(try sandbox.todoctl("undo").output.contains("deleted the view 'work'"))
        #expect(try lines(sandbox, "view work") == "Report,Mail")
        #expect(try sandbox.todoctl("redo").status == 0)
        #expect(try sandbox.todoctl("view").output.hasPrefix("There are no views yet."))
    }

    @Test func wrongViewIsNotSaved() throws {
        let sandbox = try filled()
        for (words, problem) in [
            (["x"], "needs words or options of 'list'"), (["save", "--done"], "is a command of 'view'"),
            (["x", "-c", "Nowhere"], "there is no category 'Nowhere'"),
            (["x", "--tag", "nope"], "there is no tag"),
            (["x", "--where", "dew < 1"], "cannot read the predicate"),
            (["x", "--sort", "size"], "sort key"),
            (["", "--done"], "the name"), (["x", "--due-before", "blue"], "cannot read the due time 'blue'"),
        ] {
            let result = try sandbox.run("todoctl", ["view", "save"] + words)
            #expect(result.status != 0 && result.errors.contains(problem), "\(words): \(result)")
        }
        #expect(try sandbox.call("ListViews").parameters["views"] == .array([]))
    }

    /// A view whose category is gone names itself and the command that mends it.
    @Test func viewOfDeletedCategoryIsNamed() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("view", "save", "my work", "-c", "Work").status == 0)
        #expect(try sandbox.todoctl("category", "delete", "Work", "--yes").status == 0)
        let result = try sandbox.todoctl("view", "my work")
        #expect(result.status == 1)
        #expect(
            result.errors == """
                todoctl: cannot show the view 'my work': there is no category 'Work'
                Its query is: list --category Work
                To replace it:  todoctl view save 'my work' --replace OPTIONS
                To delete it:  todoctl view delete 'my work'

                """)
    }

    /// A query of a newer version stays in the store and in exports, and is named.
    @Test func queryOfNewerVersionIsNamed() throws {
        let sandbox = try filled()
        let file =
            #"{"todod":1,"categories":[],"views":[{"name":"new","query":"{\"colour\":\"red\"}"}],"items":[]}"#
        try sandbox.write(file, to: "views.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/views.json").status == 0)
        let result = try sandbox.todoctl("view", "new")
        #expect(result.status == 1 && result.errors.contains("cannot show the view 'new'"), "\(result)")
        #expect(result.errors.contains("colour"))
        #expect(try sandbox.todoctl("view").output.contains("cannot be read"))
        #expect(try sandbox.todoctl("export").output.contains(#"{\"colour\":\"red\"}"#))
    }

    @Test func viewsAreExportedAndImported() throws {
        let sandbox = try filled()
        #expect(try !sandbox.todoctl("export").output.contains(#""views""#))
        #expect(try sandbox.todoctl("view", "save", "work", "--tag", "office").status == 0)
        try sandbox.write(try sandbox.todoctl("export").output, to: "all.json")
        let other = try Sandbox(now: "2026-11-23T10:30:00", zone: "Europe/Berlin")
        _ = try other.startDaemon()
        #expect(try other.todoctl("import", "\(sandbox.directory)/all.json").status == 0)
        #expect(try lines(other, "view work") == "Report,Mail")
        // A file without views keeps those of the store, and an older query does not replace a newer one.
        #expect(try other.todoctl("view", "save", "work", "-c", "Home", "--replace").status == 0)
        let again = try other.todoctl("import", "\(sandbox.directory)/all.json")
        #expect((again.output + again.errors).contains("the view 'work' keeps its query"), "\(again)")
        try other.write(#"{"todod":1,"categories":[],"items":[]}"#, to: "none.json")
        #expect(try other.todoctl("import", "\(other.directory)/none.json").status == 0)
        #expect(try lines(other, "view work") == "Rent")
    }

    @Test func viewNamesAreCompleted() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("view", "save", "work", "--tag", "office").status == 0)
        for (words, expected) in [
            (["view", "wo"], "work\t--tag office\n"), (["view", "delete", ""], "work\t--tag office\n"),
            (["view", "sa"], "save\tSave a list under a name\n"),
            (["view", "rename", "w"], "work\t--tag office\n"),
            (["view", "save", "x", "--overd"], "--overdue\tonly overdue items\n"),
        ] {
            #expect(try sandbox.run("todoctl", ["__complete"] + words).output == expected, "\(words)")
        }
    }

    // MARK: - Views that are built in

    @Test func todayHasGroups() throws {
        let sandbox = try filled()
        #expect(try lines(sandbox, "today") == "Old bill,Report,Mail,Plan")
        let text = try sandbox.todoctl("today").output
        for heading in ["\nOverdue (1)\n", "\nToday (2)\n", "\nStarts today (1)\n"] {
            #expect(text.contains(heading), "\(text)")
        }
        #expect(try sandbox.todoctl("today", "--count").output == "4\n")
        let empty = try Sandbox()
        _ = try empty.startDaemon()
        #expect(try empty.todoctl("today").output == "Nothing is overdue, due today, or starts today.\n")
    }

    /// An item is listed once if it is due today and also starts today.
    @Test func todayListsEachItemOnce() throws {
        let sandbox = try filled()
        _ = try sandbox.todoctl("add", "Call", "--start", "today 15:00", "--due", "today 18:00")
        _ = try sandbox.todoctl("add", "Sweep", "--start", "today 20:00")
        #expect(try lines(sandbox, "today") == "Old bill,Report,Call,Mail,Plan,Sweep")
    }

    @Test func nextIsMostUrgent() throws {
        let sandbox = try filled()
        #expect(try lines(sandbox, "next") == "Old bill")
        #expect(try lines(sandbox, "next 2") == "Old bill,Rent")
        #expect(try lines(sandbox, "next 9") == "Old bill,Rent,Mail,Report,Pictures")
        let wrong = try sandbox.todoctl("next", "0")
        #expect(wrong.status == 2 && wrong.errors.contains("NUMBER is at least 1"))
    }

    // MARK: - Lists

    @Test func footerNamesHiddenItems() throws {
        let sandbox = try filled()
        let all = try sandbox.terminal("todoctl list")
        #expect(all.output.contains("5 items; 2 start later; to list, add --waiting"), "\(all)")
        let few = try sandbox.terminal("todoctl list -n 3")
        #expect(few.output.contains("3 items; more exist; -n 3 shows the first of them"), "\(few)")
        #expect(try !sandbox.todoctl("list", "-n", "3").output.contains("more exist"))
        #expect(try lines(sandbox, "list -n 3").split(separator: ",").count == 3)
    }

    @Test func wordOfTagOrCategoryLeadsToHint() throws {
        let sandbox = try filled()
        #expect(
            try sandbox.todoctl("list", "office").output
                == "No open item matches office. There is a tag of that name:  todoctl list --tag office\n")
        #expect(
            try sandbox.todoctl("list", "@home").output
                .hasSuffix("There is a category of that name:  todoctl list --category Home\n"))
    }

    // MARK: - Edits

    @Test func editSaysWhatHasChanged() throws {
        let sandbox = try filled()
        #expect(
            try sandbox.todoctl("edit", "6", "-p", "2", "-c", "Home", "--tag", "x").output
                == "Changed 6  Pictures  (priority 2; category Home; +x)\n")
        #expect(
            try sandbox.todoctl("edit", "6", "-p", "", "-c", "", "--no-tags").output
                == "Changed 6  Pictures  (no priority; no category; no tags)\n")
        #expect(
            try sandbox.todoctl("edit", "6", "--percent", "100").output
                == "Changed 6  Pictures  (100 % done); to complete it:  todoctl done 6\n")
        #expect(
            try sandbox.todoctl("edit", "6", "--percent", "").output == "Changed 6  Pictures  (0 % done)\n")
    }

    @Test func pastDueTimeOfSeveralItemsNamesItem() throws {
        let sandbox = try filled()
        let result = try sandbox.todoctl("edit", "1", "2", "--due", "today 8am")
        #expect(result.status == 1)
        #expect(
            result.errors.hasPrefix("todoctl: item 1: the due time 'today 8am' is in the past: today 08:00"),
            "\(result)")
    }

    @Test func changeOfManyItemsIsConfirmedOnTerminal() throws {
        let sandbox = try filled()
        for number in 1...5 { #expect(try sandbox.todoctl("add", "more \(number)").status == 0) }
        let declined = try sandbox.terminal("todoctl edit 1-12 -p 4", typing: "n\n")
        #expect(
            declined.status == 1 && declined.output.contains("Change these 12 items? [y/N]"), "\(declined)")
        #expect(try sandbox.todoctl("list", "--all", "-p", "4", "--count").output == "0\n")
        #expect(try sandbox.terminal("todoctl edit 1-3 -p 4").status == 0)
        #expect(try sandbox.todoctl("edit", "1-12", "-p", "5").status == 0)
        #expect(try sandbox.terminal("todoctl edit 1-12 -p 4 --yes").status == 0)
    }
}
