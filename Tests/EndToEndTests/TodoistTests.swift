import Foundation
import Testing
import Varlink

/// Projects that Todoist has exported as CSV, through the real programs.
@Suite struct TodoistTests {
    private static let header =
        "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG"
    private static let fields = [
        "id", "uid", "name", "notes", "priority", "category", "tags", "parent", "due", "start", "every",
        "afterDone", "estimate", "links",
    ].map { "\"\($0)\"" }.joined(separator: ",")
    private let sandbox: Sandbox

    init() throws {
        // A Sunday.
        sandbox = try Sandbox(now: "2026-11-22T08:49:00", zone: "Europe/Madrid")
        _ = try sandbox.startDaemon()
    }

    private func imported(_ rows: String..., file: String = "Inbox [220474322].csv") throws -> Sandbox.Result
    {
        try sandbox.write("\u{FEFF}" + ([Self.header] + rows).joined(separator: "\r\n") + "\r\n", to: file)
        return try sandbox.todoctl("import", "\(sandbox.directory)/\(file)")
    }

    private func items() throws -> [JSONObject] {
        try sandbox.call("ListItems", #"{"state":"all","order":["id"],"fields":[\#(Self.fields)]}"#).items
    }

    /// Returns a row of a task with a date.
    private func row(_ name: String, date: String, deadline: String = "") -> String {
        "task,\(name),,4,1,,,\"\(date)\",en,Europe/Madrid,,,\(deadline),en"
    }

    @Test func rowBecomesItem() throws {
        let row =
            #"task,"Water the beds, twice @garden @daily",Before 9am,2,1,Mira (1),,Nov 27 2026 10:00,en,Europe/Madrid,90,minute,,"#
        let result = try imported(row, file: "Our garden [220474322].csv")
        #expect(result.output == "1 added, 1 category added, 2 tags added\n", "\(result)")
        let item = try #require(try items().first)
        #expect(item["name"] == .string("Water the beds, twice"))
        #expect(item["notes"] == .string("Before 9am"))
        #expect(item["priority"] == .integer(2))
        #expect(item["category"] == .string("Our garden"))
        #expect(item["tags"] == .array([.string("daily"), .string("garden")]))
        #expect(item["due"] == .string("2026-11-27T10:00:00+01:00"))
        #expect(item["estimate"] == .integer(5_400))
    }

    /// A comment belongs to the task before it. A file in it is a link.
    @Test func sectionsSubtasksAndCommentsAreKept() throws {
        let file =
            #"[[file {""file_name"":""List.pdf"",""file_url"":""https://example.com/l"",""file_type"":""application/pdf""}]]"#
        let result = try imported(
            "meta,view_style=board,,,,,,,,,,,,", "section,Before the trip,,,,,,,,,,,,", ",,,,,,,,,,,,,",
            "task,Pack,,4,1,,,,,,,,,", "note,Only one bag,,,,,,,,,,,,",
            "note,\"See this \(file)\",,,,,,,,,,,,",
            "task,Shirts,,4,2,,,,,,,,,", "task,White ones,,4,4,,,,,,,,,", "task,Book,,1,1,,,,,,,,,")
        #expect(
            result.output == "4 added, 1 tag added\n  line 9: the indent '4' is read as 3\n", "\(result)")
        let items = try items()
        #expect(items.map { $0["name"] } == ["Pack", "Shirts", "White ones", "Book"].map { .string($0) })
        #expect(items.map { $0["parent"] } == [nil, .integer(1), .integer(2), nil])
        #expect(items.map { $0["priority"] } == [0, 0, 0, 1].map { .integer($0) })
        #expect(items.allSatisfy { $0["tags"] == .array([.string("Before the trip")]) })
        #expect(items[0]["notes"] == .string("Only one bag\n\nSee this"))
        guard case .array(let links)? = items[0]["links"], case .object(let link)? = links.first else {
            Issue.record("no link: \(items[0])")
            return
        }
        #expect(link["url"] == .string("https://example.com/l") && link["title"] == .string("List.pdf"))
    }

    /// Todoist does not say when a task was changed, so what was done here is not reverted.
    @Test func importedTaskStaysAsItIs() throws {
        let rows = [row("Tea", date: "tomorrow"), "task,Tea,,4,2,,,,,,,,,", "task,Tea,,4,1,,,,,,,,,"]
        #expect(try imported(rows[0], rows[1], rows[2]).output == "3 added\n")
        #expect(try sandbox.todoctl("edit", "3", "--due", "friday", "--name", "Coffee").status == 0)
        #expect(try sandbox.todoctl("done", "2").status == 0)
        let before = try sandbox.call("Export").text("text")
        #expect(try imported(rows[0], rows[1], rows[2]).output == "3 unchanged\n")
        #expect(try sandbox.call("Export").text("text") == before)
    }

    /// Two projects can have tasks with the same text.
    @Test func projectIsPartOfIdentity() throws {
        #expect(
            try imported("task,Review,,4,1,,,,,,,,,", file: "Work.csv").output
                == "1 added, 1 category added\n")
        #expect(
            try imported("task,Review,,4,1,,,,,,,,,", file: "Home.csv").output
                == "1 added, 1 category added\n")
        #expect(try imported("task,Review,,4,1,,,,,,,,,").output == "1 added\n")
        #expect(try items().map { $0["category"] } == [.string("Work"), .string("Home"), nil])
    }

    @Test func categoryOfOptionIsUsed() throws {
        try sandbox.write("\(Self.header)\ntask,Mow,,4,1,,,,,,,,,\n", to: "Garden.csv")
        let path = "\(sandbox.directory)/Garden.csv"
        #expect(
            try sandbox.todoctl("import", path, "--category", "Home").output == "1 added, 1 category added\n")
        #expect(try items().map { $0["category"] } == [.string("Home")])
        // The option is no part of the identity, and the name of the file is.
        #expect(try sandbox.todoctl("import", path).output == "1 unchanged\n")
        try sandbox.write("\(Self.header)\ntask,Mow,,4,1,,,,,,,,,\n", to: "Meadow.csv")
        let other = try sandbox.todoctl("import", "\(sandbox.directory)/Meadow.csv", "--category", "home")
        #expect(other.output == "1 added\n", "\(other)")
        try sandbox.write("Tea\nMilk +Shop\n", to: "todo.txt")
        let lines = try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt", "--category", "home")
        #expect(lines.output == "2 added, 1 category added\n", "\(lines)")
        #expect(try items().map { $0["category"] } == ["Home", "Home", "Home", "Shop"].map { .string($0) })
        let again = try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt", "--category", "home")
        #expect(again.output == "2 unchanged\n", "\(again)")
    }

    @Test(
        arguments: [
            ("Sep 15 2027 10:00", "2027-09-15T10:00:00+02:00", nil, false),
            ("2027-10-02T18:30:00", "2027-10-02T18:30:00+02:00", nil, false),
            ("Dec 24", "2026-12-24", nil, false),
            ("tomorrow at 5pm", "2026-11-23T17:00:00+01:00", nil, false),
            ("2026-11-30", "2026-11-30", nil, false),
            ("every day", "2026-11-22", "every day", false),
            ("every other day", "2026-11-22", "every 2 days", false),
            ("every! 3 days", "2026-11-22", "every 3 days", true),
            ("ev! 3 days at 8am", "2026-11-23T08:00:00+01:00", "every 3 days", true),
            ("every mon, fri at 9am", "2026-11-23T09:00:00+01:00", "every week on Mon and Fri", false),
            ("every workday", "2026-11-23", "every week from Mon to Fri", false),
            ("every 15th", "2026-12-15", "every month on the 15th", false),
            ("every week starting 3 dec ending 24 dec", "2026-12-03", "every week, until 2026-12-24", false),
            ("daily", "2026-11-22", "every day", false),
            ("every day starting 3 nov", "2026-11-22", "every day", false),
            ("every 2 weeks starting 2026-11-02", "2026-11-30", "every 2 weeks", false),
        ] as [(String, String, String?, Bool)])
    func dateIsUnderstood(date: String, due: String, every: String?, isAfterDone: Bool) throws {
        let result = try imported(row("Tea", date: date))
        #expect(result.output == "1 added\n", "\(result)")
        let item = try #require(try items().first)
        #expect(item["due"] == .string(due))
        #expect(item["every"] == every.map { .string($0) })
        #expect((item["afterDone"] == .boolean(true)) == isAfterDone)
    }

    @Test func deadlineIsDueTime() throws {
        let result = try imported(
            row("Tax", date: "2026-12-01", deadline: "2026-12-24"),
            row("Book", date: "", deadline: "2026-12-05"),
            row("Late", date: "2026-12-09", deadline: "2026-12-05"),
            row("Weekly", date: "every week", deadline: "2026-12-05"))
        #expect(
            result.output == """
                4 added
                  line 4: the deadline is only in the notes: it is before the date
                  line 5: the deadline is only in the notes: the task repeats

                """, "\(result)")
        let items = try items()
        #expect(items.map { $0["start"] } == [.string("2026-12-01"), nil, nil, nil])
        #expect(
            items.map { $0["due"] }
                == ["2026-12-24", "2026-12-05", "2026-12-09", "2026-11-22"].map { .string($0) })
        #expect(
            items.map { $0["notes"] }.suffix(2) == [
                .string("Deadline: 2026-12-05"), .string("Deadline: 2026-12-05"),
            ])
    }

    /// Nothing that a file says is lost without a remark.
    @Test func omissionsAreReportedByLine() throws {
        let result = try imported(
            "note,Of the project,,,,,,,,,,,,", row("Tea", date: "jeden dritten Mond"),
            "task,Milk,,9,1,,Ada (2),,en,Nowhere/City,90,parsec,,", "goal,x,,,,,,,,,,,,",
            "task,@home,,4,1,,,,,,,,,")
        #expect(
            result.output == """
                3 added, 1 tag added
                  line 2: a comment of the project is omitted
                  line 3: 'jeden dritten Mond' cannot be read, and is in the notes: it names no day and no time
                  line 4: the priority '9' is omitted: it is not 1 to 4
                  line 4: the duration '90 parsec' is omitted
                  line 4: the time zone 'Nowhere/City' is unknown; the local time zone is used
                  line 5: a row of the type 'goal' is omitted
                  line 6: an item without a name is called '(no name)'
                  'RESPONSIBLE' of 1 row omitted

                """)
        #expect(try items().first?["notes"] == .string("Date: jeden dritten Mond"))
    }

    @Test(arguments: [
        ("task,\"Tea,,4,1,,,,,,,,,", "line 3: a value in quotation marks does not end"),
        ("task,\(String(repeating: "x", count: 65_537)),,4,1,,,,,,,,,", "line 3.name"),
    ])
    func damagedFileChangesNothing(row: String, message: String) throws {
        let result = try imported("task,First,,4,1,,,,,,,,,", row)
        #expect(result.status != 0 && result.errors.contains(message), "\(result)")
        #expect(try items().isEmpty)
    }

    /// Spreadsheets in many countries write semicolons.
    @Test func semicolonsSeparateValues() throws {
        try sandbox.write(
            "TYPE;CONTENT;PRIORITY;INDENT\ntask;\"Say \"\"hi\"\"; twice\nand go\";3;1\n", to: "a.csv")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/a.csv")
        #expect(result.output == "1 added, 1 category added\n", "\(result)")
        #expect(try items().map { $0["name"] } == [.string("Say \"hi\"; twice and go")])
    }
}
