import Foundation
import Systemd
import TestBus
import Testing

/// A wrong configuration does not keep the daemon from sending reminders.
@Suite struct WrongConfigurationTests {
    private static let file = "config/todod/todod.conf"

    /// C1: The daemon starts with the right settings and reports the wrong line.
    @Test func daemonStartsWithTheSettingsThatAreRight() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nLeadTime=1h\nNags=1h\n", to: Self.file)
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 30 minutes").status == 0)
        #expect(daemon.stop() == 0)
        #expect(
            daemon.errors.contains("\(sandbox.directory)/\(Self.file):3: no setting Nags= in [Alert]"),
            "\(daemon.errors)")
        #expect(daemon.errors.contains("; the line is ignored"))
        // LeadTime=1h was used: the alert is sent already.
        #expect(daemon.errors.contains("Tea is due in"), "\(daemon.errors)")
    }

    /// C1: `systemctl status` shows the wrong line.
    @Test func serviceStatusNamesTheWrongLine() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nNag=x\n", to: Self.file)
        let daemon = try sandbox.startDaemon(awaiting: "STATUS=")
        let watching = "STATUS=Watching \(sandbox.store)"
        #expect(
            daemon.lastNotification == """
                \(watching); \(sandbox.directory)/\(Self.file):2: Nag=: expected a time span of at least 1min, \
                or off, found 'x'; the line is ignored
                """)
        try sandbox.write("[Alert]\nNag=1h\n", to: Self.file)
        daemon.send(SIGHUP)
        try daemon.waitFor(watching)
        #expect(daemon.lastNotification == watching)
    }

    /// C1: At a reload too a wrong line is ignored and every other line is used.
    @Test func reloadIgnoresTheWrongLineOnly() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 30 minutes").status == 0)
        try sandbox.write("[Alert]\nQuietTime=soon\nLeadTime=1h\n", to: Self.file)
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("found 'soon'; the line is ignored"))
        #expect(daemon.errors.contains("Tea is due in"), "\(daemon.errors)")
    }

    /// C1: The desktop shows the wrong line until the configuration is right again.
    @Test func desktopShowsTheWrongLineUntilItIsRight() throws {
        let bus = try TestBus()
        try bus.startServer()
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nNag=x\n", to: Self.file)
        let daemon = try sandbox.startDaemon(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let shown = try bus.calls.next { $0.member == "Notify" }.arguments
        #expect(shown[3] == .string("todod ignores a wrong setting"))
        #expect(shown[4].asString?.contains("todod.conf:2: Nag=") == true)
        try sandbox.write("[Alert]\nNag=y\nQuietTime=z\n", to: Self.file)
        daemon.send(SIGHUP)
        let replaced = try bus.calls.next { $0.member == "Notify" }.arguments
        #expect(replaced[1] == .uint32(1) && replaced[3] == .string("todod ignores 2 wrong settings"))
        try sandbox.write("[Alert]\nNag=1h\n", to: Self.file)
        daemon.send(SIGHUP)
        _ = try bus.calls.next { $0.member == "CloseNotification" }
    }

    /// C2: `todod --check-config` names the wrong lines and changes nothing.
    @Test func checkConfigNamesTheWrongLines() throws {
        let sandbox = try Sandbox()
        let right = try sandbox.run("todod", ["--check-config"])
        #expect(right.status == 0 && right.output.isEmpty && right.errors.isEmpty)
        try sandbox.write("[Alert]\nLeadTime=soon\nNags=1h\n", to: Self.file)
        let wrong = try sandbox.run("todod", ["--check-config"])
        let path = "\(sandbox.directory)/\(Self.file)"
        #expect(wrong.status == 78)
        #expect(
            wrong.errors.contains("\(path):2: LeadTime=: expected time spans such as '5min, 0', found 'soon'")
        )
        #expect(wrong.errors.contains("\(path):3: no setting Nags= in [Alert]"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    /// C1: `--check` and `--migrate` work with a wrong line that is not about the store.
    @Test func maintenanceRunsDespiteAWrongLine() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nLeadTime=soon\n", to: Self.file)
        for option in ["--check", "--migrate"] {
            let result = try sandbox.run("todod", [option])
            #expect(result.status == 0, "\(result)")
            #expect(result.output.contains("there is no store yet"))
            #expect(result.errors.contains("todod.conf:2: LeadTime="))
        }
    }
}
