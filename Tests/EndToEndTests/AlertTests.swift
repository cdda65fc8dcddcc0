import Foundation
import SQLiteDriver
import TestProcesses
import Testing
import Varlink

/// Alerts of the real daemon. Without a journal, the daemon writes them as lines on standard error.
@Suite(.waiting) struct AlertTests {
    /// Repeats a check until it succeeds, for at most 30 seconds.
    private func eventually(_ claim: String, _ isYes: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !isYes() {
            try #require(ContinuousClock.now < deadline, "it did not come to that: \(claim)")
        }
    }

    private func hasAlerted(_ name: String, _ daemon: RunningDaemon) -> Bool {
        daemon.errors.contains("todod: \(name) is due")
    }

    /// A daemon that is killed between sending and recording an alert sends the alert again.
    @Test func unrecordedAlertIsSentAgainAfterKill() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 304 seconds").status == 0)
        let blocker = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        // The minute check may send the alert first.
        try eventually("the alert is sent") {
            _ = try sandbox.todoctl("evaluate")
            return hasAlerted("Tea", daemon)
        }
        daemon.kill()
        try blocker.execute("ROLLBACK")

        daemon = try sandbox.startDaemon()
        #expect(daemon.stop() == 0)
        #expect(hasAlerted("Tea", daemon))
        daemon = try sandbox.startDaemon()
        #expect(daemon.stop() == 0)
        #expect(!hasAlerted("Tea", daemon))
    }

    /// The item with the infinite date is named. The others get their alerts.
    @Test(arguments: [
        "dueDate=9e999, nextAlertDate=-9e999", "nextAlertDate=1, snoozedUntil=9e999",
        "nextAlertDate=1, toldForDue=-9e999", "nextAlertDate=1, lastAlertDate=-9e999",
    ])
    func infiniteDateDelaysNoOtherAlert(assignments: String) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Rent", "--due", "in 9 days").status == 0)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 304 seconds").status == 0)
        let update = "update ToDo set \(assignments) where name = 'Rent'"
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) \"\(update)\"").status == 0)
        try eventually("Tea is due") {
            _ = try sandbox.todoctl("evaluate")
            return hasAlerted("Tea", daemon)
        }
        #expect(daemon.errors.contains("Item 1 'Rent' gets no alerts"), "\(daemon.errors)")
        let status = try sandbox.todoctl("status")
        #expect(status.status == 0 && status.output.contains("Item 1 'Rent' gets no alerts"), "\(status)")
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 65)
        #expect((check.output + check.errors).contains("ToDo 1: "), "\(check)")
    }

    @Test func signalCausesImmediateCheck() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 301 seconds").status == 0)
        try eventually("the alert is sent") {
            daemon.send(SIGUSR1)
            return hasAlerted("Tea", daemon)
        }
    }

    /// T2: A change of the clock is noticed immediately, each time, although the next check is a minute away.
    @Test(.enabled(if: ClockWatchDescriptor.canWakeChildren, "this user may not copy descriptors"))
    func clockChangeCausesImmediateCheck() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon("--tick-seconds", "60")
        for _ in 1...2 {
            let last = try sandbox.call("Status").text("lastTick")
            try eventually("the daemon watches the clock and checks") {
                for descriptor in try ClockWatchDescriptor.all(of: daemon.processID) { try descriptor.wake() }
                return try sandbox.call("Status").text("lastTick") != last
            }
        }
        #expect(try sandbox.call("Status").integer("uptimeSeconds").map { $0 < 60 } == true)
    }

    @Test func firstAndLastDateAreAccepted() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "First", "--due", "0001-01-01T00:00Z", "--past").status == 0)
        #expect(try sandbox.todoctl("add", "Last", "--due", "9999-12-31T23:59:59Z").status == 0)
        #expect(try sandbox.todoctl("snooze", "2", "until", "9999-12-31T23:59:59Z").status == 0)
        #expect(try sandbox.todoctl("evaluate").output == "No alerts are due now.\n")
        #expect(try sandbox.call("Status").integer("nextAlertId") == 2)
        #expect(try sandbox.todoctl("list").output.contains("9999"))
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 minutes").status == 0)
        #expect(daemon.stop() == 0)
        #expect(
            hasAlerted("Tea", daemon) && !daemon.errors.contains("First") && !daemon.errors.contains("Last"))
    }

    @Test func dryRunSendsNoAlerts() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("evaluate").output == "No alerts are due now.\n")
        #expect(try sandbox.todoctl("quiet", "2h").status == 0)
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 minutes", "--priority", "1").status == 0)
        let dry = try sandbox.todoctl("evaluate", "--dry-run").output
        #expect(dry.hasPrefix("Alerts are held back until today") || dry.contains("tomorrow"), "\(dry)")
        #expect(try sandbox.todoctl("quiet", "off").output == "Alerts are sent.\n")
        #expect(daemon.stop() == 0)
        #expect(hasAlerted("Tea", daemon))
    }

    @Test func quietPeriodIsKeptOverRestart() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("quiet", "until", "2099-01-01").output.contains("Thu 1 Jan 2099 09:00"))
        #expect(daemon.stop() == 0)
        daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 minutes").status == 0)
        #expect(try sandbox.todoctl("status").output.contains("Held back:     until Thu 1 Jan 2099 09:00"))
        #expect(daemon.stop() == 0)
        #expect(!hasAlerted("Tea", daemon))
    }

    @Test func statusShowsNextAlertAndLastCheck() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        var status = try sandbox.call("Status")
        #expect(status.integer("nextAlertId") == nil && status.text("nextAlert") == nil)
        for name in ["Work", "Home"] { #expect(try sandbox.todoctl("category", "add", name).status == 0) }
        #expect(try sandbox.todoctl("category", "mute", "Work").status == 0)
        #expect(
            try sandbox.todoctl("add", "Unheard", "--due", "in 2 hours", "--category", "Work").status == 0)
        #expect(
            try sandbox.todoctl("add", "Tea", "--due", "in 3 hours", "--category", "Home").status == 0)
        status = try sandbox.call("Status")
        #expect(status.integer("nextAlertId") == 2 && status.text("nextAlertName") == "Tea")
        #expect(status.integer("lastTickMicroseconds").map { $0 > 0 } == true)
        #expect(status.integer("uptimeSeconds").map { (0..<600).contains($0) } == true)
        let output = try sandbox.todoctl("status").output
        #expect(output.contains(", in 3 h: 2  Tea\n"), "\(output)")
        #expect(output.contains("Desktop:       not needed yet\n") && output.contains(" ms\n"), "\(output)")
    }

    @Test func showAndStatusNameTimeOfDelayedAlert() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 2 hours").status == 0)
        func item() throws -> JSONObject? {
            guard case .object(let item)? = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]
            else {
                return nil
            }
            return item
        }
        #expect(try item()?["heldUntil"] == nil)
        let point = try item()?["nextAlert"]
        #expect(try sandbox.call("Status").parameters["nextAlert"] == point)
        #expect(try sandbox.todoctl("quiet", "until", "2099-01-01").status == 0)
        let end = try sandbox.call("Quiet").parameters["until"]
        let held = try item()
        #expect(end != nil && held?["heldUntil"] == end && held?["nextAlert"] == point)
        #expect(try sandbox.call("Status").parameters["nextAlert"] == end)
        #expect(try sandbox.call("ListItems").items.first?["nextAlert"] == point)
        let text = try sandbox.todoctl("show", "1").output
        let when = try sandbox.todoctl("show", "1").output.firstMatch(of: #/Next alert: +(.*)/#)?.output.1
        #expect(when?.hasPrefix("Thu 1 Jan 2099 09:00, in ") == true, "\(text)")
        #expect(when?.contains("; held back, its alert time is ") == true, "\(text)")
        #expect(try sandbox.todoctl("status").output.contains("Next alert:    Thu 1 Jan 2099 09:00, in "))
        #expect(try sandbox.todoctl("quiet", "off").status == 0)
        #expect(try item()?["heldUntil"] == nil)
    }

    @Test func itemsOfMutedCategoryAreShownAsMuted() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Work").status == 0)
        for name in ["Heard", "Unheard"] {
            let category = name == "Unheard" ? ["--category", "Work"] : []
            #expect(try sandbox.run("todoctl", ["add", name, "--due", "in 2 hours"] + category).status == 0)
        }
        #expect(try sandbox.todoctl("add", "Undated", "--category", "Work").status == 0)
        #expect(try sandbox.call("ListItems").items.allSatisfy { $0["categoryMuted"] == nil })
        #expect(try !sandbox.todoctl("list").output.contains("-  "))
        #expect(try sandbox.todoctl("category", "mute", "Work").status == 0)
        for command in ["list", "due"] {
            let lines = try sandbox.todoctl(command).output.split(separator: "\n")
            let marked = lines.filter { $0.contains("  -  ") }.compactMap { $0.split(separator: " ").last }
            #expect(marked == (command == "list" ? ["Unheard", "Undated"] : ["Unheard"]), "\(lines)")
        }
        let muted = try sandbox.call("ListItems").items.map { $0["categoryMuted"] }
        #expect(muted == [nil, .boolean(true), .boolean(true)])
        let text = try sandbox.todoctl("show", "2").output
        #expect(text.contains("State:         open, muted\n") && text.contains("Work (muted)\n"), "\(text)")
        #expect(!text.contains("Next alert"))
        // The reply says that no alert will be sent.
        for command in ["snooze", "unmute"] {
            if command == "unmute" { #expect(try sandbox.todoctl("mute", "2").status == 0) }
            #expect(try sandbox.todoctl(command, "2").output.hasSuffix("; but its category is muted\n"))
            #expect(try !sandbox.todoctl(command, "1").output.contains("muted\n"))
        }
        #expect(try sandbox.todoctl("mute", "1").status == 0)
        #expect(try sandbox.todoctl("snooze", "1").output.hasSuffix("; but it is muted\n"))
    }

    @Test func editThatMovesDueTimeNearerSendsAlertImmediately() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 hours", "--lead", "1h,5m").status == 0)
        #expect(
            try sandbox.todoctl("edit", "1", "--due", "in 40 minutes").output.hasPrefix("Changed 1  Tea  ("))
        #expect(daemon.stop() == 0)
        #expect(hasAlerted("Tea", daemon))
    }

    @Test func itemDueWithinItsLeadTimeSendsAlertImmediately() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 40 minutes", "--lead", "1d,1h").status == 0)
        #expect(try sandbox.todoctl("evaluate").output == "No alerts are due now.\n")
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.components(separatedBy: "Tea is due").count == 2, "\(daemon.errors)")
    }
}

/// The commands that change when an item's alerts are sent.
@Suite struct AlertCommandTests {
    private func item(_ sandbox: Sandbox) throws -> [String: Any] {
        let output = try sandbox.todoctl("show", "1", "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return try #require((object?["items"] as? [[String: Any]])?.first)
    }

    @Test func commandsChangeAlerts() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl(
                "add", "Rent", "--due", "in 3 days", "--lead", "1d, 1h", "--priority", "2", "--notes", "cash"
            ).status == 0)
        var now = try item(sandbox)
        #expect(now["leads"] as? [Int] == [86_400, 3_600])
        #expect(now["priority"] as? Int == 2 && now["notes"] as? String == "cash")
        let next = now["nextAlert"] as? String
        #expect(next != nil)

        #expect(try sandbox.todoctl("snooze", "1").output.hasPrefix("Snoozed 1  Rent until "))
        #expect(try sandbox.todoctl("snooze", "1", "until", "2099-01-01").output.contains("2099 09:00"))
        now = try item(sandbox)
        #expect(now["snoozedUntil"] as? String == now["nextAlert"] as? String)
        #expect(try sandbox.todoctl("mute", "1").output.hasPrefix("Muted 1  Rent"))
        #expect(try item(sandbox)["nextAlert"] == nil || item(sandbox)["nextAlert"] is NSNull)
        #expect(try sandbox.todoctl("unmute", "1").output.hasPrefix("Unmuted 1  Rent"))
        #expect(try sandbox.todoctl("done", "1").status == 0)
        #expect(try sandbox.todoctl("reopen", "1").output.hasPrefix("Reopened 1  Rent"))
        now = try item(sandbox)
        #expect(now["completed"] as? Bool == false && now["nextAlert"] as? String == next)

        #expect(try sandbox.todoctl("edit", "1", "--lead", "", "--notes", "", "--name", "Pay").status == 0)
        now = try item(sandbox)
        #expect(now["leads"] as? [Int] == [] && now["name"] as? String == "Pay")
        #expect(try sandbox.todoctl("edit", "1", "--due", "").output == "Changed 1  Pay\n")
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        #expect(try sandbox.todoctl("category", "mute", "home").output == "Muted category Home\n")
        #expect(try sandbox.todoctl("category").output.contains("Home (muted)"))
        #expect(
            try sandbox.todoctl("category", "rename", "Home", "House").output
                == "Renamed category Home to House\n")
        #expect(try sandbox.todoctl("edit", "1", "--category", "house").status == 0)
        #expect(try item(sandbox)["category"] as? String == "House")
    }

    @Test func alertCommandErrorsNameTheProblem() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "x").status == 0)
        #expect(try sandbox.todoctl("done", "1").status == 0)
        let cases: [([String], Int32, String)] = [
            (["snooze"], 2, "'snooze' needs the number of an item"),
            (["snooze", "1", "yesterday 10:00"], 1, "the time 'yesterday 10:00' is in the past"),
            (["snooze", "1", "10m"], 1, "item 1 is done; reopen it before it is snoozed"),
            (["edit", "1"], 2, "'edit' needs something to change"),
            (["edit", "1", "--lead", "soon"], 1, "'soon' is not a time span"),
            (["edit", "1", "--priority", "10"], 1, "expected 1 (the highest) to 9"),
            (
                ["edit", "1", "--priority", "urgent"], 2,
                "--priority takes a number from 1 (the highest) to 9, or high, medium, low or none, not 'urgent'"
            ),
            (["mute", "7"], 1, "there is no item 7"),
            (["quiet", "soon"], 1, "cannot read the time 'soon'"),
            (["category", "rename", "Home"], 2, "'category rename' needs NEW"),
        ]
        for (arguments, status, text) in cases {
            let result = try sandbox.run("todoctl", arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
        }
    }
}
