import Foundation
import Testing
import TodoAPI
import Varlink

/// The items of a list, their order, and their form.
@Suite struct ListTests {
    /// A sandbox with five items in two categories, in a store of this kind.
    private func filled(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        for name in ["Home", "Work"] { #expect(try sandbox.todoctl("category", "add", name).status == 0) }
        for (name, due, category) in [
            ("Pay the rent", "in 3 days", "Home"), ("Call Zoë", "in 2 hours", "Work"),
            ("Water the plants", nil, "Home"), ("Old bill", "2020-01-01", nil),
            ("Rent a car", "in 10 days", nil),
        ] {
            let options =
                (due.map { ["--due", $0, "--past"] } ?? []) + (category.map { ["--category", $0] } ?? [])
            #expect(try sandbox.run("todoctl", ["add", name] + options).status == 0)
        }
        #expect(try sandbox.todoctl("done", "4").status == 0)
        return sandbox
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func itemsWithoutPriorityAreLast(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        for (name, priority) in [("none", 0), ("low", 9), ("high", 1), ("none too", 0), ("middle", 5)] {
            let reply = try sandbox.call("AddItem", #"{"name":"\#(name)","priority":\#(priority)}"#)
            #expect(reply.error == nil)
        }
        #expect(
            try sandbox.call("ListItems", #"{"order":["priority"]}"#).names
                == ["high", "middle", "low", "none", "none too"])
        #expect(
            try sandbox.call("ListItems", #"{"order":["-priority","-id"]}"#).names
                == ["low", "middle", "high", "none too", "none"])
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func filtersSelectMatchingItems(kind: String) throws {
        let sandbox = try filled(kind)
        let cases: [(parameters: String, names: [String])] = [
            ("{}", ["Call Zoë", "Pay the rent", "Rent a car", "Water the plants"]),
            (#"{"state":"completed"}"#, ["Old bill"]),
            (
                #"{"state":"all","order":["name"]}"#,
                ["Call Zoë", "Old bill", "Pay the rent", "Rent a car", "Water the plants"]
            ),
            (#"{"order":["-name"],"limit":2}"#, ["Water the plants", "Rent a car"]),
            (
                #"{"order":["category","-due"]}"#,
                ["Pay the rent", "Water the plants", "Call Zoë", "Rent a car"]
            ),
            (#"{"order":["-due"],"offset":3}"#, ["Water the plants"]),
            (#"{"category":"home"}"#, ["Pay the rent", "Water the plants"]),
            (#"{"text":"RENT"}"#, ["Pay the rent", "Rent a car"]),
            (#"{"text":"zoe call"}"#, ["Call Zoë"]),
            (#"{"within":"1d"}"#, ["Call Zoë"]),
            (#"{"dueBefore":"in 5 days","dueAfter":"in 1 day"}"#, ["Pay the rent"]),
            (#"{"state":"all","dueBefore":"today"}"#, ["Old bill"]),
            (#"{"where":"category == nil AND dueDate > $now"}"#, ["Rent a car"]),
            (
                #"{"where":"name BEGINSWITH[c] %@ OR dueDate < %@","arguments":[{"text":"water"},{"moment":"in 3 hours"}]}"#,
                ["Call Zoë", "Water the plants"]
            ),
            (#"{"where":"category.name IN %@","arguments":[{"texts":["Work","Play"]}]}"#, ["Call Zoë"]),
            (#"{"where":"category == %@","arguments":[{}]}"#, ["Rent a car"]),
        ]
        for (parameters, names) in cases {
            #expect(try sandbox.replies("ListItems", parameters).flatMap(\.names) == names, "\(parameters)")
            #expect(try sandbox.call("ListItems", parameters).names == names, "\(parameters)")
        }
        #expect(try sandbox.call("DueItems").names == ["Call Zoë"])
        // A list is encoded from rows, a single item from an object.
        for listed in try sandbox.call("ListItems", #"{"state":"all"}"#).items {
            guard case .integer(let id)? = listed["id"] else { continue }
            guard case .object(let item)? = try sandbox.call("GetItem", #"{"id":\#(id)}"#).parameters["item"]
            else { continue }
            let omitted: Set = ["alerts", "leads", "links", "tags", "blockedBy", "blocks"]
            #expect(listed == JSONObject(item.members.filter { !omitted.contains($0.name) }))
        }
        #expect(try sandbox.call("DueItems", #"{"within":"5d"}"#).names == ["Call Zoë", "Pay the rent"])
    }

    @Test func listReturnsRequestedFieldsOnly() throws {
        let sandbox = try filled()
        let reply = try sandbox.call("ListItems", #"{"fields":["due"],"limit":1}"#)
        #expect(
            reply.items.map { $0.members.map(\.name) }
                == [["id", "uid", "name", "priority", "due", "completed", "muted"]])
    }

    @Test func listNamesTheWrongField() throws {
        let sandbox = try filled()
        let long = String(repeating: "x", count: 17_000)
        let many = Array(repeating: #"{"integer":1}"#, count: 1_001).joined(separator: ",")
        let cases: [(parameters: String, error: String, field: String)] = [
            (#"{"order":["due","when"]}"#, "InvalidValue", "order[1]"),
            (#"{"order":["id","id","id","id","id","id","id","id","id"]}"#, "InvalidValue", "order"),
            (#"{"fields":["x"]}"#, "InvalidValue", "fields[0]"), (#"{"limit":-1}"#, "InvalidValue", "limit"),
            (#"{"offset":-1}"#, "InvalidValue", "offset"), (#"{"within":"soon"}"#, "InvalidValue", "within"),
            (#"{"timeZone":"Mars/Base"}"#, "InvalidValue", "timeZone"),
            (#"{"dueBefore":"32 may"}"#, "InvalidDate", "dueBefore"),
            (#"{"dueAfter":""}"#, "InvalidDate", "dueAfter"),
            (
                #"{"where":"name == %@","arguments":[{"text":"a","flag":true}]}"#, "InvalidValue",
                "arguments[0]"
            ),
            (
                #"{"where":"dueDate < %@","arguments":[{"moment":"never"}]}"#, "InvalidDate",
                "arguments[0].moment"
            ),
            (#"{"arguments":[]}"#, "InvalidValue", "arguments"),
            (
                #"{"text":"\#(String(repeating: "x ", count: ListItems.wordsLimit + 1))"}"#, "InvalidValue",
                "text"
            ),
            (#"{"where":"name == '\#(long)'"}"#, "InvalidValue", "where"),
            (#"{"where":"id == 1","arguments":[\#(many)]}"#, "InvalidValue", "arguments"),
        ]
        for (parameters, error, field) in cases {
            let reply = try sandbox.call("ListItems", parameters)
            #expect(reply.error == "dev.todod.Todo.\(error)", "\(parameters.prefix(80))")
            #expect(reply.text("field") == field, "\(parameters.prefix(80))")
        }
        #expect(
            try sandbox.call("ListItems", #"{"category":"Hom"}"#).error == "dev.todod.Todo.CategoryNotFound")
    }

    @Test(arguments: [
        ("name ==", 7), ("name == 'a' AND nmae == 'b'", 16), ("dueDate == 'x' OR", 17), ("name > ", 7),
        ("completed CONTAINS 'x'", 0), ("name == %@", 8),
    ])
    func invalidPredicateIsRefusedWithOffset(format: String, offset: Int64) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("ListItems", #"{"where":"\#(format)"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidPredicate")
        #expect(reply.integer("offset") == offset, "\(reply.parameters)")
        #expect(reply.text("expected")?.isEmpty == false && reply.text("found")?.isEmpty == false)
    }

    /// A list of few items is not a stream.
    @Test(
        arguments: [
            (0, [0]), (124, [124]), (125, [125]), (126, [125, 1]), (250, [125, 125]), (nil, [125, 125, 5]),
        ] as [(limit: Int?, counts: [Int])])
    func listOfAnyLengthIsComplete(limit: Int?, counts: [Int]) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems((1...255).map { "\($0)" })
        let parameters = limit.map { #"{"limit":\#($0)}"# } ?? "{}"
        let replies = try sandbox.replies("ListItems", parameters)
        #expect(replies.map(\.items.count) == counts)
        #expect(replies.flatMap(\.names) == (1...255).prefix(limit ?? .max).map(String.init))
        #expect(try sandbox.call("ListItems", parameters).names == replies.flatMap(\.names))
    }

    @Test(arguments: ["sqlite", "binary"])
    func listIsASnapshotDespiteConcurrentChanges(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        let padding = String(repeating: "x", count: 500)
        try sandbox.addItems((1...3_000).map { "\($0) \(padding)" })
        let reader = try sandbox.connect()
        try reader.call("ListItems", more: true)
        var reply = try reader.nextReply()
        let ids = (1...3_000).map(String.init).joined(separator: ",")
        #expect(try sandbox.call("DeleteItems", #"{"ids":[\#(ids)]}"#).error == nil)
        #expect(try sandbox.call("ListItems", "{}").names.isEmpty)
        var count = reply.items.count
        while reply.continues {
            reply = try reader.nextReply()
            count += reply.items.count
        }
        #expect(count == 3_000)
        #expect(reply.error == nil)
    }

    @Test func readerThatDisconnectsIsForgotten() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let padding = String(repeating: "x", count: 500)
        try sandbox.addItems((1...3_000).map { "\($0) \(padding)" })
        for method in ["ListItems", "Export"] {
            let reader = try sandbox.connect()
            try reader.call(method, more: true)
            #expect(try reader.nextReply().continues)
        }
        // By now the daemon has noticed that the readers disconnected, or is about to.
        #expect(try sandbox.call("ListItems", #"{"limit":1}"#).items.count == 1)
        #expect(daemon.stop() == 0)
    }

    @Test func callSentByteByByteIsAnswered() throws {
        let sandbox = try filled()
        let connection = try sandbox.connect()
        let message = Array(#"{"method":"dev.todod.Todo.ListItems","parameters":{"text":"rent"}}"#.utf8)
        for byte in message { try connection.sendBytes([byte]) }
        try connection.sendBytes([0])
        #expect(try connection.nextReply().names == ["Pay the rent", "Rent a car"])
    }

    @Test func clientHasTheSameFilters() throws {
        let sandbox = try filled()
        let cases: [([String], [String])] = [
            (["rent"], ["Pay the rent", "Rent a car"]), (["--overdue", "--all"], ["Old bill"]),
            (["--where", "category.name == 'Work'"], ["Call Zoë"]),
            (["--sort", "-name", "-n", "1"], ["Water the plants"]), (["--within", "1d"], ["Call Zoë"]),
            (["--due-after", "in 5 days"], ["Rent a car"]), (["--done"], ["Old bill"]),
        ]
        for (options, names) in cases {
            let output = try sandbox.run("todoctl", ["list"] + options).output
            let lines = output.split(separator: "\n").dropFirst()
            #expect(lines.count == names.count, "\(options): \(output)")
            for (line, name) in zip(lines, names) { #expect(line.hasSuffix(name), "\(options)") }
        }
        #expect(try sandbox.todoctl("due").output.contains("Call Zoë"))
        #expect(try sandbox.todoctl("due", "1h").output == "Nothing is overdue or due within 1h.\n")
        let shown = try sandbox.todoctl("show", "1").output
        #expect(shown.contains("Name:          Pay the rent\n") && shown.contains("Category:      Home\n"))
        #expect(try sandbox.todoctl("show", "9").errors.contains("there is no item 9"))
        let wrong = try sandbox.todoctl("list", "--where", "nmae == 'x'")
        #expect(wrong.status == 1 && wrong.errors.contains("cannot read the predicate"))
        for arguments in [
            ["list", "--limit", "x"], ["list", "--all", "--done"], ["show"], ["show", "x"],
        ] {
            #expect(try sandbox.run("todoctl", arguments).status == 2, "\(arguments)")
        }
    }

    /// D2: On a Monday, `monday` in a filter is today, and a date of today is not one of next year.
    @Test func filterReadsTodaysWeekdayAsToday() throws {
        let sandbox = try Sandbox(now: "2026-11-23T08:49:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        for (name, due) in [("Call", "today 17:00"), ("Pay", "wednesday"), ("Swim", "friday 9am")] {
            #expect(try sandbox.todoctl("add", name, "--due", due).status == 0)
        }
        func names(_ options: String...) throws -> [String] {
            try sandbox.run("todoctl", ["list", "--format", "{name}"] + options).output
                .split(separator: "\n").map(String.init)
        }
        #expect(try names("--due-after", "monday", "--due-before", "friday") == ["Call", "Pay"])
        #expect(try names("--due-before", "23 nov").isEmpty)
        #expect(try names("--due-after", "23 nov", "--due-before", "24.11.") == ["Call"])
        #expect(try names("--due-after", "22 nov") == ["Call", "Pay", "Swim"])
    }

    @Test func listIsGroupedUnderHeadings() throws {
        let sandbox = try filled()
        /// Returns the headings, each with the last word of its items.
        func outline(_ options: String...) throws -> [String] {
            try sandbox.run("todoctl", ["list", "--group"] + options).output.components(separatedBy: "\n\n")
                .dropFirst().map { group in
                    let lines = group.split(separator: "\n")
                    let names = lines.dropFirst().compactMap { $0.split(separator: " ").last }
                    return "\(lines[0]): \(names.joined(separator: " "))"
                }
        }
        #expect(
            try outline("category") == ["Home (2): rent plants", "Work (1): Zoë", "No category (1): car"])
        #expect(
            try outline("category", "--sort", "-category,-due", "--all")
                == ["Work (1): Zoë", "Home (2): rent plants", "No category (2): car bill"])
        #expect(try outline("priority") == ["No priority (4): Zoë rent car plants"])
        let days = try outline("due", "--all")
        #expect(days.last == "Done (1): bill" && days.dropLast().last == "No date (1): plants")
        let table = try sandbox.todoctl("list", "--group", "category").output
        #expect(!table.contains("CATEGORY") && table.hasPrefix("ID "))
    }

    @Test func doneItemsAreListedNewestFirst() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b", "c"])
        for id in ["2", "1"] { #expect(try sandbox.todoctl("done", id).status == 0) }
        let lines = try sandbox.todoctl("list", "--done").output.split(separator: "\n")
        #expect(lines[0] == "ID     WHEN      ITEM")
        #expect(lines.dropFirst().map { $0.split(separator: " ").last } == ["a", "b"])
        #expect(lines[1].hasPrefix(" 1  x  done "))
        #expect(
            try sandbox.todoctl("list", "--done", "--sort", "id", "--format", "{id}").output == "1\n2\n")
        #expect(
            try sandbox.todoctl("list", "--all", "--sort", "id").output.split(separator: "\n").last?
                .hasSuffix("c") == true)
    }

    @Test func jsonAndTemplatesHaveNoHeadings() throws {
        let sandbox = try filled()
        #expect(
            try sandbox.todoctl("list", "--group", "category", "--sort", "-due", "-F", "{id}").output
                == "1\n3\n2\n5\n")
        let flat = try sandbox.todoctl("list", "--sort", "category,-due", "--json").output
        #expect(try sandbox.todoctl("list", "--sort", "-due", "--group", "category", "--json").output == flat)
        let wrong = try sandbox.todoctl("list", "--group", "name")
        #expect(wrong.status == 2 && wrong.errors.contains("--group takes one of category, due, priority"))
        #expect(
            try sandbox.todoctl("list", "nothing", "-g", "due").output == "No open item matches nothing.\n")
    }

    @Test func deletedCategoryKeepsItsItems() throws {
        let sandbox = try filled()
        #expect(
            try sandbox.todoctl("category", "delete", "Home", "--move-to", "work").output
                == "Deleted category Home; its 2 items are in work now\n")
        #expect(
            try sandbox.todoctl("category", "delete", "WORK", "--yes").output
                == "Deleted category Work; its 3 items are without a category now\n")
        #expect(try sandbox.call("ListItems", #"{"where":"category == nil"}"#).items.count == 4)
        #expect(try sandbox.todoctl("category", "delete", "Work").status == 1)
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let reply = try sandbox.call("DeleteCategory", #"{"name":"Home","moveTo":"HOME"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "moveTo")
        #expect(try sandbox.todoctl("category", "list").output.contains("Home"))
    }
}
