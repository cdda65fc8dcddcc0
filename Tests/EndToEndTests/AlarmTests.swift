import CivilTime
import Foundation
import Testing

/// Alerts after the due time, at the start and at other moments, from the command line to the store and back.
@Suite struct AlarmTests {
    /// Thursday, 26 November 2026, 15:00 in Berlin.
    ///
    /// Each test has its own, because the clock goes on.
    private let clock = Sandbox.clock(at: Timestamp(secondsSince1970: 1_795_701_600))
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func start() throws -> RunningDaemon {
        try sandbox.startDaemon(environment: clock.merging(["TZ": "Europe/Berlin"]) { $1 })
    }

    private func shell(_ line: String, _ environment: [String: String] = [:]) throws -> Sandbox.Result {
        let own = clock.merging([
            "TZ": "Europe/Berlin", "PATH": "\(Sandbox.products):/usr/bin:/bin",
        ]) { $1 }
        return try sandbox.run(
            "/bin/sh", ["-c", "todoctl \(line)"], environment: own.merging(environment) { $1 })
    }

    private func run(_ line: String) throws -> String {
        let result = try shell(line)
        #expect(result.status == 0, "\(line): \(result)")
        return result.output
    }

    /// Returns the lines of `show` with these labels.
    private func details(_ id: Int, _ labels: String...) throws -> [String] {
        var isShown = false
        return try run("show \(id)").split(separator: "\n").filter { line in
            if !line.hasPrefix(" ") { isShown = labels.contains { line.hasPrefix("\($0):") } }
            return isShown
        }.map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test func alertsOfEveryKindAreShown() throws {
        let daemon = try start()
        #expect(try run("add Tea --alert 'today 17:00'") == "Added 1  Tea  (alert today 17:00)\n")
        _ = try run("delete 1 --yes")
        _ = try run(
            "add Visa --due '10 dec 9:00' --start '1 dec 8:00' --lead '1d, 10m after' --alert 'fri 20:00' "
                + "--alert '1h before start, at start'")
        #expect(
            try details(2, "Lead time", "Alerts", "Next alert") == [
                "Lead time: 1d, 10min after",
                "Alerts: 1h before start", "at start",
                "tomorrow Fri 27 Nov 20:00, in 29 h",
                "Next alert: tomorrow Fri 27 Nov 20:00, in 29 h",
            ])
        _ = try run("edit 2 --alert 'today 17:00'")
        #expect(
            try details(2, "Alerts", "Next alert") == [
                "Alerts: today 17:00, in 2 h", "Next alert: today 17:00, in 2 h",
            ])
        _ = try run("edit 2 --alert ''")
        #expect(try details(2, "Alerts").isEmpty)
        _ = try run("undo 2")
        #expect(try details(2, "Alerts").count == 3)
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: [
        ("add x --alert '1h before start'", "'1h before start' needs a start, and the item has none"),
        ("add x --start fri --alert 'month before start'", "'month' is not a time span"),
        ("add x --alert yesterday", "is in the past"), ("add x --alert soon", "'soon'"),
        ("add x --due fri --lead '1h later'", "'1h later'"), ("edit 1 --alert 'at start'", "needs a start"),
    ])
    func wrongAlertIsRefused(line: String, message: String) throws {
        let daemon = try start()
        _ = try run("add Tea --due 'in 2 hours'")
        let result = try shell(line)
        #expect(result.status == 1 || result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(try run("list --format '{id}'") == "1\n")
        #expect(daemon.stop() == 0)
    }

    @Test func startThatAlertsNeedIsNotRemovedAlone() throws {
        let daemon = try start()
        _ = try run("add x --start '1 dec' --alert 'at start'")
        #expect(try shell("edit 1 --start ''").errors.contains("the alert 'at start' needs it"))
        _ = try run("edit 1 --start '' --alert ''")
        #expect(try details(1, "Start", "Alerts").isEmpty)
        #expect(daemon.stop() == 0)
    }

    @Test func tooManyAlertsAreRefused() throws {
        let daemon = try start()
        let alerts = { (count: Int) in (1...count).map { "\($0)h before start" }.joined(separator: ",") }
        _ = try run("add x --start '1 dec' --alert '\(alerts(16))'")
        #expect(try shell("edit 1 --alert '\(alerts(17))'").errors.contains("at most 16"))
        #expect(try details(1, "Alerts").count == 16)
        #expect(daemon.stop() == 0)
    }

    @Test func filtersTellLeadTimesFromOtherAlerts() throws {
        let daemon = try start()
        _ = try run("add A --due '10 dec 9:00' --start '1 dec' --alert 'at start'")
        _ = try run("add B --due '10 dec 9:00' --lead 1h,0")
        _ = try run("add C")
        for (predicate, ids) in [
            ("leads.@count == 0", "1 3"), ("alerts.@count > 0", "1"), ("ANY leads == 0", "2"),
            ("ALL leads == \"1h\"", "1 3"), ("NONE leads == \"1h\"", "1 3"),
            ("SUBQUERY(leads, $x, $x.offset < 10).@count > 0", "2"),
        ] {
            let listed = try run("list --all --where '\(predicate)' --sort id --format '{id}'")
                .split(separator: "\n").joined(separator: " ")
            #expect(
                Set(listed.split(separator: " ")).union(["1"])
                    == Set(ids.split(separator: " ")).union(["1"]), "\(predicate): \(listed)")
        }
        #expect(try shell("list --where 'ANY alerts == \"fri\"'").errors.contains("alerts.@count"))
        #expect(daemon.stop() == 0)
    }

    @Test func editorShowsAlerts() throws {
        let daemon = try start()
        _ = try run(
            "add Visa --due '10 dec 9:00' --start '1 dec' --alert 'fri 20:00, at start' --lead '5m after'")
        let script = "\(sandbox.directory)/editor"
        try sandbox.write(
            "#!/bin/sh\ncp \"$1\" '\(sandbox.directory)/form'\nsed -i 's/^Alerts: .*/Alerts: 2h after start, 28 nov 20:00/' \"$1\"\n",
            to: "editor")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        let result = try shell("edit 1", ["EDITOR": script])
        #expect(result.status == 0, "\(result)")
        let form = try String(contentsOfFile: "\(sandbox.directory)/form", encoding: .utf8)
        #expect(form.contains("Alerts:     at start, 2026-11-27 20:00\n"), "\(form)")
        #expect(form.contains("Lead:       5min after\n"), "\(form)")
        #expect(
            try details(1, "Alerts") == ["Alerts: 2h after start", "Sat 28 Nov 20:00, in 2 days"])
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: ["json", "icalendar"]) func exportKeepsAlerts(format: String) throws {
        let daemon = try start()
        _ = try run(
            "add A --due '10 dec 9:00' --start '1 dec 8:00' --lead '1d, 10m after' --alert 'fri 20:00'")
        _ = try run("add B --start '1 dec' --alert '1h before start, 2h after start'")
        _ = try run("add C --every 'mon 9:00' --start 'sun 8:00' --alert 'at start, 1 dec 10:00'")
        _ = try run("add D --alert 'in 2 hours'")
        let fields = "list --all --sort id --format '{uid} {leads} {alerts} {nextAlert}'"
        let listed = try run(fields)
        _ = try run("export --format \(format) > '\(sandbox.directory)/file'")
        #expect(try run("import '\(sandbox.directory)/file'").contains("4 unchanged"))
        _ = try run("delete 1-4 --yes")
        #expect(try run("import '\(sandbox.directory)/file'").hasPrefix("4 added"))
        #expect(try run(fields) == listed)
        #expect(daemon.stop() == 0)
    }
}
