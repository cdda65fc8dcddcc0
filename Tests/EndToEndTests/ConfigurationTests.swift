import Foundation
import Systemd
import TestBus
import Testing

/// A wrong configuration does not keep the daemon from sending alerts.
@Suite struct WrongConfigurationTests {
    private static let file = "config/todod/todod.conf"

    /// C1: The daemon uses the valid settings and reports the wrong line.
    @Test func daemonStartsWithTheValidSettings() throws {
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
        let watching = "STATUS=Using \(sandbox.store)"
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

    /// C1: A reload ignores only the wrong line.
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

    /// C1: The desktop shows the wrong line until it is corrected.
    @Test func desktopShowsTheWrongLineUntilItIsCorrected() throws {
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

    /// C1: The next command prints the wrong line on standard error, once, unless it prints JSON.
    @Test func nextCommandPrintsTheWrongLineOnce() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nNag=x\n", to: Self.file)
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list", "--json").errors.isEmpty)
        #expect(try sandbox.run("todoctl", ["__complete", "done", ""]).errors.isEmpty)
        let first = try sandbox.todoctl("add", "Tea")
        #expect(first.status == 0 && first.output == "Added 1  Tea\n")
        #expect(first.errors.contains("todod.conf:2: Nag=: expected"), "\(first)")
        #expect(try sandbox.todoctl("list").errors.isEmpty)
        // The same line is not reported again, but a new one is.
        try sandbox.write("[Alert]\nNag=x\nBogus=1\n", to: Self.file)
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        let second = try sandbox.todoctl("list").errors
        #expect(second.contains("Bogus=") && !second.contains("Nag=:"), "\(second)")
    }

    /// C2: `todoctl status` names the wrong line, also after a failed reload, and reports that the files have changed.
    @Test func statusNamesTheWrongLine() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\nNag=x\n", to: Self.file)
        _ = try sandbox.startDaemon()
        let wrong = try sandbox.todoctl("status")
        #expect(wrong.output.contains("Configuration: ~/\(Self.file):2: Nag=: expected"), "\(wrong)")
        #expect(wrong.output.contains("todod ignores this") && wrong.errors.isEmpty)
        try sandbox.write("[Alert]\nNag=1h\n", to: Self.file)
        #expect(try sandbox.todoctl("status").output.contains("changed since todod read it"))
        try sandbox.write("[Alert]\nNag=1h\nBogus=1\n", to: Self.file)
        #expect(
            try sandbox.todoctl("status").output.contains("todod still uses the settings that it read before")
        )
    }

    /// C2: `todoctl config` shows every setting and its source.
    @Test func configShowsEverySettingAndItsSource() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Alert]\n\nLeadTime=1h 30min\nNag=x\nQuietTime=2min\n", to: Self.file)
        try sandbox.write("[Alert]\nDesktop=no\n", to: "\(Self.file).d/10-quiet.conf")
        _ = try sandbox.startDaemon()
        let shown = try sandbox.todoctl("config").output
        let rows = shown.split(separator: "\n").map { String($0).replacing(#/ {2,}/#, with: " | ") }
        for row in [
            "[Alert]", "LeadTime | 1h 30min | ~/\(Self.file):3", "Nag | default", "CatchUp | 30d | default",
            "Desktop | no | ~/\(Self.file).d/10-quiet.conf:2", "Path | ~/data/todod/todo.sqlite | default",
        ] {
            #expect(rows.contains(row), "\(row): \(shown)")
        }
        #expect(rows.last?.contains("todod.conf:4: Nag=: expected") == true)
        let json = try sandbox.todoctl("config", "--json").output
        #expect(json.contains(#""name":"Desktop","value":"no","source":"dropIn""#), "\(json)")
    }

    /// C2: `todoctl config` shows that the store comes from the command line.
    @Test func configShowsTheCommandLine() throws {
        let sandbox = try Sandbox()
        let store = "\(sandbox.directory)/mine.sqlite"
        _ = try sandbox.startDaemon("--store", store)
        let rows = try sandbox.todoctl("config").output.split(separator: "\n")
        #expect(
            rows.contains { $0.contains("~/mine.sqlite") && $0.hasSuffix("command line of todod") }, "\(rows)"
        )
    }

    /// C2: `todoctl config check` reads the files again without applying them.
    @Test func configCheckReadsTheFilesWithoutApplyingThem() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("config", "check").output
                == "The configuration is valid, and todod uses it.\n")
        try sandbox.write("[Alert]\nNag=1h\n", to: Self.file)
        let right = try sandbox.todoctl("config", "check")
        #expect(right.status == 0 && right.output.contains("A reload would change:\n  Nag=1h\n"), "\(right)")
        try sandbox.write("[Alert]\nNag=x\n", to: Self.file)
        let wrong = try sandbox.todoctl("config", "check")
        #expect(wrong.status == 1 && wrong.errors.contains("todod.conf:2: Nag=: expected"), "\(wrong)")
        #expect(try sandbox.todoctl("config").output.contains("The files have changed since."))
    }

    /// C2: Wrong lines of [Sync] are found, too, although todod does not use them.
    @Test func configCheckFindsWrongLinesOfTheSynchronization() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write("[Sync]\nInterval=1h\nCAFile=own.pem\n", to: Self.file)
        let wrong = try sandbox.todoctl("config", "check")
        #expect(wrong.status == 1 && wrong.errors.contains("todod.conf:3: CAFile=: expected"), "\(wrong)")
        #expect(!wrong.errors.contains("Interval="))
        let alone = try sandbox.run("todod", ["--check-config"])
        #expect(alone.status == 0 && alone.errors.contains("todod.conf:3: CAFile=: expected"), "\(alone)")
        #expect(try sandbox.todoctl("list").errors.isEmpty)
    }

    /// C2: A problem that was removed and comes back is reported again.
    @Test func wrongLineThatComesBackIsReportedAgain() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        for isWrong in [true, false, true] {
            try sandbox.write(isWrong ? "[Alert]\nNag=x\n" : "[Alert]\nNag=1h\n", to: Self.file)
            daemon.send(SIGHUP)
            try daemon.waitFor("READY=1")
            #expect(try sandbox.todoctl("list").errors.contains("Nag=: expected") == isWrong)
            #expect(try sandbox.todoctl("list").errors.isEmpty)
        }
    }

    /// C2: After a reload, `todoctl config` shows the open store and the settings that need a restart.
    @Test func configShowsTheOpenStoreAndSettingsThatNeedARestart() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(!(try sandbox.todoctl("config").output.contains("restart")))
        try sandbox.write("[Alert]\nNag=1h\n[Store]\nType=xml\nPath=~/mine.xml\n", to: Self.file)
        let before = try sandbox.todoctl("config", "check").output
        #expect(before.contains("A restart would change:\n  Nag=1h\n  Type=xml\n  Path=~/mine.xml\n"))
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        let shown = try sandbox.todoctl("config").output
        let rows = shown.split(separator: "\n").map { String($0).replacing(#/ {2,}/#, with: " | ") }
        for row in [
            "Nag | 1h | ~/\(Self.file):2", "Type | sqlite | default",
            "Path | ~/data/todod/todo.sqlite | default",
            "These settings take effect after a restart:", " | Type=xml | ~/\(Self.file):4",
            " | Path=~/mine.xml | ~/\(Self.file):5",
        ] {
            #expect(rows.contains(row), "\(row): \(shown)")
        }
        #expect(
            daemon.errors.contains("read again; Type= and Path= of [Store] will be used after a restart"),
            "\(daemon.errors)")
        let check = try sandbox.todoctl("config", "check").output
        #expect(check.contains("A restart would change:\n  Type=xml\n  Path=~/mine.xml\n"), "\(check)")
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        #expect(!(try sandbox.todoctl("config").output.contains("restart")))
        #expect(try sandbox.todoctl("config", "check").output.contains("todod uses it"))
    }

    /// C2: After a reload with a wrong line, `todoctl config` names the lines of `[Store]` that are not used until it
    /// is corrected.
    @Test func configShowsLinesThatWaitForACorrection() throws {
        let sandbox = try Sandbox()
        let text = "[Store]\nType=xml\n[Alert]\nQuietTime="
        let daemon = try sandbox.startDaemon()
        try sandbox.write("\(text)3\n", to: Self.file)
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        let shown = try sandbox.todoctl("config").output
        #expect(
            shown.contains(
                """

                These lines of [Store] are not used while another line is wrong:
                  Type=xml  ~/\(Self.file):2
                Correct the wrong lines, then:  systemctl --user restart todod.service

                """), "\(shown)")
        #expect(!shown.contains("take effect after a restart"), "\(shown)")
        #expect(
            daemon.errors.contains(
                "read again; Type= of [Store] will not be used while another line is wrong"),
            "\(daemon.errors)")
        #expect(daemon.stop() == 0)
        // The next start does not use the line either, and reports the same.
        let next = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("config").output.contains("not used while another line is wrong:\n  Type=xml")
        )
        try sandbox.write("\(text)3min\n", to: Self.file)
        next.send(SIGHUP)
        try next.waitFor("READY=1")
        let right = try sandbox.todoctl("config").output
        #expect(right.contains("These settings take effect after a restart:\n  Type=xml"), "\(right)")
        #expect(!right.contains("another line is wrong"), "\(right)")
        #expect(next.stop() == 0)
        // If the command line names the store, a wrong line elsewhere does not delay the settings of `[Store]`.
        try sandbox.write("[Store]\nType=sqlite\n", to: Self.file)
        let named = try sandbox.startDaemon("--store", "\(sandbox.directory)/mine.sqlite")
        try sandbox.write("\(text)3\n", to: Self.file)
        named.send(SIGHUP)
        try named.waitFor("READY=1")
        let kind = try sandbox.todoctl("config").output
        #expect(kind.contains("These settings take effect after a restart:\n  Type=xml"), "\(kind)")
    }

    /// C2: `todoctl config` does not shorten paths on a narrow terminal.
    @Test func configShowsWholePathsOnANarrowTerminal() throws {
        let sandbox = try Sandbox()
        let name = "a-very-long-name-of-a-file-that-no-narrow-terminal-can-show-in-one-line.conf"
        try sandbox.write("[Alert]\nDesktop=no\n", to: "\(Self.file).d/\(name)")
        _ = try sandbox.startDaemon()
        let shown = try sandbox.terminal("stty cols 40; todoctl config").output
        #expect(shown.contains("~/\(Self.file).d/\(name):2"), "\(shown)")
    }

    /// C2: Without the daemon, `todoctl config check` names the command that works without it.
    @Test func configCheckNamesCheckConfigWithoutADaemon() throws {
        let sandbox = try Sandbox()
        let result = try sandbox.todoctl("config", "check")
        #expect(result.status == 3 && result.errors.contains("todod --check-config"), "\(result)")
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

    /// C1: A wrong line about the store neither opens nor creates another store. The daemon continues with the store
    /// it opened last.
    @Test(arguments: ["[Store]\nType=xlm\n", "[Strore]\nType=binary\n", "[Store\nPath=/nowhere/x\n"])
    func storeOpenedLastIsUsedWhenInDoubt(text: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xml\n", to: Self.file)
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
            .sorted()
        try sandbox.write(text, to: Self.file)
        daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list")
        let store = "\(sandbox.directory)/data/todod/todo.xml"
        #expect(list.output.contains("Tea"))
        #expect(list.errors.contains("the line is ignored, and the items stay in \(store)"), "\(list)")
        let shown = try sandbox.todoctl("config").output.split(separator: "\n")
        #expect(
            shown.contains { $0.contains("~/data/todod/todo.xml") && $0.hasSuffix("the last start") },
            "\(shown)")
        #expect(daemon.stop() == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod").sorted()
                == files)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 0 && check.output.contains("\(store): sound"), "\(check)")
        #expect(check.errors.contains("the items stay in \(store)"))
    }

    /// C1: Without a record of the last store the daemon stops, and the desktop shows the reason once.
    @Test func daemonStopsWithoutARecordOfTheStore() throws {
        let bus = try TestBus()
        try bus.startServer()
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xlm\n", to: Self.file)
        for _ in 1...2 {
            let result = try sandbox.run("todod", [], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            #expect(result.status == 78)
            #expect(
                result.errors.contains("todod.conf:2: Type=: expected sqlite, xml or binary, found 'xlm'"))
            #expect(result.errors.contains("it has not recorded which store it opened last"))
        }
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.directory)/data/todod"))
        let shown = try bus.calls.next { $0.member == "Notify" }.arguments
        #expect(shown[3] == .string("todod cannot start and sends no alerts"))
        // The next call on the bus is this one: the desktop showed nothing else.
        _ = try bus.serverCall("org.freedesktop.Notifications", "GetServerInformation", []).get()
        #expect(try bus.calls.next().member == "GetServerInformation")
        for option in ["--check", "--migrate"] { #expect(try sandbox.run("todod", [option]).status == 78) }
        // If the command line names the store, only a missing store is in doubt.
        try sandbox.write("[Store]\nType=sqlite\n", to: Self.file)
        let other = "\(sandbox.directory)/other.sqlite"
        #expect(try sandbox.startDaemon("--store", other).stop() == 0)
        try sandbox.write("[Store]\nType=xlm\n", to: Self.file)
        #expect(try sandbox.startDaemon("--store", other).stop() == 0)
        #expect(try sandbox.run("todod", ["--store", "\(sandbox.directory)/missing.sqlite"]).status == 78)
        // A store from the command line is not recorded.
        #expect(try sandbox.run("todod", []).status == 78)
    }

    /// C1: A recorded store that is missing is not created again.
    @Test func missingStoreIsNotCreatedWhenInDoubt() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.startDaemon().stop() == 0)
        try FileManager.default.removeItem(atPath: sandbox.store)
        try sandbox.write("[Store]\nPath=todo.sqlite\n", to: Self.file)
        let result = try sandbox.run("todod", [])
        #expect(
            result.status == 78 && result.errors.contains("the store \(sandbox.store) is missing"),
            "\(result)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    /// C1: `--check` and `--migrate` run although a line that is not about the store is wrong.
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
