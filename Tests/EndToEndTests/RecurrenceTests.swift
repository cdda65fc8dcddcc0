import CivilTime
import Foundation
import Testing
import Varlink

/// Repeating items, through the real programs.
@Suite struct RecurrenceTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
    }

    /// Runs `todoctl` in the time zone of Madrid.
    private func todoctl(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run("todoctl", arguments, environment: ["TZ": "Europe/Madrid"])
    }

    private func item(_ id: Int = 1) throws -> JSONObject {
        let reply = try sandbox.call("GetItem", #"{"id":\#(id)}"#)
        guard case .object(let item)? = reply.parameters["item"] else { return JSONObject() }
        return item
    }

    private var madrid: TimeZoneRules {
        get throws { try #require(TimeZoneRules(named: "Europe/Madrid")) }
    }

    /// Adds item 1.
    private func add(_ due: String, _ every: String, _ others: String...) throws {
        let arguments = ["add", "Pills", "--due", due, "--every", every] + others
        let result = try sandbox.run("todoctl", arguments, environment: ["TZ": "Europe/Madrid"])
        try #require(result.status == 0, "\(result.errors)")
    }

    // MARK: - Completion

    @Test func doneItemRepeatsAtSameLocalTime() throws {
        let added = try todoctl("add", "Pills", "--due", "2031-03-29 09:00", "--every", "day")
        #expect(added.output.hasPrefix("Added 1  Pills  (Sat 29 Mar 2031 09:00, in "), "\(added)")
        #expect(added.output.hasSuffix("; every day)\n"))
        #expect(try todoctl("snooze", "1", "2030-01-01").status == 0)
        let done = try todoctl("done", "1").output
        #expect(done.hasPrefix("Done 1  Pills  (next Sun 30 Mar 2031 09:00, in "), "\(done)")
        // The clocks have changed: 9:00 has another offset from UTC, and the alert moves with the due time.
        let now = try item()
        #expect(now.moment("due") == RFC3339.moment("2031-03-30T07:00:00Z"))
        #expect(now.moment("nextAlert") == RFC3339.moment("2031-03-30T06:55:00Z"))
        #expect(now["snoozedUntil"] == nil && now["completedAt"] == nil)
        #expect(now["completed"] == .boolean(false) && now["occurrencesDone"] == nil)
        #expect(now["recurrence"] == .string("FREQ=DAILY") && now["timeZone"] == .string("Europe/Madrid"))
        #expect(try todoctl("list").output.contains("1  ↻  Sun 30 Mar 2031 09:00"))
        #expect(try todoctl("show", "1").output.contains("Repeats:       every day\n"))
        #expect(
            try sandbox.todoctl("show", "1").output.contains("every day (in the time zone Europe/Madrid)"))
        // A list is encoded from rows.
        let found = try sandbox.call("ListItems", #"{"where":"recurrence != nil"}"#).items.first
        let leftOut = [
            "afterDone", "timeZone", "leads", "alerts", "links", "tags", "blockedBy", "blocks",
        ]
        #expect(found == JSONObject(now.members.filter { !leftOut.contains($0.name) }))
        #expect(found?["every"] == .string("every day"))
    }

    /// T1: The test passes on any date.
    @Test func ruleSetsTimeOfDay() throws {
        let now = sandbox.now
        #expect(try todoctl("add", "Swim", "--every", "monday 9am").status == 0)
        let first = try item()
        let due = try #require(first.moment("due"))
        #expect(due > now && due - now <= 7 * 86_400 + 3_600)
        let civil = try #require(madrid.civil(at: due))
        #expect(civil.date.weekday == .monday && civil.secondOfDay == 9 * 3_600)
        #expect(first["recurrence"] == .string("FREQ=WEEKLY;BYDAY=MO"))
        #expect(try todoctl("show", "1").output.contains(" 09:00"))
        // Like a time without a day in `--due`, the time in the rule replaces the previous time of day.
        for rule in ["7:30 on weekdays", "7:30 every weekday"] {
            #expect(try todoctl("edit", "1", "--every", rule).output.contains(" 07:30, "))
        }
        let both = try todoctl("add", "Swim", "--every", "monday 9am", "--due", "10am")
        #expect(both.status == 1)
        #expect(both.errors.contains("the rule already names a time of day; use only one of the two"))
    }

    @Test func lastOccurrenceIsCompleted() throws {
        try add("2031-05-01 09:00", "day 2 times")
        #expect(try todoctl("show", "1").output.contains("every day, 2 times; this is number 1\n"))
        #expect(try todoctl("done", "1").output.contains("next Fri 2 May 2031 09:00"))
        #expect(try todoctl("done", "1").output == "Done 1  Pills  (for the last time)\n")
        #expect(try item()["completed"] == .boolean(true))
        #expect(try todoctl("list").output == "Nothing to do.\n")
        // A reopened item has its last due time, and ends once more.
        #expect(try todoctl("reopen", "1").output.contains("(Fri 2 May 2031 09:00"))
        #expect(try item().moment("nextAlert") == RFC3339.moment("2031-05-02T06:55:00Z"))
        #expect(try todoctl("done", "1").output.contains("for the last time"))
    }

    @Test func afterDoneCountsFromCompletion() throws {
        try add("2031-05-01 09:00", "3 days", "--after-done")
        #expect(try todoctl("show", "1").output.contains("every 3 days, counted from when it is done\n"))
        #expect(try todoctl("done", "1").status == 0)
        let due = try #require(try item().moment("due"))
        #expect(due > sandbox.now && due < sandbox.now + 5 * 86_400)
        #expect(try madrid.civil(at: due)?.secondOfDay == 9 * 3_600)
        #expect(try todoctl("edit", "1", "--after-due").output.hasSuffix("; every 3 days)\n"))
        #expect(try todoctl("edit", "1", "--due", "2031-05-01 09:00").status == 0)
        #expect(try todoctl("done", "1").output.contains("next Sun 4 May 2031 09:00"))
    }

    @Test func skippedOccurrenceIsNotCompleted() throws {
        try add("2031-05-05 09:00", "week 3 times")
        #expect(try todoctl("skip", "1").output.hasPrefix("Skipped 1  Pills  (next Mon 12 May 2031"))
        #expect(try item()["occurrencesDone"] == .integer(1))
        #expect(try todoctl("skip", "1").output.contains("Mon 19 May 2031"))
        #expect(try todoctl("skip", "1").errors.contains("item 1 is at its last time"))
        #expect(try todoctl("add", "Once").status == 0)
        let both = try todoctl("skip", "1", "2")
        #expect(both.status == 1 && both.errors.contains("is at its last time"))
        #expect(try todoctl("skip", "2").errors.contains("item 2 does not repeat"))
        #expect(try todoctl("done", "1").output.contains("for the last time"))
        #expect(try todoctl("skip", "1").errors.contains("item 1 is done; reopen it"))
    }

    @Test func doneAndSkippedOccurrencesAreUndone() throws {
        try add("2031-05-05 09:00", "week 5 times")
        let before = try item()
        for verb in ["done", "skip"] {
            #expect(try todoctl(verb, "1").output.contains("next Mon 12 May 2031"))
            #expect(try todoctl("undo").status == 0)
            let now = try item()
            for field in ["due", "occurrencesDone", "completed", "nextAlert", "recurrence"] {
                #expect(now[field] == before[field], "\(verb): \(field)")
            }
        }
    }

    /// A2: A repeating item that was completed by mistake is open already. `reopen` is refused and names the commands
    /// that restore the due time.
    @Test func reopeningOpenItemSuggestsCommands() throws {
        try add("2031-05-05 09:00", "week")
        #expect(try todoctl("done", "1").output.contains("next Mon 12 May 2031"))
        let refused = try todoctl("reopen", "1")
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains("item 1 is open and repeats"))
        #expect(
            refused.errors.contains("todoctl undo") && refused.errors.contains("todoctl edit 1 --due TIME"))
        #expect(try item().moment("due") == RFC3339.moment("2031-05-12T07:00:00Z"))
        // The refused command is not a change, so undo reverts the completion.
        #expect(try todoctl("undo").status == 0)
        #expect(try item().moment("due") == RFC3339.moment("2031-05-05T07:00:00Z"))
        #expect(try todoctl("add", "Once").status == 0)
        #expect(try todoctl("reopen", "2").errors.contains("item 2 is open already"))
    }

    /// L6: The sign of a repeating item is shown beside that of an overdue, muted or soon item.
    @Test func urgentItemKeepsSignOfRepetition() throws {
        let now = try #require(RFC3339.text(sandbox.now, in: TimeZoneRules.utc))
        #expect(try todoctl("add", "Old", "--every", "day", "--past", "--due", "2020-01-01").status == 0)
        #expect(try todoctl("add", "Soon", "--every", "day", "--due", "in 10 minutes").status == 0)
        #expect(try todoctl("add", "Quiet", "--every", "day", "--due", "2099-01-01", "--mute").status == 0)
        #expect(try todoctl("add", "Far", "--every", "day", "--due", "2099-01-02").status == 0)
        for command in ["list", "due"] {
            let lines = try todoctl(command).output.split(separator: "\n").map(String.init)
            for (name, sign) in [("Old", "!↻"), ("Soon", "*↻"), ("Quiet", "-↻"), ("Far", "↻")] {
                guard let line = lines.first(where: { $0.hasSuffix(name) }) else {
                    #expect(command == "due", "\(name) at \(now)")
                    continue
                }
                #expect(line.split(separator: " ").dropFirst().first.map(String.init) == sign, "\(line)")
            }
        }
    }

    // MARK: - Rules

    /// `mon,wed` without a day is the next Monday or Wednesday, as a date or at the given time.
    @Test func ruleWithoutDayBeginsWithNextOccurrence() throws {
        #expect(try todoctl("add", "Gym", "--every", "mon,wed").status == 0)
        #expect(try todoctl("add", "Gym", "--every", "mon,wed", "--due", "18:00").status == 0)
        for (id, time) in [(1, nil), (2, "18:00")] {
            let shown = try todoctl("show", "\(id)").output
            let due = try #require(shown.split(separator: "\n").first { $0.hasPrefix("Due:") })
            #expect(due.contains("Mon ") || due.contains("Wed ") || due.contains("today"), "\(due)")
            #expect(time.map { due.contains(" \($0), ") } ?? !due.contains(":00"), "\(due)")
        }
        // A named day is the first occurrence, even if the rule does not contain it.
        try add("2031-05-02 09:00", "mon,wed")
        #expect(try item(3).moment("due") == RFC3339.moment("2031-05-02T07:00:00Z"))
        #expect(try todoctl("done", "3").output.contains("next Mon 5 May 2031 09:00"))
    }

    @Test func ruleIsSetAndRemoved() throws {
        #expect(try todoctl("add", "Pills", "--due", "2031-05-05 09:00").status == 0)
        #expect(try todoctl("edit", "1", "--every", "FREQ=WEEKLY").output.hasSuffix("; every week)\n"))
        // The rule continues from a changed due time.
        #expect(try todoctl("edit", "1", "--due", "2031-05-07 09:00").status == 0)
        #expect(try todoctl("done", "1").output.contains("Wed 14 May 2031 09:00"))
        // Only a new rule restarts the count.
        #expect(try todoctl("edit", "1", "--every", "day 3 times").status == 0)
        #expect(try todoctl("done", "1").status == 0)
        #expect(try todoctl("edit", "1", "--due", "2031-06-01 09:00").status == 0)
        #expect(try item()["occurrencesDone"] == .integer(1))
        #expect(
            try todoctl("edit", "1", "--due", "").errors.contains("a repeating item needs one")
        )
        #expect(try todoctl("edit", "1", "--every", "").output.hasPrefix("Changed 1  Pills  (Sun 1 Jun 2031"))
        let now = try item()
        for field in ["recurrence", "every", "afterDone", "occurrencesDone", "timeZone"] {
            #expect(now[field] == nil, "\(field)")
        }
        #expect(try todoctl("edit", "1", "--every", "", "--due", "").output == "Changed 1  Pills\n")
        #expect(try todoctl("done", "1").output == "Done 1  Pills\n")
    }

    /// Each due time is typed in New York, and the item repeats in Madrid unless its rule means another day there.
    @Test(arguments: [
        ("day", "2031-03-20 09:00", "2031-03-22 04:00", "2031-03-22T09:00:00+01:00", "Europe/Madrid"),
        ("day", "2031-03-20 09:00", "2031-03-22", "2031-03-22T09:00:00+01:00", "Europe/Madrid"),
        ("day", "2031-03-20 02:00", "2031-03-22", "2031-03-22T02:00:00+01:00", "Europe/Madrid"),
        ("friday", "2031-03-21 02:00", "2031-03-28", "2031-03-28T02:00:00+01:00", "Europe/Madrid"),
        ("weekday", "2031-03-21 09:00", "2031-03-24 21:00", "2031-03-24T21:00:00-04:00", "America/New_York"),
        ("weekday", "2031-03-21 09:00", "2031-03-24 05:00", "2031-03-24T10:00:00+01:00", "Europe/Madrid"),
        ("week", "2031-03-21 09:00", "2031-03-24 21:00", "2031-03-25T02:00:00+01:00", "Europe/Madrid"),
        ("hour 9-18", "2031-03-21 09:00", "2031-03-24 05:00", "2031-03-24T10:00:00+01:00", "Europe/Madrid"),
        ("day", "2031-03-20 09:00", "2031-03-22 21:00", "2031-03-23T02:00:00+01:00", "Europe/Madrid"),
        ("friday", "2031-03-21 09:00", "2031-03-28 05:00", "2031-03-28T10:00:00+01:00", "Europe/Madrid"),
        ("friday", "2031-03-21 09:00", "2031-03-28 21:00", "2031-03-28T21:00:00-04:00", "America/New_York"),
        ("month", "2031-03-21 09:00", "2031-03-31 21:00", "2031-03-31T21:00:00-04:00", "America/New_York"),
        (
            "hour 9-18", "2031-03-21 09:00", "2031-03-24 14:00", "2031-03-24T14:00:00-04:00",
            "America/New_York"
        ),
    ])
    func dueTimeTypedInAnotherZoneKeepsTheZone(
        every: String, first: String, typed: String, due: String, zone: String
    ) throws {
        #expect(try todoctl("add", "Pills", "--due", first, "--every", every).status == 0)
        let edited = try sandbox.run(
            "todoctl", ["edit", "1", "--due", typed], environment: ["TZ": "America/New_York"])
        #expect(edited.status == 0, "\(edited.errors)")
        let now = try item()
        #expect(now.moment("due") == RFC3339.moment(due))
        #expect(now["timeZone"] == .string(zone))
    }

    /// A new rule is counted in the zone in which it is typed.
    @Test func ruleTypedInAnotherZoneTakesThatZone() throws {
        #expect(try todoctl("add", "Pills", "--due", "2031-03-20 09:00", "--every", "day").status == 0)
        let arguments = ["edit", "1", "--due", "2031-03-22 08:00", "--every", "week"]
        #expect(try sandbox.run("todoctl", arguments, environment: ["TZ": "America/New_York"]).status == 0)
        #expect(try item()["timeZone"] == .string("America/New_York"))
    }

    /// A time of day that does not exist on the first day, because the clocks go forward, is kept for all later days.
    @Test(arguments: [
        ("--every 'day 02:30'", ["Sun 28 Mar 03:30", "Mon 29 Mar 02:30", "Tue 30 Mar 02:30"]),
        ("--every day --due '28 mar 02:30'", ["Sun 28 Mar 03:30", "Mon 29 Mar 02:30"]),
        ("--every day --due 02:30", ["Sun 28 Mar 03:30", "Mon 29 Mar 02:30"]),
        ("--every week --due '28 mar 02:30'", ["Sun 28 Mar 03:30", "Sun 4 Apr 02:30"]),
        ("--every '2 weeks' --due '28 mar 02:30'", ["Sun 28 Mar 03:30", "Sun 11 Apr 02:30"]),
        (
            "--every 'month 3 times' --due '28 mar 02:30'",
            ["Sun 28 Mar 03:30", "Wed 28 Apr 02:30", "Fri 28 May 02:30"]
        ),
        ("--every year --due '28 mar 02:30'", ["Sun 28 Mar 03:30", "Tue 28 Mar 2028 02:30"]),
        ("--every 'last sunday 02:30'", ["Sun 28 Mar 03:30", "Sun 25 Apr 02:30"]),
        ("--every 'mon,sun 02:30'", ["Sun 28 Mar 03:30", "Mon 29 Mar 02:30"]),
        ("--every 'last sunday of march 02:30'", ["Sun 28 Mar 03:30", "Sun 26 Mar 2028 03:30"]),
        ("--every 'monday 02:30'", ["Mon 29 Mar 02:30", "Mon 5 Apr 02:30"]),
        ("--every day --after-done --due '28 mar 02:30'", ["Sun 28 Mar 03:30"]),
        ("--every day --due '28 mar 03:30'", ["Sun 28 Mar 03:30", "Mon 29 Mar 03:30"]),
    ])
    func timeOfDayIsKeptAfterClocksSkipIt(options: String, times: [String]) throws {
        let sandbox = try Sandbox(now: "2027-03-27T20:00:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        let added = try sandbox.shell("todoctl add d2 \(options)")
        #expect(added.output.contains(times[0]), "\(added)")
        for time in times.dropFirst() {
            let skipped = try sandbox.todoctl("skip", "1")
            #expect(skipped.output.contains(time), "\(skipped)")
        }
    }

    /// D10: A time span is counted from the first occurrence.
    @Test func spanIsCountedFromFirstTime() throws {
        try add("2031-05-05 09:00", "day for 2 weeks")
        #expect(try todoctl("show", "1").output.contains("every day, until 2031-05-18"))
        let rule = try item()["recurrence"]
        #expect(rule == .string("FREQ=DAILY;UNTIL=20310518T215959Z"))
    }

    @Test(arguments: [
        (["--every", "second"], 1, "cannot use the rule 'second': an item can repeat every minute at most"),
        (["--every", "FREQ=SECONDLY"], 1, "an item can repeat every minute at most"),
        (["--every", "moon"], 1, "'moon' is not understood"),
        (["--every", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], 1, "there is no such day"),
        (["--every", "day until 2031-01-01", "--due", "2031-05-01"], 1, "there is no such day"),
        (["--after-done"], 2, "--after-done needs --every"), (["--every"], 2, "--every needs a value"),
    ])
    func invalidRuleIsRefused(options: [String], status: Int32, text: String) throws {
        let result = try sandbox.run("todoctl", ["add", "x"] + options)
        #expect(result.status == status && result.errors.contains(text), "\(result)")
        // A refused item has used no ID.
        #expect(try sandbox.todoctl("add", "y").output == "Added 1  y\n")
    }

    @Test func invalidRuleIsNamedInReply() throws {
        let reply = try sandbox.call("AddItem", #"{"name":"x","every":"FREQ=SECONDLY"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidRecurrence")
        #expect(reply.text("text") == "FREQ=SECONDLY")
        #expect(try sandbox.call("AddItem", #"{"name":"x","afterDone":true}"#).text("field") == "afterDone")
        #expect(try sandbox.call("AddItem", #"{"name":"x"}"#).error == nil)
        #expect(try sandbox.call("SkipItems", #"{"ids":[1]}"#).text("field") == "ids")
        #expect(
            try sandbox.call("UpdateItems", #"{"ids":[1],"afterDone":true}"#).text("field") == "afterDone")
    }

    // MARK: - Import and export

    @Test func repetitionIsKeptByExportAndImport() throws {
        try add("2031-05-31 09:00", "month 5 times", "--after-done")
        #expect(try todoctl("edit", "1", "--after-due").status == 0)
        #expect(try todoctl("done", "1").output.contains("Mon 30 Jun 2031 09:00"))
        #expect(try todoctl("edit", "1", "--due", "2031-07-15 09:00").status == 0)
        let wanted = try item()
        for (format, name) in [("json", "a.json"), ("icalendar", "a.ics")] {
            try sandbox.write(try todoctl("export", "--format", format).output, to: name)
            #expect(try todoctl("import", "\(sandbox.directory)/\(name)").output == "1 unchanged\n")
            let other = try Sandbox()
            _ = try other.startDaemon()
            #expect(try other.todoctl("import", "\(sandbox.directory)/\(name)").output == "1 added\n")
            guard
                case .object(let item)? = try other.call("GetItem", #"{"id":1}"#).parameters["item"]
            else { continue }
            for field in ["due", "recurrence", "occurrencesDone", "timeZone", "afterDone"] {
                #expect(item[field] == wanted[field], "\(format) \(field)")
            }
        }
    }

    /// Other programs set a repeating task to done when one occurrence of it is done.
    @Test func itemDoneInAnotherProgramRepeats() throws {
        try add("2031-05-05 09:00", "week")
        let text = try todoctl("export", "--format", "icalendar").output
        let done = text.replacing(
            "STATUS:NEEDS-ACTION", with: "STATUS:COMPLETED\r\nCOMPLETED:20310506T100000Z")
        try sandbox.write(done, to: "done.ics")
        let file = "\(sandbox.directory)/done.ics"
        #expect(try todoctl("import", file).output == "1 updated\n")
        #expect(try todoctl("list").output.contains("Mon 12 May 2031 09:00"))
        #expect(try todoctl("import", file).output == "1 unchanged\n")
        #expect(try item().moment("due") == RFC3339.moment("2031-05-12T07:00:00Z"))
        // In a store without the item, the state in the file is used.
        let other = try Sandbox()
        _ = try other.startDaemon()
        #expect(try other.todoctl("import", file).output == "1 added\n")
        #expect(try other.todoctl("list").output == "Nothing to do.\n")
    }

    @Test func importWithoutRulesKeepsThem() throws {
        let task = { (more: String) in
            #"[{"uuid":"a","description":"Pills","due":"20310505T070000Z"\#(more)}]"#
        }
        func imported(_ text: String) throws -> String {
            try sandbox.write(text, to: "tasks.json")
            return try todoctl("import", "\(sandbox.directory)/tasks.json", "--format", "taskwarrior").output
        }
        #expect(try imported(task("")) == "1 added\n")
        #expect(try todoctl("edit", "1", "--every", "week", "--lead", "1h").status == 0)
        #expect(try imported(task("")) == "1 unchanged\n")
        let done = task(#","status":"completed","end":"20310505T080000Z""#)
        #expect(try imported(done) == "1 updated\n")
        #expect(try imported(done) == "1 unchanged\n")
        let now = try item()
        #expect(
            now.moment("due") == RFC3339.moment("2031-05-12T07:00:00Z")
                && now["leads"] == .array([.integer(3_600)]))
    }
}
