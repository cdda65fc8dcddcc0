import CivilTime
import Foundation
import Testing
import Varlink

/// Times that are typed for `todoctl`, and times that it prints. `phrases.txt` contains the readings themselves.
@Suite struct TypedDateTests {
    /// A Monday.
    private static let now = "2026-11-23T08:49:00"

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox(now: Self.now, zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        return sandbox
    }

    /// D6: The reply names the Friday that was used, and the words for the other one.
    @Test func answerNamesBothReadingsOfNextFriday() throws {
        let sandbox = try sandbox()
        let note = "'next friday' is Friday 27 Nov 2026; for Friday 4 Dec 2026, type 'friday after next'"
        let added = try sandbox.todoctl("add", "x", "--due", "next friday")
        #expect(added.errors == "Note: \(note)\n")
        #expect(added.output == "Added 1  x  (Fri 27 Nov, in 4 days)\n")
        #expect(try sandbox.todoctl("edit", "1", "--due", "next friday").errors == "Note: \(note)\n")
        let other = try sandbox.todoctl("edit", "1", "--due", "friday after next")
        #expect(other.output == "Changed 1  x  (Fri 4 Dec, in 11 days)\n" && other.errors.isEmpty)
        let call = try sandbox.call(
            "UpdateItems", #"{"ids":[1],"due":"next friday","timeZone":"Europe/Berlin"}"#)
        #expect(call.text("note") == note)
        #expect(try sandbox.call("AddItem", #"{"name":"y","due":"friday"}"#).parameters["note"] == nil)
    }

    /// D6: Commands with an end print the same note.
    @Test(arguments: [
        ["snooze", "1", "until", "next", "friday"], ["quiet", "until", "next friday"],
        ["edit", "1", "--every", "day until next friday"],
        ["add", "y", "--every", "day until next friday"],
    ])
    func answerNamesBothReadingsOfEnd(words: [String]) throws {
        let sandbox = try sandbox()
        try sandbox.addItems(["x"])
        let result = try sandbox.run("todoctl", words)
        #expect(
            result.errors
                == "Note: 'next friday' is Friday 27 Nov 2026; for Friday 4 Dec 2026, type 'friday after next'\n"
        )
        #expect(result.status == 0)
    }

    /// D11: Every command names a time that the clocks skip, and one that they repeat.
    @Test func timesOfClockChangesAreNamed() throws {
        let sandbox = try Sandbox(now: "2027-03-28T00:50:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["x"])
        for words in [
            ["add", "y", "--due", "02:30"], ["edit", "1", "--due", "2027-03-28T02:30"],
            ["quiet", "until", "02:30"], ["snooze", "1", "until", "02:30"],
        ] {
            let result = try sandbox.run("todoctl", words)
            let note = "02:30 does not exist on 28 Mar 2027, because the clocks go forward; 03:30 is used"
            #expect(result.status == 0 && result.errors == "Note: \(note)\n", "\(result)")
        }
        for words in [
            ["list", "--due-before", "28 mar 02:30"], ["list", "--due-after", "02:30"], ["due", "02:30"],
            ["list", "--where", "due < '28 mar 02:30' OR due == nil"],
            ["list", "--priority", "high", "--where", "due < '02:30'"],
            ["delete", "--where", "due < '02:30' AND name == 'z'"],
            ["list", "-F", "{leads}", "--due-before", "02:30"],
        ] {
            let result = try sandbox.run("todoctl", words)
            let note = "02:30 does not exist on 28 Mar 2027, because the clocks go forward; 03:30 is used"
            #expect(result.status == 0 && result.errors == "Note: \(note)\n", "\(words): \(result)")
        }
        // With `--json`, the note is in the reply.
        for words in [
            ["list", "--due-after", "02:30", "--due-before", "02:30"],
            ["list", "--due-before", "02:30", "--count"],
            ["due", "02:30"], ["snooze", "1", "until", "02:30"], ["edit", "1", "--due", "02:30"],
            ["delete", "--where", "due < '02:30' AND name == 'z'"], ["show", "--where", "due < '02:30'"],
            ["quiet", "until", "02:30"], ["add", "z", "--due", "02:30"],
        ] {
            let result = try sandbox.run("todoctl", words + ["--json"])
            #expect(result.errors.isEmpty && result.output.contains("\"note\""), "\(words): \(result)")
            #expect(result.output.contains("02:30 does not exist on 28 Mar 2027"), "\(words): \(result)")
        }
        // A rule with several times of the day has the note of its first time.
        for rule in ["daily at 02:30 and 14:30", "FREQ=DAILY;BYHOUR=2,14;BYMINUTE=30"] {
            let result = try sandbox.todoctl("add", "r", "--every", rule)
            #expect(result.output.contains("today 03:30"), "\(rule): \(result)")
            #expect(
                result.errors.contains("Note: 02:30 does not exist on 28 Mar 2027"), "\(rule): \(result)")
        }
        // The day of the due time and the time of the rule make a time that the clocks skip.
        for words in [
            ["add", "s", "--every", "day 02:30", "--due", "28 mar 2027"],
            ["edit", "1", "--every", "day 02:30", "--due", "28 mar 2027"],
        ] {
            let result = try sandbox.run("todoctl", words)
            #expect(result.output.contains("today 03:30"), "\(result)")
            #expect(result.errors.hasPrefix("Note: 02:30 does not exist on 28 Mar 2027"), "\(result)")
        }
        #expect(try sandbox.todoctl("list", "--due-before", "28 mar").errors.isEmpty)
        let reply = try sandbox.call("ListItems", #"{"dueBefore":"02:30","timeZone":"Europe/Berlin"}"#)
        #expect(reply.text("note")?.hasPrefix("02:30 does not exist on 28 Mar 2027") == true)
        let alerts = try sandbox.todoctl("alerts", "--since", "28 mar 2027 02:30")
        #expect(alerts.errors.hasPrefix("Note: 02:30 does not exist on 28 Mar 2027"), "\(alerts)")
        let json = try sandbox.todoctl("--json", "alerts", "--since", "28 mar 2027 02:30")
        #expect(
            !json.errors.contains("Note:") && json.output.hasPrefix(#"{"note":"02:30 does not"#), "\(json)")
        let added = try sandbox.todoctl("add", "y", "--due", "31 oct 2:30am")
        #expect(added.errors.contains("type '31 Oct 2027 02:30 CET'"), "\(added)")
    }

    /// D2: `{due:local}` names the zone in the second occurrence of a repeated hour, and `--due` reads it as the same
    /// time.
    @Test func localTimeInRepeatedHourIsReadAgain() throws {
        let sandbox = try sandbox()
        _ = try sandbox.todoctl("add", "x", "--due", "2027-10-31T02:30:00+01:00")
        let due = try sandbox.todoctl("list", "-F", "{due:local}|{due}").output
        let text = String(due.prefix { $0 != "|" })
        #expect(text == "2027-10-31 02:30 CET")
        #expect(try sandbox.todoctl("edit", "1", "--due", text).status == 0)
        #expect(try sandbox.todoctl("list", "-F", "{due:local}|{due}").output == due)
    }

    /// D11: The current minute is accepted as a due time.
    @Test func nowIsAcceptedAsDueTime() throws {
        let sandbox = try sandbox()
        let added = try sandbox.todoctl("add", "x", "--due", "now")
        #expect(added.status == 0, "\(added)")
        #expect(try sandbox.todoctl("add", "y", "--due", "5 min ago").status == 1)
    }

    /// D5, D8, D11: An error states the problem once, and suggests the probable time.
    @Test(arguments: [
        ("tomorow 9am", "it names no day and no time\nDid you mean 'tomorrow 9am'?"),
        (
            "soon",
            "it names no day and no time\nTry 'tomorrow 9am', 'fri 15:30', 'in 20 minutes' or '2026-12-24 18:00'."
        ),
        ("15h", "it has two readings\nDid you mean 'in 15 hours' or '15:00'?"),
        ("5/6", "it has two readings\nDid you mean '5 jun' or '6 may'?"),
        (
            "mon 27 nov",
            "27 Nov 2026 is a Friday, not a Monday\nTry 'tomorrow 9am', 'fri 15:30', 'in 20 minutes' or '2026-12-24 18:00'."
        ),
    ])
    func errorSuggestsProbableTime(due: String, text: String) throws {
        let sandbox = try sandbox()
        let result = try sandbox.todoctl("add", "x", "--due", due)
        #expect(result.status == 1)
        #expect(result.errors == "todoctl: cannot read the due time '\(due)': \(text)\n")
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    /// The seconds of a due time are kept, and `show` prints them in a form that `--due` reads.
    @Test func secondsOfDueTimeAreKept() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.todoctl("add", "x", "--due", "10:30:15").status == 0)
        #expect(try sandbox.todoctl("list", "-F", "{due}").output == "2026-11-23T10:30:15+01:00\n")
        let shown = try sandbox.todoctl("show", "1").output
        let due = try #require(shown.split(separator: "\n").first { $0.hasPrefix("Due:") })
        #expect(due.contains(" today 10:30:15, in "), "\(due)")
        #expect(try sandbox.run("todoctl", ["edit", "1", "--due", String(due.dropFirst(15))]).status == 0)
        #expect(try sandbox.todoctl("list", "-F", "{due}").output == "2026-11-23T10:30:15+01:00\n")
    }

    /// D11: `snooze` and `quiet` read `15h` as a time span.
    @Test func hoursAreReadAsTimeSpanOfPause() throws {
        let sandbox = try sandbox()
        _ = try sandbox.todoctl("add", "x", "--due", "tomorrow")
        #expect(try sandbox.todoctl("snooze", "1", "15h").output.hasSuffix("until today 23:49\n"))
        #expect(try sandbox.todoctl("quiet", "15h").output.contains("until today 23:49"))
    }

    /// `until` names an end, and four digits before `h` are as unclear for a pause as for a due time.
    @Test func unclearHoursOfPauseAreRefused() throws {
        let sandbox = try sandbox()
        _ = try sandbox.todoctl("add", "x", "--due", "tomorrow")
        for words in [["snooze", "1", "1700h"], ["quiet", "1700h"]] {
            let refused = try sandbox.run("todoctl", words)
            #expect(
                refused.status == 1 && refused.errors.contains("'in 1700 hours' or '17:00'"), "\(refused)")
        }
        for words in [["snooze", "1", "until", "14h"], ["quiet", "until", "14h"], ["due", "14h"]] {
            let refused = try sandbox.run("todoctl", words)
            #expect(refused.status == 1 && refused.errors.contains("'in 14 hours' or '14:00'"), "\(refused)")
        }
        #expect(try sandbox.todoctl("snooze", "1", "until", "14:00").output.hasSuffix("until today 14:00\n"))
        #expect(try sandbox.todoctl("snooze", "1", "for", "14h").output.hasSuffix("until today 22:49\n"))
        #expect(try sandbox.todoctl("quiet", "until", "off").status == 0)
        let refused = try sandbox.todoctl("snooze", "1", "1530")
        #expect(refused.status == 2 && refused.errors.contains("todoctl snooze 1 15:30"), "\(refused)")
    }

    /// The first time of a rule on a day on which the clocks skip or repeat it is named in a note.
    @Test(arguments: [
        ("2026-10-24T12:00:00", "02:30 occurs twice on 25 Oct 2026"),
        ("2027-03-27T12:00:00", "02:30 does not exist on 28 Mar 2027"),
    ])
    func firstTimeOfRuleAtClockChangeHasNote(now: String, note: String) throws {
        let sandbox = try Sandbox(now: now, zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "x", "--every", "day 02:30").errors.contains(note))
        #expect(try sandbox.todoctl("add", "y", "--every", "day 03:30").errors.isEmpty)
        #expect(try sandbox.todoctl("edit", "2", "--every", "day 02:30").errors.contains(note))
    }

    /// `due` reads a time as the filters do, and takes only a clear length as one.
    @Test func dueReadsTimesAsFiltersDo() throws {
        let sandbox = try sandbox()
        for (time, end) in [
            ("15h30", "until 15h30"), ("1530", "until 1530"), ("at 14h", "until 14h"),
            ("14:00", "until 14:00"),
            ("7d", "within 7d"), ("in 14h", "within 14h"), ("within 8h30", "within 8h30"),
        ] {
            let result = try sandbox.todoctl("due", time)
            #expect(result.output == "Nothing is overdue or due \(end).\n", "\(result)")
        }
        for time in ["8h30", "14h", "2030", "30m,1h"] {
            let refused = try sandbox.todoctl("due", time)
            #expect(refused.status == 1 && refused.errors.contains("Did you mean"), "\(refused)")
        }
    }

    /// D1: Each time that `add`, `list` and `show` print is read as the same minute, even in the night with a repeated
    /// hour.
    @Test(arguments: ["Europe/Berlin", "America/St_Johns"])
    func printedTimeIsAccepted(zone: String) throws {
        let sandbox = try Sandbox(now: "2027-10-30T12:00:00", zone: zone)
        _ = try sandbox.startDaemon()
        let dues = [
            "2027-10-30T21:00:00Z", "2027-10-31T00:30:00Z", "2027-10-31T01:30:00Z", "2027-11-07T03:31:00Z",
            "2027-11-07T04:31:00Z", "2027-11-07T05:31:00Z", "2028-02-29T12:05:00Z", "2027-03-02T09:00:00Z",
            "2027-10-29T12:00:00Z",
        ]
        for (index, due) in dues.enumerated() {
            let name = "item\(index)"
            let echo = try sandbox.todoctl("add", name, "--past", "--due", due).output
            let shown = try sandbox.todoctl("show", "\(index + 1)").output
            let listed = try sandbox.todoctl("list", name).output.split(separator: "\n").last ?? ""
            var texts = [String(echo.drop { $0 != "(" }.dropLast())]
            texts += shown.split(separator: "\n").filter { $0.hasPrefix("Due:") || $0.hasPrefix("Added:") }
                .prefix(1).map { String($0.dropFirst(15)) }
            texts += String(listed).components(separatedBy: "  ").filter { $0.contains(":") }
            #expect(texts.count == 3, "\(echo)\(shown)\(listed)")
            for text in texts {
                let trimmed = text.trimmingCharacters(in: .whitespaces)
                let result = try sandbox.todoctl("edit", "\(index + 1)", "--past", "--due", trimmed)
                #expect(result.status == 0, "'\(trimmed)': \(result.errors)")
                let item = try sandbox.call("GetItem", #"{"id":\#(index + 1)}"#).parameters["item"]
                guard case .object(let fields)? = item, case .string(let read)? = fields["due"] else {
                    Issue.record("no due time after '\(trimmed)'")
                    continue
                }
                #expect(RFC3339.moment(read) == RFC3339.moment(due), "'\(trimmed)' was read as \(read)")
            }
        }
    }
}
