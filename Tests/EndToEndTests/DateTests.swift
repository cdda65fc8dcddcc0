import CivilTime
import Foundation
import Testing
import Varlink

/// Items that are due on a date or at a floating time, and starts, from the command line to the store and back.
@Suite struct DateTests {
    /// Thursday, 26 November 2026, 15:00 in Berlin.
    private static let clock = Sandbox.clock(at: Timestamp(secondsSince1970: 1_795_701_600))
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func start(_ zone: String = "Europe/Berlin") throws -> RunningDaemon {
        try sandbox.startDaemon(environment: Self.clock.merging(["TZ": zone]) { $1 })
    }

    private func shell(_ line: String, _ environment: [String: String] = [:]) throws -> Sandbox.Result {
        let own = Self.clock.merging(["TZ": "Europe/Berlin", "PATH": "\(Sandbox.products):/usr/bin:/bin"]) {
            $1
        }
        return try sandbox.run(
            "/bin/sh", ["-c", "todoctl \(line)"], environment: own.merging(environment) { $1 })
    }

    private func run(_ line: String, zone: String = "Europe/Berlin") throws -> String {
        let result = try shell(line, ["TZ": zone])
        #expect(result.status == 0, "\(line): \(result)")
        return result.output
    }

    private func refusal(_ line: String) throws -> String {
        let result = try shell(line)
        #expect(result.status == 1 || result.status == 2, "\(line): \(result)")
        return result.errors
    }

    /// Edits an item in an editor that runs a line of the shell.
    private func edit(_ id: Int, _ line: String) throws {
        let script = "\(sandbox.directory)/editor"
        try sandbox.write("#!/bin/sh\n\(line)\n", to: "editor")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        let result = try shell("edit \(id)", ["EDITOR": script])
        #expect(result.status == 0, "\(result)")
    }

    private func lines(_ format: String) throws -> String {
        try run("list --all --sort id --format '\(format)'")
    }

    @Test func dayWithoutTimeIsDate() throws {
        let daemon = try start()
        #expect(try run("add Taxes --due friday") == "Added 1  Taxes  (tomorrow Fri 27 Nov)\n")
        #expect(try run("add Bread --due today") == "Added 2  Bread  (today)\n")
        #expect(
            try run("add Bins --every 'fri for 3 weeks'").hasPrefix(
                "Added 3  Bins  (tomorrow Fri 27 Nov; every week on Fri"))
        #expect(try run("add Call --due 'fri 9am'").contains("09:00"))
        #expect(
            try lines("{id} {due} {nextAlert}") == """
                1 2026-11-27 2026-11-27T09:00:00+01:00
                2 2026-11-26 \("")
                3 2026-11-27 2026-11-27T09:00:00+01:00
                4 2026-11-27T09:00:00+01:00 2026-11-27T08:55:00+01:00

                """)
        #expect(try run("done 3") == "Done 3  Bins  (next Fri 4 Dec, in 8 days)\n")
        #expect(try run("show 3").contains("Due:           Fri 4 Dec, in 8 days\n"))
        // A time makes a moment of a date, and a day makes a date of a moment.
        #expect(try run("edit 1 --due '27 nov 10:00'").contains("10:00"))
        #expect(try run("edit 4 --due friday") == "Changed 4  Call  (tomorrow Fri 27 Nov)\n")
        #expect(try run("undo").contains("due time"))
        #expect(try lines("{due}").hasSuffix("2026-11-27T09:00:00+01:00\n"))
        #expect(try run("edit 3 --every 'fri 8am'").contains("Fri 4 Dec 08:00"))
        #expect(try run("status").contains("Next due:      today\n"))
        #expect(daemon.stop() == 0)
    }

    @Test func floatingTimeKeepsItsClockTimeInOtherZones() throws {
        var daemon = try start()
        _ = try run("add Pill --every 'day 20:00' --floating")
        _ = try run("add Call --due 'fri 20:00'")
        _ = try run("add Taxes --due friday")
        #expect(try run("show 1").contains("20:00 in any time zone"))
        #expect(try lines("{due}") == "2026-11-26T20:00:00\n2026-11-27T20:00:00+01:00\n2026-11-27\n")
        #expect(daemon.stop() == 0)
        daemon = try start("America/New_York")
        // The first check of the daemon sets the moments.
        #expect(try run("evaluate --dry-run", zone: "America/New_York") == "No alerts are due now.\n")
        #expect(
            try run("list --sort id --format '{due} {nextAlert}'", zone: "America/New_York") == """
                2026-11-26T20:00:00 2026-11-26T19:55:00-05:00
                2026-11-27T14:00:00-05:00 2026-11-27T13:55:00-05:00
                2026-11-27 2026-11-27T09:00:00-05:00

                """)
        #expect(try run("done 1", zone: "America/New_York").contains("next tomorrow Fri 27 Nov 20:00"))
        #expect(try run("edit 1 --fixed", zone: "America/New_York").contains("20:00"))
        #expect(try lines("{due}").hasPrefix("2026-11-28T02:00:00+01:00\n"))
        #expect(daemon.stop() == 0)
    }

    @Test func startHidesItemUntilThen() throws {
        let daemon = try start()
        _ = try run("add Renew passport --due '1 mar' --start '1 feb'")
        _ = try run("add Started --start today")
        _ = try run("add Rent --every '1st' --due '1 dec' --start '28 nov'")
        #expect(try run("list --format '{name}'") == "Started\n")
        #expect(try run("due 30d --format '{name}'") == "Rent\n")
        #expect(
            try run("list --waiting --format '{name} {start}'")
                == "Rent 2026-11-28\nRenew passport 2027-02-01\n")
        #expect(try run("list --waiting").contains("START"))
        #expect(try run("list --where 'start > $now' --format '{name}'") == "Rent\nRenew passport\n")
        #expect(try run("done 3").contains("next Fri 1 Jan 2027"))
        #expect(try run("show 3").contains("Start:         Tue 29 Dec, in 5 weeks\n"))
        #expect(try run("edit 1 --start ''").hasPrefix("Changed 1"))
        #expect(try run("list --format '{name}'") == "Renew passport\nStarted\n")
        #expect(
            try refusal("add x --due friday --start saturday").contains(
                "it is after the due time of the item, Fri 27 Nov"))
        #expect(try refusal("edit 3 --due '1 dec'").contains("before the start of the item, Tue 29 Dec"))
        #expect(try refusal("list --waiting --done").contains("cannot be combined"))
        #expect(daemon.stop() == 0)
    }

    /// The answers are those that a user needs to find a hidden item again.
    @Test func answersNameLaterStart() throws {
        let daemon = try start()
        #expect(
            try run("add Report --due fri --start fri")
                == "Added 1  Report  (tomorrow Fri 27 Nov; starts tomorrow)\n")
        #expect(
            try run("list report")
                == "No open item matches report. To list items that start later, add --waiting.\n")
        #expect(try run("show 1").contains("State:         open, starts later\n"))
        #expect(try run("due friday --format '{name}'") == "Report\n")
        #expect(daemon.stop() == 0)
    }

    /// Neither a local start nor another time zone is a change by the user.
    @Test func changesOfLocalTimesAreUndone() throws {
        var daemon = try start()
        _ = try run("add Bins --due fri --every fri --start thu")
        _ = try run("done 1")
        #expect(try run("undo").contains("Bins"))
        _ = try run("done 1")
        #expect(daemon.stop() == 0)
        daemon = try start("Europe/London")
        _ = try run("evaluate --dry-run", zone: "Europe/London")
        _ = try run("undo 2", zone: "Europe/London")
        #expect(try run("list --all --format '{name}'", zone: "Europe/London") == "")
        #expect(daemon.stop() == 0)
    }

    @Test func otherDayKeepsKindOfTime() throws {
        let daemon = try start()
        _ = try run("add Sauna --due 'sat 18:00' --floating")
        _ = try run("add Standup --every 'mon-fri 9:15'")
        _ = try run("add Bins --due fri")
        _ = try run("edit 1 --due 'sat 19:00'")
        _ = try run("edit 2 --due wednesday")
        _ = try run("edit 3 --every 'day at 9 and 20'")
        #expect(
            try lines("{due}")
                == "2026-11-28T19:00:00\n2026-12-02T09:15:00+01:00\n2026-11-27T09:00:00+01:00\n")
        #expect(try run("done 3").contains("20:00"))
        #expect(daemon.stop() == 0)
    }

    /// The shell splits `--due friday 9am`.
    @Test func timeLeftInNameIsOffered() throws {
        let daemon = try start()
        let added = try run("add Pay rent --due friday 9am")
        #expect(
            added.hasSuffix(
                "If '9am' is not part of it:  todoctl edit 1 --name 'Pay rent' --due '2026-11-27 9am'\n"))
        #expect(
            try run("edit 1 --name 'Pay rent' --due '2026-11-27 9am'").contains("tomorrow Fri 27 Nov 09:00"))
        #expect(
            try shell("add Call --due today").errors
                == "Note: no alert is sent today: the time of the alerts of days, 09:00, has passed\n")
        #expect(try shell("add Call --due today --alert 'today 23:59'").errors == "")
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: ["json", "icalendar"]) func exportKeepsDatesAndStarts(format: String) throws {
        let daemon = try start()
        _ = try run("add Taxes --due friday --lead 1d --start thursday")
        _ = try run("add Pill --every 'day 20:00' --floating --start 'today 19:00'")
        _ = try run("add Bins --every 'fri until 24 dec'")
        _ = try run("add Someday --start '1 feb'")
        _ = try run("add Rent --every '1st' --due '1 dec' --start '28 nov'")
        _ = try run("done 3 5")
        let format = "--format \(format)"
        let listed = try lines("{uid} {due} {start} {recurrence} {nextAlert}")
        _ = try run("export \(format) > '\(sandbox.directory)/file'")
        #expect(try run("import '\(sandbox.directory)/file'").contains("5 unchanged"))
        _ = try run("delete 1-5 --yes")
        #expect(try run("import '\(sandbox.directory)/file'").hasPrefix("5 added"))
        #expect(try lines("{uid} {due} {start} {recurrence} {nextAlert}") == listed)
        #expect(daemon.stop() == 0)
    }

    @Test func editorShowsDatesAndFloatingTimes() throws {
        let daemon = try start()
        _ = try run("add Pill --due '20:00' --floating --start 'today 19:00'")
        _ = try run("add Taxes --due friday")
        for (id, line) in [(1, "Due:        2026-11-26 20:00 floating"), (2, "Due:        2026-11-27")] {
            try edit(id, "cp \"$1\" '\(sandbox.directory)/form'")
            let form = try String(contentsOfFile: "\(sandbox.directory)/form", encoding: .utf8)
            #expect(form.contains("\(line)\n"))
        }
        try edit(
            1,
            "sed -i -e 's/^Due: .*/Due: 27 nov 21:00 floating/' -e 's/^Start: .*/Start: 26 nov 18:00 floating/' \"$1\""
        )
        #expect(try lines("{due} {start}") == "2026-11-27T21:00:00 2026-11-26T18:00:00\n2026-11-27 \n")
        #expect(daemon.stop() == 0)
    }
}
