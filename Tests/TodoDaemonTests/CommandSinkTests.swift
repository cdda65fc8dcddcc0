import CivilTime
import Foundation
import Reminders
import Systemd
import TestBus
import Testing

@testable import Alerts

/// The command sink with real programs, without a systemd that starts them.
@Suite struct CommandSinkTests {
    private final class Fixture {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        let lines = KeptLog()
        let sink: CommandSink

        /// Runs a shell script. `$D` is its directory.
        init(_ script: String, arguments: String = "", timeout: TimeSpan = .seconds(60)) throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let file = directory.appending(path: "ring")
            try "D='\(directory.path)'\n\(script)\n".write(to: file, atomically: false, encoding: .utf8)
            // The shell runs the file, because a child of another test may still have it open for writing, and then it
            // cannot be executed.
            sink = Self.sink("/bin/sh \(file.path) \(arguments)", timeout, lines)
        }

        /// Runs exactly this command.
        init(command: String) throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            sink = Self.sink(command, .seconds(60), lines)
        }

        private static func sink(_ command: String, _ timeout: TimeSpan, _ lines: KeptLog) -> CommandSink {
            var settings = DeliverySettings()
            settings.command = AlertCommand(command)
            settings.commandTimeout = timeout
            let sink = CommandSink(
                zone: LocalZone(.utc), log: lines.log, busAddress: "unix:path=/nonexistent")
            sink.apply(settings)
            return sink
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func send(_ batch: AlertBatch) throws -> [Alert] {
            let delivered = Mailbox<[Alert]>()
            sink.send(batch) { delivered.put($0) }
            return try delivered.next()
        }

        func contents(_ name: String) throws -> String {
            try String(contentsOf: directory.appending(path: name), encoding: .utf8)
        }
    }

    @Test func commandGetsAlertAsJSONAndInVariables() throws {
        let fixture = try Fixture(
            #"cat >"$D/json"; env >"$D/variables"; printf '%s\n' "$@" >"$D/arguments""#,
            arguments: #"-x "two words" '$HOME' '*'"#)
        let alert = Alert.test("a \"b\"\nc", id: 7, category: "Home", priority: 1)
        #expect(try fixture.send(.test(alert)) == [alert])
        #expect(
            try fixture.contents("json") == #"""
                {"alert":"due-soon","id":7,"uid":"uid-7","name":"a \"b\"\nc","due":"2026-11-20T17:05:00Z",\#
                "category":"Home","priority":1,"message":"a \"b\"\\nc is due in 5 min (Fri 20 Nov 17:05)"}

                """#)
        let variables = try fixture.contents("variables")
        for line in [
            "TODO_ALERT=due-soon", "TODO_ID=7", "TODO_UID=uid-7", "TODO_NAME=a \"b\"\nc",
            "TODO_DUE=2026-11-20T17:05:00Z", "TODO_CATEGORY=Home", "TODO_PRIORITY=1",
            #"TODO_MESSAGE=a "b"\nc is due in 5 min (Fri 20 Nov 17:05)"#,
        ] {
            #expect(variables.contains(line + "\n"), "\(line)")
        }
        #expect(try fixture.contents("arguments") == "-x\ntwo words\n$HOME\n*\n")
        #expect(fixture.lines.isEmpty)
    }

    @Test func missingFieldsAreOmitted() {
        let alert = Alert.test(kind: .snoozed, dueIn: nil)
        let json = String(decoding: alert.json(now: testMoment, zone: .utc), as: UTF8.self)
        #expect(
            json == #"""
                {"alert":"snoozed","id":1,"uid":"uid-1","name":"Pay the rent",\#
                "message":"Pay the rent was snoozed until now"}
                """#)
    }

    @Test(arguments: [String(repeating: "🧹", count: 50_000), String(repeating: "\0", count: 65_536)])
    func longNameIsShortenedInVariableOnly(name: String) throws {
        let fixture = try Fixture(#"wc -c >"$D/json"; printf %s "$TODO_NAME" | wc -c >"$D/name""#)
        #expect(try fixture.send(.test(.test(name))).count == 1)
        #expect(try Int(fixture.contents("json").dropLast()) ?? 0 > name.utf8.count)
        let kept = try Int(fixture.contents("name").dropLast()) ?? 0
        #expect(kept > 99_000 && kept <= 100_000)
    }

    @Test func commandRunsOnceForEachAlert() throws {
        let fixture = try Fixture(#"echo "$TODO_ID" >>"$D/ids""#)
        let batch = AlertBatch.test(count: 25)
        #expect(try fixture.send(batch).count == 25)
        let ids = try fixture.contents("ids").split(separator: "\n").compactMap { Int64($0) }
        #expect(ids.sorted() == batch.alerts.map(\.itemID))
    }

    @Test func unreadInputIsIgnored() throws {
        let fixture = try Fixture("exit 0")
        #expect(try fixture.send(.test(.test(String(repeating: "x", count: 1 << 20)))).count == 1)
    }

    @Test func failingCommandIsReportedOnceUntilItSucceeds() throws {
        let fixture = try Fixture(#"test -e "$D/works" || exit 3"#)
        #expect(try fixture.send(.test(count: 5)) == [])
        #expect(
            try fixture.lines.next()
                == "/bin/sh did not deliver an alert: it ended with exit status 3; the alert is in the journal"
        )
        #expect(fixture.lines.isEmpty)
        #expect(fixture.sink.condition == .failing)
        try Data().write(to: fixture.directory.appending(path: "works"))
        #expect(try fixture.send(.test(count: 1)).count == 1)
        #expect(fixture.sink.condition == .ready)
        try FileManager.default.removeItem(at: fixture.directory.appending(path: "works"))
        #expect(try fixture.send(.test(count: 1)) == [])
        #expect(try fixture.lines.next().contains("exit status 3"))
    }

    @Test func killedCommandIsReportedWithSignal() throws {
        let fixture = try Fixture("kill -SEGV $$")
        #expect(try fixture.send(.test(count: 1)) == [])
        #expect(try fixture.lines.next().contains("it was killed by signal 11;"))
    }

    /// The processes that the command started are ended too. After that, no process has the fifo open for writing.
    @Test func hangingCommandIsEndedWithItsChildren() throws {
        let fixture = try Fixture(
            #"exec 3<>"$D/fifo"; sleep 1000 & sleep 1000"#, timeout: TimeSpan(microseconds: 200_000))
        let fifo = fixture.directory.appending(path: "fifo").path
        try #require(mkfifo(fifo, 0o600) == 0)
        #expect(try fixture.send(.test(count: 1)) == [])
        #expect(try fixture.lines.next().contains("it took longer than 200ms and was ended;"))
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        var byte: UInt8 = 0
        if read(reader, &byte, 1) < 0 {
            var wait = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&wait, 1, 20_000) == 1)
            #expect(read(reader, &byte, 1) == 0)
        }
    }

    @Test func missingProgramIsReportedWhenConfigured() throws {
        let fixture = try Fixture(command: "/nonexistent/ring")
        #expect(
            try fixture.lines.next()
                == "/nonexistent/ring of Command= cannot be executed: No such file or directory")
        // As many alerts as can wait, and all of them fail immediately.
        #expect(try fixture.send(.test(count: GuardedSink.waitingAlertsLimit)) == [])
        #expect(fixture.lines.isEmpty)
    }

    /// The last run of a command that was removed from the configuration does not change the condition.
    @Test(arguments: ["", "exit 1"]) func endOfRemovedCommandKeepsSinkOff(end: String) throws {
        let fixture = try Fixture("while [ ! -e $D/go ]; do sleep 0.01; done; \(end)")
        let delivered = Mailbox<[Alert]>()
        fixture.sink.send(.test(count: 1)) { delivered.put($0) }
        fixture.sink.apply(DeliverySettings())
        try Data().write(to: fixture.directory.appending(path: "go"))
        _ = try delivered.next()
        #expect(fixture.sink.condition == .off)
    }

    @Test func sinkWithoutCommandIsOff() throws {
        let fixture = try Fixture("exit 1")
        fixture.sink.apply(DeliverySettings())
        #expect(try fixture.send(.test(count: 1)) == [])
        #expect(fixture.sink.condition == .off)
        #expect(fixture.lines.isEmpty)
    }
}
