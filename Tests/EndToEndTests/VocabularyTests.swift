import Foundation
import Testing
import Varlink

/// The vocabulary for columns, sort keys, filters and predicates, which is the same in every command.
@Suite struct VocabularyTests {
    /// A sandbox with the time of a Monday morning in Berlin, and items around it.
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox(now: "2026-11-23T08:49:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        let items: [[String]] = [
            ["Rent", "--due", "2026-11-25 09:00", "-c", "Home", "-p", "1"],
            ["Swim", "--due", "2026-11-27 00:00", "-p", "5", "--tag", "sport,fun"],
            ["Report", "--due", "2026-11-27 17:00", "--mute", "-p", "3"],
            ["Old bill", "--due", "2026-11-22 10:00", "--past"],
            ["Plants", "--due", "2026-11-28 00:00", "--every", "day", "--lead", "1d,1h", "--after-done"],
            ["Summer pictures", "--notes", "n"],
            ["Bread", "--due", "2026-11-23 18:00", "-p", "9"],
        ]
        for item in items { #expect(try sandbox.run("todoctl", ["add"] + item).status == 0) }
        #expect(try sandbox.todoctl("done", "7").status == 0)
        return sandbox
    }

    private func ids(_ sandbox: Sandbox, _ options: [String]) throws -> String {
        let result = try sandbox.run("todoctl", ["list", "-F", "{id}", "--sort", "id"] + options)
        #expect(result.status == 0, "\(options): \(result.errors)")
        return result.output.split(separator: "\n").joined(separator: " ")
    }

    private func ids(inJSON text: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        return items.compactMap { $0["id"] as? Int }.sorted().map(String.init).joined(separator: " ")
    }

    // MARK: - Predicates

    /// L2: A predicate selects the same items for a list and for every command that takes one.
    @Test(arguments: [
        ("priority > 0", "1 2 3"), ("completed == YES", "7"), ("priority > 0 AND completed == NO", "1 2 3"),
        ("completedAt != nil OR id == 1", "1 7"), ("name == 'Bread'", ""),
    ])
    func predicateChoosesTheSameItemsEverywhere(predicate: String, expected: String) throws {
        let sandbox = try filled()
        #expect(try ids(sandbox, ["--where", predicate]) == expected)
        // Completion is last: it changes nothing about an item that is done, so there is nothing to undo.
        for words in [["show"], ["edit", "--append-notes", "x"], ["mute"], ["delete", "--yes"], ["done"]] {
            let result = try sandbox.run("todoctl", words + ["--where", predicate, "--json"])
            #expect(try ids(inJSON: result.output) == expected, "\(words): \(result)")
            if !["show", "done"].contains(words[0]), !expected.isEmpty {
                #expect(try sandbox.todoctl("undo").status == 0)
            }
        }
    }

    /// L2: `--all` with a predicate includes done items. Without a predicate it is refused.
    @Test func allWithPredicateIncludesDoneItems() throws {
        let sandbox = try filled()
        #expect(try ids(sandbox, ["--where", "priority > 0", "--all"]) == "1 2 3 7")
        for verb in ["show", "edit"] {
            let words = [verb, "--all", "--where", "priority > 0", "--json"]
            let change = verb == "edit" ? ["--append-notes", "x"] : []
            #expect(try ids(inJSON: sandbox.run("todoctl", words + change).output) == "1 2 3 7")
            let refused = try sandbox.todoctl(verb, "1", "--all")
            #expect(refused.status == 2 && refused.errors.contains("--all needs --where"))
        }
        let asked = try sandbox.todoctl("delete", "--where", "priority > 0", "--all")
        #expect(asked.errors.contains("'delete' of 4 items needs confirmation"))
        #expect(asked.errors.contains("todoctl delete --where 'priority > 0' --all --yes"))
    }

    /// L3: A predicate accepts the names of the API and those of the model.
    @Test func predicateAcceptsNamesOfAPI() throws {
        let sandbox = try filled()
        let cases: [(predicate: String, expected: String)] = [
            ("due == nil", "6"), ("dueDate == nil", "6"), ("muted == YES", "3"), ("doNotAlert == YES", "3"),
            ("category == 'Home'", "1"), ("category.name == 'Home'", "1"), ("category == nil", "2 3 4 5 6"),
            ("category == 1", "1"), ("category IN {1, 2}", "1"), ("every != nil", "5"),
            ("recurrence != nil", "5"),
            ("afterDone == YES", "5"), ("leads.@count == 2", "5"), ("ANY leads == 3600", "5"),
            ("SUBQUERY(leads, $x, $x.offset > 3600).@count == 1", "5"), ("categoryMuted == NO", "1"),
            ("category.muted == NO", "1"), ("createdAt == modifiedAt AND notes != nil", "6"),
            ("nextAlert != nil AND lastAlert == nil AND id < 3", "1 2"), ("snoozedUntil != nil", ""),
            ("timeZone == 'Europe/Berlin'", "5"), ("completedAt != nil", "7"), ("name.length == 4", "1 2"),
            ("ANY tags == 'sport'", "2"), ("tags.@count == 2", "2"), ("tags CONTAINS 'fun'", "2"),
            ("NONE tags == 'fun' AND id < 4", "1 3"), ("ANY tags.name BEGINSWITH 'sp'", "2"),
            ("SUBQUERY(tags, $x, $x.name == 'fun').@count == 1", "2"),
        ]
        for (predicate, expected) in cases {
            #expect(try ids(sandbox, ["--where", predicate]) == expected, "\(predicate)")
        }
    }

    /// L3: The error for a wrong name contains its position and the right name.
    @Test func errorForWrongNameInPredicateSuggestsRightOne() throws {
        let sandbox = try filled()
        let cases: [(predicate: String, expected: String)] = [
            ("duo == nil", "perhaps due"), ("mutd == YES", "perhaps muted"),
            ("createdDat == nil", "perhaps createdAt"),
            ("heldUntil == nil", "expected nextAlert, the time of the next alert before it is held back"),
            ("name == Bob", "if it is text, put it in quotes"),
            ("dew < 'friday'", "a field of an item, perhaps due"),
            ("DUE < 'friday'", "a field of an item, perhaps due"), ("muted", "muted == YES"),
            ("due < 'friday' AND NOT muted", "muted == YES"), ("category.muted", "category.muted == YES"),
            (
                "priority == 'high'",
                "from 1, the highest, to 9, or 0 for none, such as priority BETWEEN {1, 4}"
            ),
            ("priority == low", "such as priority BETWEEN {6, 9}"),
            ("priority IN {'urgent'}", "'urgent' beside priority"),
            ("due < $soon", "found $soon (at offset 6, expected one of $now, $today, $tomorrow, $yesterday"),
            ("due < 'fridya'", "cannot read the time 'fridya'"), ("category.nmae == 'x'", "perhaps name"),
            ("due < 5", "cannot read the predicate"),
            ("due < tomorrow", #"expected a field of an item, or a time in quotes: "tomorrow""#),
        ]
        for (predicate, expected) in cases {
            for verb in ["list", "delete"] {
                let result = try sandbox.todoctl(verb, "--where", predicate)
                #expect(result.status == 1 && result.errors.contains(expected), "\(verb): \(result)")
            }
        }
        #expect(try ids(sandbox, ["--all"]) == "1 2 3 4 5 6 7")
    }

    /// A text compared with `every` is a rule as people type it, and is compared with the rules of the items. A text
    /// compared with `leads` is a time span.
    @Test(arguments: [
        ("every == 'every day'", "1"), ("every == 'day'", "1"), ("'daily' == every", "1"),
        ("every ==[c] 'DAY'", "1"), ("every == 'FREQ=DAILY'", "1"), ("recurrence == 'freq=daily'", "1"),
        ("recurrence == 'every day'", "1"), ("every != 'every day'", "2 3 4 6 7 8 9 10"),
        ("every IN {'every day', 'mon,wed', nil}", "1 2"), ("every == 'every month'", "3 10"),
        ("every == '31st'", "8"), ("every == 'FREQ=MONTHLY;BYMONTHDAY=31'", "9"),
        ("every == 'every day at 08:00 and 20:00'", "4"),
        ("every == 'daily at 20 and 8'", "4"), ("every == 'every month on the 5th and 20th'", "6"),
        ("every == '20 and 5'", "6"), ("recurrence == 'FREQ=MONTHLY;BYMONTHDAY=20,5'", "6"),
        ("recurrence CONTAINS 'UNTIL=20261201'", "7"), ("recurrence CONTAINS 'UNTIL='", "7"),
        ("every == nil", "5"), ("every == 'year'", ""),
        ("NOT every IN {'day', 'month'}", "2 4 5 6 7 8 9"), ("recurrence CONTAINS 'DAILY'", "1 4"),
        ("ANY leads == '1h'", "2"), ("ANY leads IN {'1h', '2d'}", "2"), ("ANY leads > '30min'", "2"),
        ("leads CONTAINS '1h'", "2"),
    ])
    func textComparedWithRuleIsTypedRule(predicate: String, expected: String) throws {
        #expect(try ids(repeating(), ["--where", predicate]) == expected, "\(predicate)")
    }

    /// An unclear comparison of rules is refused with a suggestion.
    @Test(arguments: [
        (
            "every CONTAINS 'day'",
            "found every beside CONTAINS; for a part of the rule, compare its RRULE: recurrence CONTAINS \"DAILY\""
        ),
        ("every LIKE '*day*'", "expected ==, != or IN, such as every == \"every day\""),
        ("every < 'day'", "found every beside <"),
        ("every == 'evry dya'", "'evry dya', which is not a rule: '"),
        ("recurrence == 'FREQ=MOONLY'", "'FREQ=MOONLY', which is not a rule"),
        (
            "every == 'monday 9am'",
            "a time of day in 'monday 9am'; the time of day is that of the due time"
        ),
        (
            "every == 'day for 2 weeks'",
            "an end in 'day for 2 weeks'; for the end of a rule, compare its RRULE: recurrence CONTAINS \"UNTIL=\""
        ),
        (
            "every == 'day until 1 dec'",
            "an end in 'day until 1 dec'; for the end of a rule, compare its RRULE: recurrence CONTAINS \"UNTIL=20261201\""
        ),
        ("tags == 'sport'", "expected ANY tags == \"errand\" or tags.@count == 0"),
        ("leads == '1h'", "leads, of which an item can have several"),
        ("leads == 3600", "expected ANY leads == \"1h\" or leads.@count == 0"),
        (
            "ANY leads == '1.5s'",
            "'1.5s', which is no lead time: '1.5s' is too long, or has a fraction of a second"
        ),
        ("ANY leads == 'soon'", "'soon' is not a time span"),
    ])
    func unclearComparisonOfRuleIsRefused(predicate: String, expected: String) throws {
        let result = try repeating().todoctl("list", "--where", predicate)
        #expect(result.status == 1 && result.errors.contains(expected), "\(result)")
    }

    private func repeating() throws -> Sandbox {
        let sandbox = try Sandbox(now: "2026-11-23T08:49:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        for options in [
            ["--every", "day"], ["--every", "mon,wed", "--lead", "1h,5min"], ["--every", "month"],
            ["--every", "daily at 8 and 20"], [], ["--every", "FREQ=MONTHLY;BYMONTHDAY=20,5"],
            ["--every", "week until 1 dec"], ["--every", "31st"], ["--every", "FREQ=MONTHLY;BYMONTHDAY=31"],
            ["--every", "FREQ=MONTHLY"],
        ] {
            #expect(try sandbox.run("todoctl", ["add", "x"] + options).status == 0)
        }
        return sandbox
    }

    /// L3: A text compared with a date is a typed time, and a day means the whole day.
    @Test func textComparedWithDateIsTypedTime() throws {
        let sandbox = try filled()
        let cases: [(predicate: String, expected: String)] = [
            ("due < 'friday'", "1 4"), ("due <= 'friday'", "1 2 3 4"), ("due > 'friday'", "5"),
            ("due >= 'friday'", "2 3 5"), ("due == 'friday'", "2 3"), ("due != 'friday'", "1 4 5"),
            ("'friday' > due", "1 4"), ("'friday' == due", "2 3"), ("'friday' >= due", "1 2 3 4"),
            ("due BETWEEN {'wednesday', 'friday'}", "1 2 3"), ("due BETWEEN {$now, 'friday'}", "1 2 3"),
            ("due IN {'wednesday', 'saturday', nil}", "1 5"), ("NOT due == 'friday'", "1 4 5 6"),
            ("due == 'friday 17:00'", "3"), ("due > 'friday 00:00'", "3 5"),
            ("due == '2026-11-25T09:00:00+01:00'", "1"), ("due == '2026-11-27'", "2 3"),
            ("due < 'today'", "4"), ("due < $tomorrow", "4"), ("due >= $yesterday AND due < $today", "4"),
            ("due >= $friday", "2 3 5"), ("due < $nextWeek AND due >= $thisWeek", "1 2 3 5"),
            ("due >= $nextMonth", ""), ("due >= $thisMonth", "1 2 3 4 5"),
            ("createdAt == 'today'", "1 2 3 4 5 6"),
        ]
        for (predicate, expected) in cases {
            #expect(try ids(sandbox, ["--where", predicate]) == expected, "\(predicate)")
        }
    }

    /// L3: A text in the arguments of a predicate is also a typed time.
    @Test func argumentComparedWithDateIsTypedTime() throws {
        let sandbox = try filled()
        let reply = try sandbox.call(
            "ListItems", #"{"where":"due == %@","arguments":[{"text":"friday"}],"timeZone":"Europe/Berlin"}"#)
        #expect(reply.names == ["Swim", "Report"])
        let wrong = try sandbox.call("ListItems", #"{"where":"due == %@","arguments":[{"text":"never"}]}"#)
        #expect(wrong.error == "dev.todod.Todo.InvalidDate" && wrong.text("field") == "where")
    }

    // MARK: - Fields

    /// L4: A list contains every requested field, with the same values as for a single item.
    @Test(arguments: ["sqlite", "xml"])
    func listHasEveryRequestedField(kind: String) throws {
        let sandbox = try Sandbox(now: "2026-11-23T08:49:00", zone: "Europe/Berlin")
        try sandbox.write(
            "[Store]\nType=\(kind)\n[Alert]\nQuietHours=07:00-09:00\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        for line in [
            "add Plants --due 'today 08:55' --every 'day 3 times' --after-done --lead 1h,0", "add Tea",
            "add Rent --due 'in 2 days' --lead 2d,1h,5m",
        ] { #expect(try sandbox.shell("todoctl \(line)").status == 0) }
        let format = "{id}|{leads}|{afterDone}|{occurrencesDone}|{timeZone}|{heldUntil:local}"
        let lines = try sandbox.todoctl("list", "-F", format, "--sort", "id").output.split(separator: "\n")
        #expect(lines[0].hasPrefix("1|3600,0|true|0|Europe/Berlin|2026-11-23 09:"), "\(lines)")
        #expect(lines[1] == "2|||||" && lines[2] == "3|172800,3600,300||||2026-11-23 09:00", "\(lines)")
        #expect(
            try sandbox.todoctl("list", "--sort", "id", "--json").output
                == sandbox.todoctl("show", "1-3", "--json").output)
        for (field, value) in [
            ("leads", "172800,3600,300"), ("afterDone", ""), ("due:local", "2026-11-25 08:49"),
        ] {
            let due = try sandbox.todoctl("due", "7d", "-F", "{id} {\(field)}").output
            #expect(due.hasSuffix("3 \(value)\n"), "\(field): \(due)")
        }
        // A field that only other fields need is not in the reply.
        let item = try #require(try sandbox.call("ListItems", #"{"fields":["afterDone"]}"#).items.first)
        #expect(item["afterDone"] == .boolean(true) && item["every"] == nil && item["leads"] == nil)
        let held = try #require(try sandbox.call("ListItems", #"{"fields":["heldUntil"]}"#).items.first)
        #expect(held["heldUntil"] != nil && held["nextAlert"] == nil)
    }

    /// L4: The lead times of many items are sent in several replies.
    @Test func leadsOfManyItemsAreListed() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let connection = try sandbox.connect()
        for number in 1...300 {
            try connection.call("AddItem", #"{"name":"\#(number)","due":"in 2 days","leads":"\#(number)m"}"#)
        }
        for _ in 1...300 { #expect(try connection.nextReply().error == nil) }
        let lines = try sandbox.todoctl("list", "-F", "{name} {leads}").output.split(separator: "\n")
        #expect(Set(lines) == Set((1...300).map { "\($0) \($0 * 60)" }))
    }

    // MARK: - Priorities

    /// L1: A list shows priorities, sorts by them and filters by them.
    @Test func listFiltersByPriority() throws {
        let sandbox = try filled()
        let cases: [(options: [String], expected: String)] = [
            (["-p", "high"], "1 3"), (["-p", "medium"], "2"), (["-p", "none"], "4 5 6"),
            (["-p", "low", "-a"], "7"),
            (["-p", "1"], "1"), (["-p", "2-5"], "2 3"), (["--priority", "1,5,none"], "1 2 4 5 6"),
            (["-p", "high", "--within", "3d"], "1"),
        ]
        for (options, expected) in cases {
            #expect(try ids(sandbox, options) == expected, "\(options)")
        }
    }

    /// L1: The column is shown if an item has a priority, and not under headings that contain it.
    @Test func listShowsPriorities() throws {
        let sandbox = try filled()
        let lines = try sandbox.todoctl("list", "--sort", "priority,id").output.split(separator: "\n")
        #expect(lines[0].hasPrefix("ID     PRI  DUE"))
        #expect(lines[1].hasPrefix(" 1       1  Wed 25 Nov 09:00"), "\(lines)")
        #expect(lines[4].hasPrefix(" 4  !       yesterday 10:00"), "\(lines)")
        #expect(try !sandbox.todoctl("list", "--group", "priority").output.contains("PRI "))
        #expect(try !sandbox.todoctl("list", "-p", "none").output.contains("PRI"))
        for text in ["urgent", "10", "4-1", "", "high,", "-1"] {
            let wrong = try sandbox.todoctl("list", "--priority=\(text)")
            #expect(wrong.status == 2 && wrong.errors.contains("--priority takes high, medium, low, none"))
        }
        for (value, field) in [("[]", "priorities"), ("[1,10]", "priorities[1]"), ("[-1]", "priorities[0]")] {
            let reply = try sandbox.call("ListItems", #"{"priorities":\#(value)}"#)
            #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == field)
        }
    }

    // MARK: - Due

    /// L5: `due` takes a day or a time.
    @Test func dueTakesDayOrTime() throws {
        let sandbox = try filled()
        let cases: [(words: [String], expected: String)] = [
            (["today"], "4"), (["tomorrow"], "4"), (["wednesday"], "1 4"), (["until", "friday"], "1 2 3 4"),
            (["friday", "12:00"], "1 2 4"), (["by", "wed", "9am"], "1 4"), (["7d"], "1 2 3 4 5"), ([], "4"),
            (["in", "3", "days"], "1 4"),
        ]
        for (words, expected) in cases {
            let output = try sandbox.run("todoctl", ["due", "-F", "{id}"] + words).output
            #expect(output.split(separator: "\n").sorted().joined(separator: " ") == expected, "\(words)")
        }
    }

    /// L5: `due` names words that it cannot read.
    @Test func dueRefusesInvalidTime() throws {
        let sandbox = try filled()
        let result = try sandbox.todoctl("due", "soonish")
        #expect(result.status == 1 && result.errors.contains("cannot read the time 'soonish'"))
        let both = try sandbox.call("DueItems", #"{"within":"2h","until":"friday"}"#)
        #expect(both.error == "dev.todod.Todo.InvalidValue" && both.text("field") == "until")
    }

    // MARK: - Output

    /// L7: A list can be counted, and a template can contain local times.
    @Test func listIsCountedAndHasLocalTimes() throws {
        let sandbox = try filled()
        #expect(try sandbox.todoctl("list", "--count").output == "6\n")
        #expect(try sandbox.todoctl("list", "salt", "--count").output == "0\n")
        #expect(try sandbox.todoctl("due", "7d", "--count", "--json").output == "{\"count\":5}\n")
        #expect(try sandbox.todoctl("list", "--count", "-F", "{id}").status == 2)
        let format = "{due}|{due:local}|{due:relative}|{lastAlert:local}"
        #expect(
            try sandbox.todoctl("list", "rent", "-F", format).output
                == "2026-11-25T09:00:00+01:00|2026-11-25 09:00|in 2 days|\n")
        for (template, error) in [
            ("{name:local}", "a template takes no '{name:local}'"),
            ("{due:iso}", "'{due:local}' and '{due:relative}'"),
            ("{duo:local}", "has no field 'duo'"),
        ] {
            let wrong = try sandbox.todoctl("list", "-F", template)
            #expect(wrong.status == 2 && wrong.errors.contains(error), "\(wrong)")
        }
    }

    /// L7: A list that is longer than the screen is shown in a pager, and ends with the number of items.
    @Test func longListOnTerminalIsPaged() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems((1...30).map { "Item \($0)" })
        try sandbox.write("#!/bin/sh\ncat > \(sandbox.directory)/paged\necho ended\n", to: "pager")
        #expect(chmod("\(sandbox.directory)/pager", 0o755) == 0)
        func terminal(_ line: String, rows: Int) throws -> String {
            try sandbox.terminal(
                "stty rows \(rows) cols 80; export TERM=xterm TODOCTL_PAGER=~/pager PAGER=false; \(line)"
            ).output
        }
        #expect(try terminal("todoctl list", rows: 24) == "ended\r\n")
        let paged = try String(contentsOfFile: "\(sandbox.directory)/paged", encoding: .utf8)
        #expect(paged.split(separator: "\n").count == 32 && paged.hasSuffix("\n30 items\n"))
        for (line, rows) in [
            ("todoctl list", 40), ("todoctl list --no-pager", 24), ("TERM=dumb todoctl list", 24),
            ("TODOCTL_PAGER= todoctl list", 24), ("TODOCTL_PAGER=cat todoctl list", 24),
            ("TODOCTL_PAGER=~/nowhere todoctl list 2> /dev/null", 24),
        ] {
            let shown = try terminal(line, rows: rows)
            #expect(shown.contains("Item 30") && shown.hasSuffix("30 items\r\n"), "\(line): \(shown)")
        }
        #expect(try terminal("todoctl list -F '{id}'", rows: 24).hasSuffix("30\r\n"))
        // In a pipe there is neither a pager nor a last line.
        #expect(try !sandbox.todoctl("list").output.contains("30 items"))
        #expect(
            try terminal("todoctl list -n 10", rows: 40).hasSuffix(
                "10 items; more exist; -n 10 shows the first of them\r\n"))
        #expect(try !terminal("todoctl list -n 10 --where 'id <= 10'", rows: 40).contains("items"))
    }

    /// L10: An empty list names the filters that were used.
    @Test func emptyResultNamesItsFilters() throws {
        let sandbox = try filled()
        let cases: [(words: [String], expected: String)] = [
            (["list", "salt"], "No open item matches salt."),
            (
                ["list", "-c", "Home", "-p", "low"],
                "No open item matches --category Home --priority low."
            ),
            (["list", "--all", "--due-before", "1 jan 2020"], "No item matches --due-before '1 jan 2020'."),
            (
                ["list", "--done", "--where", "muted == YES"],
                "No item that is done matches --where 'muted == YES'."
            ),
            (["list", "--where", "muted == YES AND completed == YES"], "No item matches --where"),
            (
                ["list", "--where", "id == 7"],
                "No open item matches --where 'id == 7'. Add --all to include items that are done."
            ),
            (
                ["show", "--where", "id == 7"],
                "No open item matches 'id == 7'. Add --all to include items that are done."
            ),
            (["done", "20-30"], "No open item matches 20-30; nothing was changed."),
            (
                ["delete", "--where", "name == 'Salt'"],
                "No open item matches 'name == '\\''Salt'\\'''; nothing was"
            ),
            (["show", "20-30"], "No item matches 20-30."),
            (["reopen", "1-3"], "No item that is done matches 1-3;"),
        ]
        for (words, expected) in cases {
            let result = try sandbox.run("todoctl", words)
            #expect(result.status == 0 && result.output.hasPrefix(expected), "\(result)")
        }
    }
}
