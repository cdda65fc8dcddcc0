import CivilTime
import Foundation
import Testing
import TodoAPI
import Varlink

/// Single occurrences and cancelled tasks of other programs.
@Suite struct SingleOccurrenceTests {
    private static let text = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a", "SUMMARY:Pill", "DTSTART:20770301T080000Z",
        "DUE:20770301T080000Z", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20770302T080000Z", "END:VTODO",
        "BEGIN:VTODO",
        "UID:a", "RECURRENCE-ID:20770303T080000Z", "SUMMARY:Pill", "DUE:20770303T180000Z", "X-A:1",
        "END:VTODO",
        "BEGIN:VTODO", "UID:b", "SUMMARY:Gone", "DUE:20770301T080000Z", "STATUS:CANCELLED", "END:VTODO",
        "END:VCALENDAR",
        "",
    ].joined(separator: "\r\n")

    private func sandbox(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        try sandbox.write(Self.text, to: "file.ics")
        return sandbox
    }

    /// Returns the export without the times of the export itself and of the last change, which undo sets, too.
    private func exported(_ sandbox: Sandbox) throws -> String {
        try sandbox.run(todoctl: "export --format icalendar").replacing(
            #/(DTSTAMP|LAST-MODIFIED):[0-9TZ]+/#, with: { $0.output.1 })
    }

    @Test(arguments: ["sqlite", "xml", "binary"]) func doneFollowsSingleOccurrences(kind: String) throws {
        let sandbox = try sandbox(kind)
        #expect(try sandbox.run(todoctl: "import \(sandbox.directory)/file.ics") == "2 added\n")
        #expect(try sandbox.run(todoctl: "import \(sandbox.directory)/file.ics") == "2 unchanged\n")
        let first = try exported(sandbox)
        let times = ["2077-03-01T08", "2077-03-03T18", "2077-03-04T08", "2077-03-05T08"]
        for (number, time) in times.enumerated() {
            let due = try #require(
                try sandbox.call("ListItems").items.first { $0["id"] == .integer(1) }?.moment("due"))
            #expect(RFC3339.text(due, in: .utc)?.hasPrefix(time) == true, "\(number)")
            if number == 1 {
                _ = try sandbox.run(todoctl: "skip 1")
            } else {
                _ = try sandbox.run(todoctl: "done 1")
            }
        }
        #expect(try sandbox.call("ListItems").items.isEmpty)
        for _ in times { _ = try sandbox.run(todoctl: "undo") }
        #expect(try exported(sandbox) == first)
        for format in ["json", "icalendar", "coredata"] {
            let other = try self.sandbox(kind)
            try other.write(try sandbox.run(todoctl: "export --format \(format)"), to: "copy")
            _ = try other.run(todoctl: "import \(other.directory)/copy")
            #expect(try exported(other) == first, "\(format)")
        }
    }

    @Test func cancelledItemIsDoneUntilItIsReopened() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "import \(sandbox.directory)/file.ics")
        #expect(!(try sandbox.run(todoctl: "list").contains("Gone")))
        #expect(try sandbox.run(todoctl: "list --all").contains("Gone"))
        #expect(try sandbox.run(todoctl: "show 2").contains("cancelled\n"))
        #expect(try sandbox.run(todoctl: "list --where 'cancelled == YES' -F '{name}'") == "Gone\n")
        #expect(try exported(sandbox).contains("STATUS:CANCELLED"))
        _ = try sandbox.run(todoctl: "reopen 2")
        #expect(try sandbox.run(todoctl: "list").contains("Gone"))
        #expect(!(try exported(sandbox).contains("STATUS:CANCELLED")))
        _ = try sandbox.run(todoctl: "done 2")
        #expect(!(try exported(sandbox).contains("STATUS:CANCELLED")))
        _ = try sandbox.run(todoctl: "undo")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try exported(sandbox).contains("STATUS:CANCELLED"))
    }

    /// A person who changes the rule does not expect the exceptions of the former one.
    @Test func newRuleHasNoSingleOccurrences() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "import \(sandbox.directory)/file.ics")
        _ = try sandbox.run(todoctl: "edit 1 --every '2 days'")
        #expect(!(try exported(sandbox).contains("EXDATE")))
    }

    @Test(arguments: [
        (#""excludedDates":["soon"]"#, "excludedDates[0]"),
        (#""addedDates":["2077-03-01"]"#, "addedDates[0]"),
        (#""occurrences":[{"recurrenceID":"x"}]"#, "occurrences[0].recurrenceID"),
        (
            #""occurrences":[{"recurrenceID":"20770301"},{"recurrenceID":"20770301"}]"#,
            "occurrences[1].recurrenceID"
        ),
        (#""occurrences":[{"recurrenceID":"20770301","priority":10}]"#, "occurrences[0].priority"),
        (#""cancelled":true"#, "cancelled"),
    ])
    func wrongOccurrenceOfJSONIsNamed(field: String, name: String) throws {
        let sandbox = try sandbox()
        let text = #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x",\#(field)}]}"#
        try sandbox.write(text, to: "items.json")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/items.json")
        #expect(result.status != 0 && result.errors.contains("items[0].\(name)"), "\(result)")
    }
}
