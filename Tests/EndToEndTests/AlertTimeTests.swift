import CivilTime
import Foundation
import SQLiteDriver
import Testing
import Varlink

/// The times at which the real daemon sends its alerts, by the clock of the test.
@Suite(.waiting) struct AlertTimeTests {
    private static func time(_ text: String) throws -> Timestamp {
        try #require(RFC3339.moment("2026-11-20T\(text)Z"))
    }

    /// Returns the clock of a daemon that starts at this time of day.
    private func clock(at text: String) throws -> [String: String] {
        Sandbox.clock(at: try Self.time(text))
    }

    /// Returns the lines of the alerts that a daemon has written so far.
    private func alerts(_ daemon: RunningDaemon) -> [String] {
        daemon.errors.split(separator: "\n").map(String.init).filter { $0.contains(" due ") }
    }

    /// The alerts that the daemon sends from now on.
    private struct AlertWatch {
        private let connection: ClientConnection

        init(_ sandbox: Sandbox) throws {
            connection = try sandbox.connect()
            try connection.call("Watch", more: true)
            _ = try nextEvent()
        }

        /// Waits until this many items had an alert.
        func wait(for count: Int) throws {
            var sent = 0
            while sent < count {
                let event = try nextEvent()
                if event.text("event") == "alert" { sent += event.names.count }
            }
            #expect(sent == count)
        }

        private func nextEvent() throws -> MethodReply {
            let deadline = ContinuousClock.now + .seconds(30)
            return try connection.nextReply {
                try #require(ContinuousClock.now < deadline, "there is no alert")
            }
        }
    }

    /// Whether the last alert of an item was sent within a second after a time of day.
    private func isLastAlert(ofItem id: Int, at text: String, _ sandbox: Sandbox) throws -> Bool {
        let shell = try SQLiteConnection(path: sandbox.store, mode: .readOnly)
        let last = try shell.text("SELECT lastAlertDate FROM ToDo WHERE id = \(id)").flatMap { Double($0) }
        let late = try #require(last) - Self.time(text).secondsSince1970
        if !(0..<1).contains(late) { print("the alert of item \(id) is \(late) s after \(text)") }
        return (0..<1).contains(late)
    }

    /// A1: By default an item has two alerts, five minutes before the due time and at the due time.
    @Test func itemHasTwoAlertsByDefault() throws {
        let sandbox = try Sandbox(now: "2026-11-20T14:54:50Z", zone: "UTC")
        var daemon = try sandbox.startDaemon()
        var watch = try AlertWatch(sandbox)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "15:00").status == 0)
        #expect(alerts(daemon).isEmpty)
        try watch.wait(for: 1)
        #expect(daemon.stop() == 0)
        #expect(try isLastAlert(ofItem: 1, at: "14:55:00", sandbox))
        #expect(alerts(daemon) == ["todod: Tea is due in 5 min (Fri 20 Nov 15:00)"])

        daemon = try sandbox.startDaemon(environment: clock(at: "14:59:52"))
        watch = try AlertWatch(sandbox)
        #expect(alerts(daemon).isEmpty)
        try watch.wait(for: 1)
        #expect(daemon.stop() == 0)
        #expect(try isLastAlert(ofItem: 1, at: "15:00:00", sandbox))
        #expect(alerts(daemon) == ["todod: Tea is due now (Fri 20 Nov 15:00)"])

        daemon = try sandbox.startDaemon(environment: clock(at: "15:05:01"))
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).isEmpty)
    }

    /// A1: A first alert that is late, because the daemon did not run, does not delay the second one.
    @Test func lateAlertDoesNotDelayTheNextOne() throws {
        let sandbox = try Sandbox(now: "2026-11-20T14:30:00Z", zone: "UTC")
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "15:00").status == 0)
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).isEmpty)
        daemon = try sandbox.startDaemon(environment: clock(at: "14:59:52"))
        try AlertWatch(sandbox).wait(for: 1)
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).count == 2)
        #expect(try isLastAlert(ofItem: 1, at: "15:00:00", sandbox))
    }

    /// A1: Lead and due times need not be full minutes, and the timer follows each change of the items.
    @Test func alertBetweenTwoFullMinutesIsSentAtItsSecond() throws {
        let sandbox = try Sandbox(now: "2026-11-20T14:54:50Z", zone: "UTC")
        let daemon = try sandbox.startDaemon()
        let watch = try AlertWatch(sandbox)
        func add(_ name: String, _ due: String, _ lead: String) throws {
            let arguments = ["add", name, "--due", "2026-11-20T\(due)Z", "--lead", lead]
            #expect(try sandbox.run("todoctl", arguments).status == 0)
        }
        // The alert times are the lead time of an item, the changed due time of another, and the due time of an
        // imported one.
        try add("lead", "15:00:08", "5min")
        try add("moved", "14:55:50", "0")
        let moved = try sandbox.todoctl("edit", "2", "--due", "2026-11-20T14:55:10Z")
        #expect(moved.status == 0, "\(moved.errors)")
        try sandbox.write(
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//test//EN
            BEGIN:VTODO
            UID:1
            DTSTAMP:20261120T120000Z
            SUMMARY:imported
            DUE:20261120T145512Z
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:imported
            TRIGGER;RELATED=END:PT0S
            END:VALARM
            END:VTODO
            END:VCALENDAR

            """, to: "items.ics")
        let imported = try sandbox.todoctl("import", "\(sandbox.directory)/items.ics")
        #expect(imported.status == 0, "\(imported.errors)")
        try add("undone", "14:55:14", "0")
        #expect(try sandbox.todoctl("done", "4").status == 0)
        #expect(try sandbox.todoctl("undo").status == 0)
        #expect(alerts(daemon).isEmpty)
        try watch.wait(for: 4)
        #expect(daemon.stop() == 0)
        for (id, time) in [(1, "14:55:08"), (2, "14:55:10"), (3, "14:55:12"), (4, "14:55:14")] {
            #expect(try isLastAlert(ofItem: id, at: time, sandbox))
        }
    }

    /// C8: Nags are repeated at their own interval, even if it is shorter than the quiet time.
    @Test func nagsIgnoreALongerQuietTime() throws {
        let sandbox = try Sandbox(now: "2026-11-20T14:59:50Z", zone: "UTC")
        try sandbox.write("[Alert]\nNag=1min\n", to: "config/todod/todod.conf")
        var daemon = try sandbox.startDaemon()
        let watch = try AlertWatch(sandbox)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "15:00", "--lead", "0").status == 0)
        try watch.wait(for: 1)
        #expect(daemon.stop() == 0)
        for minute in ["01", "02"] {
            daemon = try sandbox.startDaemon(
                environment: clock(at: "15:0\(minute == "01" ? "0" : "1"):52"))
            try AlertWatch(sandbox).wait(for: 1)
            #expect(daemon.stop() == 0)
            #expect(try isLastAlert(ofItem: 1, at: "15:\(minute):00", sandbox))
        }
    }

    /// The clock is ahead when an alert is sent, and is corrected while the daemon does not run. No other program
    /// opens the store in between.
    @Test func alertSentByAClockAheadIsSentAtItsTimeAfterARestart() throws {
        let sandbox = try Sandbox(now: "2026-11-20T15:10:05Z", zone: "UTC")
        var daemon = try sandbox.startDaemon()
        var watch = try AlertWatch(sandbox)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "15:13").status == 0)
        #expect(try sandbox.todoctl("add", "Cake", "--due", "15:13", "--lead", "5min").status == 0)
        try watch.wait(for: 2)
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).count == 2)

        daemon = try sandbox.startDaemon(environment: clock(at: "15:07:52"))
        watch = try AlertWatch(sandbox)
        #expect(try sandbox.call("Status").moment("nextAlert") == Self.time("15:08:00"))
        try watch.wait(for: 2)
        #expect(daemon.stop() == 0)
        #expect(
            alerts(daemon).sorted()
                == ["Cake", "Tea"].map { "todod: \($0) is due in 5 min (Fri 20 Nov 15:13)" })
        for id in [1, 2] { #expect(try isLastAlert(ofItem: id, at: "15:08:00", sandbox)) }

        // The due time is another alert time of the first item.
        daemon = try sandbox.startDaemon(environment: clock(at: "15:08:10"))
        #expect(try sandbox.call("Status").moment("nextAlert") == Self.time("15:13:00"))
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).isEmpty)
    }

    /// An item that is completed by mistake and reopened by `undo` has already had its alert.
    @Test func undoOfDoneRepeatsNoAlert() throws {
        let sandbox = try Sandbox(now: "2026-11-20T14:57:05Z", zone: "UTC")
        var daemon = try sandbox.startDaemon()
        let watch = try AlertWatch(sandbox)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "15:00").status == 0)
        try watch.wait(for: 1)
        // The alert is recorded when the daemon stops.
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).count == 1)
        daemon = try sandbox.startDaemon(environment: clock(at: "14:57:20"))
        let environment = try clock(at: "14:57:20")
        for command in ["done", "undo"] {
            let arguments = command == "done" ? ["1"] : []
            let result = try sandbox.run("todoctl", [command] + arguments, environment: environment)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try sandbox.call("Status").moment("nextAlert") == Self.time("15:00:00"))
        #expect(daemon.stop() == 0)
        #expect(alerts(daemon).isEmpty)
    }
}
