import CivilTime
import Foundation
import Testing
import Varlink

/// Items that repeat within a day, through the real programs.
@Suite(.waiting) struct HourlyItemTests {
    private let sandbox: Sandbox

    init() throws {
        // A Sunday.
        sandbox = try Sandbox(now: "2026-11-22T10:20:00", zone: "Europe/Madrid")
        _ = try sandbox.startDaemon()
    }

    private func todoctl(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run("todoctl", arguments)
    }

    private func item(_ id: Int = 1, of sandbox: Sandbox? = nil) throws -> JSONObject {
        let reply = try (sandbox ?? self.sandbox).call("GetItem", #"{"id":\#(id)}"#)
        guard case .object(let item)? = reply.parameters["item"] else { return JSONObject() }
        return item
    }

    /// D9: The item is not due outside the hours of `--between`, and the replies of `add`, `show` and `edit` show the
    /// hours.
    @Test func itemIsNotDueOutsideItsHours() throws {
        let added = try todoctl("add", "Drink water", "--every", "90 minutes", "--between", "9:00-18:00")
        #expect(added.output.hasPrefix("Added 1  Drink water  (today 10:30, in "), "\(added)")
        #expect(added.output.hasSuffix("; every 90 minutes, 9:00–18:00)\n"), "\(added)")
        #expect(try todoctl("show", "1").output.contains("every 90 minutes, 9:00–18:00"))
        #expect(try todoctl("done", "1").output.contains("next today 12:00"))
        #expect(try todoctl("edit", "1", "--due", "today 18:00").status == 0)
        #expect(try todoctl("done", "1").output.contains("next tomorrow Mon 23 Nov 09:00"))
        // The text shown can be typed.
        #expect(try todoctl("edit", "1", "--every", "every 90 minutes, 9:00–18:00").status == 0)
        #expect(try item()["recurrence"] == .string("FREQ=MINUTELY;INTERVAL=90;X-BETWEEN=0900-1800"))
        // Other hours, then no hours.
        let changed = try todoctl("edit", "1", "--between", "10:00-12:00")
        #expect(
            changed.output.contains("today 11:30") && changed.output.contains("10:00–12:00"), "\(changed)")
        #expect(try todoctl("edit", "1", "--between", "").output.hasSuffix("; every 90 minutes)\n"))
        #expect(try item()["recurrence"] == .string("FREQ=MINUTELY;INTERVAL=90"))
    }

    /// D9: A repeating item without hours is first due one interval from now.
    @Test func hourlyItemIsDueInAnHour() throws {
        let added = try todoctl("add", "Stretch", "--every", "hour").output
        #expect(added.contains("today 11:2") && added.hasSuffix("; every hour)\n"), "\(added)")
        let note = "until it is done or skipped, and then moves to the next one in the future: todoctl done"
        #expect(try todoctl("add", "Look", "--every", "20 minutes").errors.contains(note))
        #expect(try todoctl("add", "Pill", "--every", "daily at 8 and 20").errors.contains(note))
        #expect(try !todoctl("add", "Sit", "--every", "day").errors.contains(note))
        #expect(try todoctl("add", "Walk", "--every", "2 hours from 9 to 18").output.contains("(today 11:00"))
        #expect(
            try todoctl("add", "Night", "--every", "hour", "--between", "22:00-6:00").output.contains(
                "(today 22:00"))
        #expect(
            try todoctl("add", "Late", "--every", "hour 17-21", "--due", "tomorrow").output.contains(
                "23 Nov 17:00"))
    }

    /// An item with several times a day is due at the next of them.
    @Test(arguments: [
        ("--every 'FREQ=DAILY;BYHOUR=8,20'", "(today 20:00", "FREQ=DAILY;BYHOUR=8,20"),
        ("--every 'daily at 8 and 20'", "(today 20:00", "every day at 08:00 and 20:00"),
        ("--every '8:00,20:00' --due tomorrow", "(tomorrow Mon 23 Nov 08:00", "every day at 08:00 and 20:00"),
        ("--every 'day 7am' --due fri", "(Fri 27 Nov 07:00", "every day"),
        ("--every 'FREQ=HOURLY;BYMINUTE=0,30'", "(today 10:30", "FREQ=HOURLY;BYMINUTE=0,30"),
    ])
    func severalTimesADayBeginWithTheNextOne(options: String, due: String, rule: String) throws {
        let added = try sandbox.shell("todoctl add Pills \(options)")
        #expect(added.output.contains(due) && added.output.hasSuffix("; \(rule))\n"), "\(added)")
        if rule.contains("20:00") {
            #expect(try todoctl("done", "1").status == 0)
            #expect(try todoctl("edit", "1", "--every", rule).status == 0)
        }
    }

    /// The end of a rule is shown in the time zone of the item, in a reply and in a list.
    @Test func endOfRuleIsShownInZoneOfItem() throws {
        let environment = ["TZ": "America/New_York"]
        let added = try sandbox.run(
            "todoctl", ["add", "x", "--every", "day until 1 dec"], environment: environment)
        #expect(added.output.hasSuffix("; every day, until 2026-12-01)\n"), "\(added)")
        let every = try sandbox.call("ListItems", #"{"fields":["every"]}"#).items.first?["every"]
        #expect(every == .string("every day, until 2026-12-01"))
        #expect(try item()["every"] == every)
        let hourly = try todoctl("add", "y", "--every", "hourly until 18:00")
        #expect(hourly.output.hasSuffix("; every hour, until 2026-11-22 18:00)\n"), "\(hourly)")
    }

    /// A due time that contradicts the times of the rule is refused.
    @Test(arguments: ["daily at 8 and 20", "FREQ=DAILY;BYHOUR=8,20", "day 7am"])
    func timeThatContradictsRuleIsRefused(rule: String) throws {
        let refused = try todoctl("add", "Pills", "--every", rule, "--due", "10am")
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains("the rule already names a time of day; use only one of the two"))
    }

    /// A due time with a day is the first occurrence, even if it is not one of the rule's times. Both ways to type the
    /// rule mean the same.
    @Test(arguments: ["daily at 8 and 20", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"])
    func dueTimeWithDayNeedNotBeOneOfRule(rule: String) throws {
        let added = try todoctl("add", "Pills", "--every", rule, "--due", "tomorrow 9am")
        #expect(added.output.contains("(tomorrow Mon 23 Nov 09:00"), "\(added)")
        #expect(added.output.hasSuffix("; every day at 08:00 and 20:00)\n"), "\(added)")
        #expect(try todoctl("done", "1").output.contains("next tomorrow Mon 23 Nov 20:00"))
        // A time without a day must be one of the rule's times.
        #expect(try todoctl("add", "Pills", "--every", rule, "--due", "8am").output.contains("23 Nov 08:00"))
        // An item that is due at one of the rule's times keeps its due time.
        #expect(try todoctl("edit", "1", "--due", "fri 20:00").status == 0)
        #expect(try todoctl("edit", "1", "--every", rule).status == 0)
        #expect(try item().moment("due") == RFC3339.moment("2026-11-27T19:00:00Z"))
    }

    /// A single time in a rule is the time of day of the due time, so another one in `--due` contradicts it.
    @Test func secondTimeOfDayIsRefused() throws {
        let refused = try todoctl("add", "Pills", "--every", "day 7am", "--due", "tomorrow 9am")
        #expect(refused.errors.contains("the rule already names a time of day; use only one of the two"))
    }

    /// A rule with times moves an item that is due at another time.
    @Test func itemMovesToTimeOfRule() throws {
        #expect(try todoctl("add", "Pills", "--due", "tomorrow 10:00").status == 0)
        let edited = try todoctl("edit", "1", "--every", "daily at 8 and 20").output
        #expect(edited.contains("(today 20:00"), "\(edited)")
    }

    /// D9: Missed occurrences count as one: the item is done once, and is then due at the next time.
    @Test func missedOccurrencesCountAsOne() throws {
        #expect(
            try todoctl("add", "Eyes", "--every", "10 minutes", "--past", "--due", "yesterday 10:00").status
                == 0)
        #expect(try todoctl("list").output.split(separator: "\n").count == 2)
        #expect(try todoctl("done", "1").output.contains("next today 10:30"))
        #expect(try todoctl("list").output.split(separator: "\n").count == 2)
    }

    /// D9: JSON and iCalendar keep the item as it was, and the exported rule lists the hours for other programs.
    @Test func hoursAreKeptByExportAndImport() throws {
        #expect(try todoctl("add", "Water", "--every", "2 hours", "--between", "9-18").status == 0)
        let wanted = try item()
        let calendar = try todoctl("export", "--format", "icalendar").output
        #expect(calendar.contains("RRULE:FREQ=DAILY;BYHOUR=9,11,13,15,17;BYMINUTE=0"), "\(calendar)")
        #expect(calendar.contains("X-TODOD-RRULE:FREQ=HOURLY;INTERVAL=2;X-BETWEEN=0900-1800"))
        for (name, text) in [("a.ics", calendar), ("a.json", try todoctl("export").output)] {
            try sandbox.write(text, to: name)
            #expect(try todoctl("import", "\(sandbox.directory)/\(name)").output == "1 unchanged\n")
            let other = try Sandbox(now: "2026-11-22T10:20:00", zone: "Europe/Madrid")
            _ = try other.startDaemon()
            #expect(try other.todoctl("import", "\(sandbox.directory)/\(name)").output == "1 added\n")
            for field in ["due", "recurrence", "every", "timeZone"] {
                #expect(try item(of: other)[field] == wanted[field], "\(name) \(field)")
            }
        }
    }

    /// D9: An imported item stays hourly.
    @Test func importedItemStaysHourly() throws {
        for (number, rule) in ["FREQ=HOURLY", "FREQ=MINUTELY;INTERVAL=45", "FREQ=HOURLY;BYHOUR=9,10,11"]
            .enumerated()
        {
            try sandbox.write(
                """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                BEGIN:VTODO\r
                UID:\(number)\r
                SUMMARY:Pills\r
                DTSTART;TZID=Europe/Madrid:20261123T090000\r
                DUE;TZID=Europe/Madrid:20261123T090000\r
                RRULE:\(rule)\r
                END:VTODO\r
                END:VCALENDAR\r

                """, to: "\(number).ics")
            #expect(try todoctl("import", "\(sandbox.directory)/\(number).ics").output == "1 added\n")
            #expect(try item(number + 1)["recurrence"] == .string(rule))
        }
        #expect(try todoctl("done", "1").output.contains("23 Nov 10:00"))
        #expect(try todoctl("done", "2").output.contains("23 Nov 09:45"))
        #expect(try todoctl("edit", "3", "--due", "23 nov 11:00").status == 0)
        #expect(try todoctl("done", "3").output.contains("24 Nov 09:00"))
    }

    /// D9: Hours that make no sense are refused, with the reason and an accepted form.
    @Test(arguments: [
        (["--between", "9-18"], 2, "--between needs --every"),
        (["--every", "day", "--between", "9-18"], 1, "it needs a rule within the day, such as '2 hours'"),
        (["--every", "hour", "--between", "soon"], 1, "'soon' is not a range of hours; try '9:00-18:00'"),
        (["--every", "hour", "--between", "9-5"], 1, "; did you mean '9:00-17:00'?"),
        (["--every", "hour 9-18", "--between", "8-20"], 1, "the rule already names hours"),
        (["--every", "hour", "--between", "9-18", "--due", "today 20:00"], 1, "it is outside 9:00–18:00"),
        (["--every", "30 seconds"], 1, "an item can repeat every minute at most; try '1 minute'"),
    ])
    func impossibleHoursAreRefused(options: [String], status: Int32, text: String) throws {
        let result = try sandbox.run("todoctl", ["add", "x"] + options)
        #expect(result.status == status && result.errors.contains(text), "\(result)")
    }

    /// D9: Shells complete `--between` on `add` and `edit`.
    @Test(arguments: ["add", "edit"]) func shellsCompleteHours(verb: String) throws {
        #expect(try todoctl("__complete", verb, "--betw").output.hasPrefix("--between"))
    }
}
