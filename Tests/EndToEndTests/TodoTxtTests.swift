import CivilTime
import Foundation
import Testing
import Varlink

/// Lines of todo.txt, through the real programs.
@Suite struct TodoTxtTests {
    /// The fields that the tests compare, in JSON.
    private static let fields = [
        "id", "uid", "name", "notes", "priority", "category", "tags", "parent", "due", "start", "every",
        "afterDone", "completed", "completedAt", "createdAt",
    ].map { "\"\($0)\"" }.joined(separator: ",")
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox(now: "2026-11-22T08:49:00", zone: "Europe/Madrid")
        _ = try sandbox.startDaemon()
    }

    private func imported(_ lines: String..., to other: Sandbox? = nil) throws -> Sandbox.Result {
        let sandbox = other ?? sandbox
        try sandbox.write(lines.joined(separator: "\n") + "\n", to: "todo.txt")
        return try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt")
    }

    private func items(_ other: Sandbox? = nil) throws -> [JSONObject] {
        try (other ?? sandbox).call(
            "ListItems", #"{"state":"all","order":["id"],"fields":[\#(Self.fields)]}"#
        ).items
    }

    private func exported() throws -> String { try sandbox.todoctl("export", "--format", "todotxt").output }

    private func emptySandbox() throws -> Sandbox {
        let other = try Sandbox(now: "2026-11-22T08:49:00", zone: "Europe/Madrid")
        _ = try other.startDaemon()
        return other
    }

    @Test func lineBecomesItem() throws {
        let line = "(B) 2026-11-20 Call Mum +Family @phone due:2026-11-27 t:2026-11-25 rec:+1w key:value"
        #expect(try imported(line).output == "1 added, 1 category added, 1 tag added\n")
        let item = try #require(try items().first)
        #expect(item["name"] == .string("Call Mum key:value"))
        #expect(item["priority"] == .integer(2))
        #expect(item["category"] == .string("Family"))
        #expect(item["tags"] == .array([.string("phone")]))
        #expect(item["due"] == .string("2026-11-27"))
        #expect(item["start"] == .string("2026-11-25"))
        #expect(item["every"] == .string("every week"))
        #expect(item["afterDone"] != .boolean(true))
        #expect(item["createdAt"] == .string("2026-11-20T00:00:00+01:00"))
        #expect(try imported(line).output == "1 unchanged\n")
    }

    @Test func completedLineBecomesDoneItem() throws {
        #expect(try imported("x 2026-11-21 2026-11-19 Tea pri:A", "x Milk", "X Bread").output == "3 added\n")
        let items = try items()
        #expect(items.map { $0["name"] } == [.string("Tea"), .string("Milk"), .string("X Bread")])
        #expect(items.map { $0["completed"] } == [.boolean(true), .boolean(true), .boolean(false)])
        #expect(items.first?["completedAt"] == .string("2026-11-21T00:00:00+01:00"))
        #expect(items.first?["createdAt"] == .string("2026-11-19T00:00:00+01:00"))
        #expect(items.first?["priority"] == .integer(1))
    }

    /// A line without `uid:` is the same item with another priority, date or label, and when it is done.
    @Test func changedLineIsSameItem() throws {
        #expect(try imported("2026-11-20 Call Mum").output == "1 added\n")
        #expect(
            try imported("(A) 2026-11-20 Call Mum @phone due:2026-11-27").output
                == "1 updated, 1 tag added\n")
        #expect(
            try imported("x 2026-11-22 2026-11-20 Call Mum @phone due:2026-11-27").output == "1 updated\n")
        let items = try items()
        #expect(items.count == 1 && items.first?["completed"] == .boolean(true))
    }

    @Test func equalLinesAreSeveralItems() throws {
        #expect(try imported("Tea", "Tea", "Tea +Home").output == "3 added, 1 category added\n")
        #expect(try imported("Tea", "Tea", "Tea +Home").output == "3 unchanged\n")
    }

    @Test func copiedIdentifierIsNotUsedTwice() throws {
        let result = try imported("Tea uid:a", "Milk uid:a")
        #expect(
            result.output == "2 added\n  line 2: it has the uid of line 1, and becomes another item\n")
        #expect(try imported("Tea uid:a", "Milk uid:a").output.hasPrefix("2 unchanged\n"))
    }

    /// Other programs write a new line for the next occurrence, and mark the former one as done.
    @Test func completedOccurrenceIsNotAnItem() throws {
        let open = "2026-11-20 Bins due:2026-11-23 rec:+1w uid:b"
        #expect(try imported(open).output == "1 added\n")
        let lines = [
            "2026-11-22 Bins due:2026-11-30 rec:+1w uid:b",
            "x 2026-11-22 2026-11-20 Bins due:2026-11-23 rec:+1w uid:b",
        ]
        #expect(try imported(lines[0], lines[1]).output == "1 updated\n")
        let item = try #require(try items().first)
        #expect(try items().count == 1)
        #expect(item["due"] == .string("2026-11-30") && item["completed"] == .boolean(false))
        #expect(try completions() == ["2026-11-23"])
        // The file still has both lines at the next import, and the done line is in done.txt after some time.
        #expect(
            try imported(lines[0], lines[1]).output
                == "1 unchanged\n  line 2: omitted: it is a past time of the item of line 1\n")
        #expect(try imported(lines[1]).output == "1 unchanged\n")
        #expect(try completions() == ["2026-11-23"])
    }

    /// The order of the lines has no meaning. A counted rule counts each occurrence once.
    @Test func completedOccurrencesAreCounted() throws {
        let add = [
            "add", "--literal", "Run", "--due", "2026-11-23 09:00", "--every", "mon,thu 9 times", "--notes",
            "shoes",
        ]
        #expect(try sandbox.run("todoctl", add).status == 0)
        let line = String(try exported().dropLast())
        func done(_ day: String) -> String {
            "x 2026-11-22 \(line.replacing("due:2026-11-23", with: "due:\(day)"))"
        }
        let open = line.replacing("due:2026-11-23", with: "due:2026-11-30")
        let result = try imported(done("2026-11-26"), open, done("2026-11-23"))
        #expect(result.output == "1 updated\n", "\(result)")
        #expect(try completions() == ["2026-11-26T09:00:00+01:00", "2026-11-23T09:00:00+01:00"])
        let left = try sandbox.todoctl("list", "-F", "{due} {every} {occurrencesDone} {notes}").output
        #expect(left == "2026-11-30T09:00:00+01:00 every week on Mon and Thu, 9 times 2 shoes\n")
        // The file still has the count of the first line.
        let again = try imported(done("2026-11-26"), open, done("2026-11-23"))
        #expect(again.output.hasPrefix("1 unchanged\n"), "\(again)")
    }

    /// An archive has no open line. Each done line completes its occurrence, and the last one may end the rule.
    @Test func doneLinesCompleteOccurrences() throws {
        let add = ["add", "--literal", "Pill", "--due", "2026-11-23", "--every", "day 3 times"]
        #expect(try sandbox.run("todoctl", add).status == 0)
        let line = String(try exported().dropLast())
        let lines = ["2026-11-24", "2026-11-23", "2026-11-25"].map { day in
            "x \(day) \(line.replacing("due:2026-11-23", with: "due:\(day)"))"
        }
        #expect(try imported(lines[0], lines[1]).output == "1 updated\n")
        #expect(try completions() == ["2026-11-24", "2026-11-23"])
        #expect(try items().map { $0["due"] } == [.string("2026-11-25")])
        let result = try imported(lines[0], lines[1], lines[2])
        #expect(result.output.hasPrefix("1 updated\n"), "\(result)")
        #expect(try completions() == ["2026-11-25", "2026-11-24", "2026-11-23"])
        #expect(try items().map { $0["completed"] } == [.boolean(true)])
        #expect(try imported(lines[0], lines[1], lines[2]).output.hasPrefix("1 unchanged\n"))
    }

    /// A done line beside an open line with the same due day completes nothing, however often the file is imported.
    @Test func doneLineOfOpenOccurrenceIsOmitted() throws {
        let line = "2026-11-20 Pill due:2026-11-26 rec:+1d"
        #expect(try imported(line).output == "1 added\n")
        for _ in 0..<2 {
            #expect(
                try imported("x 2026-11-26 \(line)", line).output == """
                    1 unchanged
                      line 1: omitted: line 2 is open for this time or an earlier one

                    """)
        }
        #expect(try completions() == [])
    }

    @Test func importedCompletionRestartsSubtasks() throws {
        for words in [
            ["Trip", "--due", "2026-11-27", "--every", "week"],
            ["Pack", "--parent", "1", "--due", "2026-11-26"],
        ] {
            #expect(try sandbox.run("todoctl", ["add", "--literal"] + words).status == 0)
        }
        #expect(try sandbox.todoctl("done", "2").status == 0)
        let line = try #require(try exported().split(separator: "\n").first)
        #expect(try imported("x 2026-11-22 \(line)").output == "1 updated\n")
        #expect(
            try items().map { $0["due"] } == [.string("2026-12-04"), .string("2026-12-03")])
        #expect(try items().map { $0["completed"] } == [.boolean(false), .boolean(false)])
    }

    /// Returns the due times of the recorded completions, the last one first.
    private func completions() throws -> [String] {
        try sandbox.todoctl("history", "--format", "{due}").output.split(separator: "\n").map(String.init)
    }

    @Test func wordsOfNameAreEscaped() throws {
        let names = [
            "+1 for tea", "a @home due:friday", "x marks it", "(A) team", "2026-11-20 was a day", "\\+1",
            "\\\\x",
            "due:2026-11-27", "50%20 off", "a  b", "mail a+b@example.com", "x", "@ + home", "uid:7",
        ]
        for name in names {
            #expect(try sandbox.run("todoctl", ["add", "--literal", "--", name]).status == 0)
        }
        let text = try exported()
        let other = try emptySandbox()
        try other.write(text, to: "todo.txt")
        #expect(
            try other.todoctl("import", "\(other.directory)/todo.txt").output
                == "\(names.count) added\n", "\(text)")
        #expect(try items(other).map { $0["name"] } == names.map { .string($0) }, "\(text)")
        #expect(try items(other).map { $0["uid"] } == items().map { $0["uid"] })
        try sandbox.write(text, to: "todo.txt")
        let again = try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt")
        #expect(again.output == "\(names.count) unchanged\n", "\(text)")
    }

    /// A floating time stays one on another day, and an edited rule has all of its times.
    @Test func editOfAnotherProgramChangesOnlyItsPart() throws {
        for words in [
            ["Pill", "--due", "2026-11-27 20:00", "--floating", "--every", "day"],
            ["Run", "--due", "2026-11-23 09:00", "--every", "mon,thu 9 times"],
        ] {
            #expect(try sandbox.run("todoctl", ["add", "--literal"] + words).status == 0)
        }
        #expect(try sandbox.todoctl("done", "2").status == 0)
        let text = try exported().replacing("due:2026-11-27", with: "due:2026-11-29")
            .replacing("BYDAY=MO,TH", with: "BYDAY=MO,FR")
        try sandbox.write(text, to: "todo.txt")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt")
        #expect(result.output == "2 updated\n", "\(result)\n\(text)")
        #expect(try items().first?["due"] == .string("2026-11-29T20:00:00"))
        let left = try sandbox.todoctl("list", "-F", "{every} {occurrencesDone}", "--where", "id == 2").output
        #expect(left == "every week on Mon and Fri, 8 times 0\n")
    }

    @Test func spacesInLabelsSurvive() throws {
        for arguments in [["category", "add", "Home, sweet home"], ["category", "add", "100%25"]] {
            #expect(try sandbox.run("todoctl", arguments).status == 0)
        }
        for category in ["Home, sweet home", "100%25"] {
            let add = ["add", "--literal", "Tea", "--category", category, "--tag", "post office"]
            #expect(try sandbox.run("todoctl", add).status == 0)
        }
        let text = try exported()
        #expect(text.contains(" +Home,%20sweet%20home @post%20office "), "\(text)")
        let other = try emptySandbox()
        try other.write(text, to: "todo.txt")
        _ = try other.todoctl("import", "\(other.directory)/todo.txt")
        #expect(
            try items(other).map { $0["category"] } == [.string("Home, sweet home"), .string("100%25")])
        #expect(try items(other).first?["tags"] == .array([.string("post office")]))
    }

    /// The time of day, the zone and the notes, which a line does not have, are those of the store.
    @Test func exportedLinesChangeNothing() throws {
        for arguments in [
            ["Rent", "--due", "2026-12-01 09:00", "--every", "month", "--notes", "IBAN", "--lead", "1d"],
            ["Water", "--due", "2026-12-01 09:00", "--every", "2 weeks on mon,fri 9 times"],
            ["Pill", "--due", "2026-12-01 09:00", "--every", "8 hours", "--floating"],
            ["Passport", "--due", "2026-12-04", "--start", "2026-12-02 10:30", "--priority", "3"],
            ["Old", "--due", "2026-12-04 10:00:30"], ["Sub", "--parent", "1"], ["Plants", "--every", "day"],
        ] {
            let result = try sandbox.run("todoctl", ["add", "--literal"] + arguments)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try sandbox.todoctl("done", "5").status == 0)
        let before = try sandbox.call("Export").text("text")
        let text = try exported()
        #expect(text.split(separator: "\n").count == 7)
        #expect(text.contains(" rec:+1m "), "\(text)")
        #expect(text.contains("x 2026-11-22 2026-11-22 Old "), "\(text)")
        try sandbox.write(text, to: "lines")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/lines", "--format", "todotxt")
        #expect(result.output == "7 unchanged\n", "\(text)")
        #expect(try sandbox.call("Export").text("text") == before)
    }

    /// A change by another program leaves the values that lines do not have.
    @Test func changedLineKeepsOtherValues() throws {
        let add = [
            "add", "--literal", "Rent", "--due", "2026-12-01 09:00", "--every", "month", "--notes", "IBAN",
        ]
        #expect(try sandbox.run("todoctl", add).status == 0)
        let text = try exported().replacing("due:2026-12-01", with: "due:2026-12-03")
        try sandbox.write("(A) \(text)", to: "todo.txt")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt").output == "1 updated\n")
        let item = try #require(try items().first)
        #expect(item["due"] == .string("2026-12-03T09:00:00+01:00"))
        #expect(item["notes"] == .string("IBAN") && item["priority"] == .integer(1))
        #expect(item["every"] == .string("every month"))
    }

    @Test(arguments: [
        ("rec:1d", "every day", true), ("rec:+2w", "every 2 weeks", false), ("rec:m", "every month", true),
        ("rec:1b", "every week from Mon to Fri", true), ("rec:+3y", "every 3 years", false),
        ("rrule:+FREQ=WEEKLY;BYDAY=TU", "every week on Tue", false),
    ])
    func recurrenceBecomesRule(word: String, words: String, isAfterDone: Bool) throws {
        let line = "Bins due:2026-11-24 \(word)"
        #expect(try imported(line).output == "1 added\n")
        let item = try #require(try items().first)
        #expect(item["every"] == .string(words))
        #expect((item["afterDone"] == .boolean(true)) == isAfterDone)
        #expect(try imported(line).output == "1 unchanged\n")
    }

    @Test func subtasksNameTheirLines() throws {
        let lines = ["Buy paint p:1", "Paint the door id:1"]
        #expect(try imported(lines[0], lines[1]).output == "2 added\n")
        let items = try items()
        let parent = try #require(items.first { $0["name"] == .string("Paint the door") })
        #expect(items.first { $0["name"] == .string("Buy paint") }?["parent"] == parent["id"])
        #expect(try imported(lines[0], lines[1]).output == "2 unchanged\n")
    }

    /// Every change of a line is reported with its number.
    @Test func changesAreReportedByLine() throws {
        let result = try imported(
            "Tea due:tomorrow", "", "(K) Milk +A +B", "Bread rec:1w", "+Home", "Call rec:5x due:2026-11-27",
            "Go t:2026-12-02 due:2026-12-01", "Wash\u{7}\tup", "Run due:2027-03-28 at:02:30")
        #expect(
            result.output == """
                8 added, 2 categories added, 1 tag added
                  line 1: 'due:tomorrow' has no value that todod can use here, and is a part of the name
                  line 3: the priority K becomes I, the lowest one
                  line 3: the project +B becomes a tag, because an item has one category
                  line 4: it does not repeat: it has no due day
                  line 5: an item without a name is called '(no name)'
                  line 6: 'rec:5x' has no value that todod can use here, and is a part of the name
                  line 7: 't:' is omitted: the item would start after it is due
                  line 8: control characters become spaces
                  line 9: 02:30 does not exist on 28 Mar 2027, because the clocks go forward; 03:30 is used

                """)
        #expect(try items().first?["name"] == .string("Tea due:tomorrow"))
    }

    @Test func labelWithinSentenceStaysInName() throws {
        _ = try imported("@phone Call @Mum about the +Garden today +Home")
        #expect(try items().first?["name"] == .string("Call Mum about the Garden today"))
        #expect(try items().first?["category"] == .string("Garden"))
        _ = try imported("Pay @bank https://example.com/a @home key:value")
        #expect(try items().last?["name"] == .string("Pay https://example.com/a key:value"))
    }

    /// The name of the file shows the format only if its text is in no other one.
    @Test func formatIsDetectedFromNameOfFile() throws {
        for name in ["todo.txt", "done.txt", "work.todo.txt", "Todo.txt"] {
            try sandbox.write("Tea\r\n", to: name)
            let result = try sandbox.todoctl("import", "\(sandbox.directory)/\(name)", "--dry-run")
            #expect(result.output == "Would be: 1 added\n", "\(name): \(result.errors)")
        }
        try sandbox.write("Tea\n", to: "notes.txt")
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/notes.txt").errors
                .contains("it begins with 'Tea'"))
        try sandbox.write(#"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x"}]}"#, to: "todo.txt")
        _ = try sandbox.todoctl("import", "\(sandbox.directory)/todo.txt")
        #expect(try items().first?["name"] == .string("x"))
    }
}
