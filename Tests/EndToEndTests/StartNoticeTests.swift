import Foundation
import ObjectStore
import Reminders
import Systemd
import TestBus
import Testing

/// Desktop notifications about a daemon that cannot start or has stopped.
@Suite struct StartNoticeTests {
    private let bus: TestBus
    private let sandbox: Sandbox

    init() throws {
        bus = try TestBus()
        try bus.startServer()
        sandbox = try Sandbox()
    }

    private var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": bus.address] }

    /// Waits for the next notification and returns its title and text.
    private func shown() throws -> [String] {
        let arguments = try bus.calls.next { $0.member == "Notify" }.arguments
        return arguments[3...4].map { argument in
            guard case .string(let text) = argument else { return "" }
            return text
        }
    }

    /// Checks that no further notification was sent before this call.
    private func expectNoOther() throws {
        _ = try bus.serverCall("org.freedesktop.Notifications", "GetServerInformation", []).get()
        #expect(try bus.calls.next().member == "GetServerInformation")
    }

    enum Failure: String, CaseIterable {
        case text = "the file is not a database; choose another path"
        case empty = "the file is empty"
        case newer = "install that version again"
        case damaged = "restore a backup with 'todod --restore COPY'"
        case longSocketPath = "choose a shorter one with --socket or TODOD_SOCKET"
    }

    @Test(arguments: Failure.allCases) func failedStartIsShownOnce(failure: Failure) throws {
        #expect(try sandbox.startDaemon().stop() == 0)
        var arguments: [String] = []
        switch failure {
        case .text: try Data("A letter.".utf8).write(to: URL(filePath: sandbox.store))
        case .empty: try Data().write(to: URL(filePath: sandbox.store))
        case .newer:
            #expect(try sandbox.shell("sqlite3 \(sandbox.store) 'PRAGMA user_version=99'").status == 0)
        case .damaged:
            #expect(try sandbox.shell("sqlite3 \(sandbox.store) 'DELETE FROM _metadata'").status == 0)
        case .longSocketPath:
            arguments = ["--socket", "\(sandbox.directory)/\(String(repeating: "s", count: 120))"]
        }
        for _ in 1...2 {
            let result = try sandbox.run("todod", arguments, environment: environment)
            #expect(result.status != 0 && result.errors.contains(failure.rawValue), "\(result)")
        }
        let shown = try shown()
        #expect(shown[0] == "todod cannot start and sends no alerts")
        #expect(shown[1].contains(failure.rawValue), "\(shown)")
        try expectNoOther()
    }

    @Test func replacedStoreIsShown() throws {
        let daemon = try sandbox.startDaemon(environment: environment)
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(truncate(sandbox.store, 0) == 0)
        #expect(daemon.stop() == 1)
        let shown = try shown()
        #expect(shown[0] == "The store of todod was replaced")
        #expect(shown[1].contains("another program overwrote the file"), "\(shown)")
    }

    @Test func damageFoundInUseIsShown() throws {
        var daemon = try sandbox.startDaemon()
        let notes = String(repeating: "x", count: 1_000)
        for item in 0..<40 {
            #expect(try sandbox.todoctl("add", "item \(item)", "--notes", notes).status == 0)
        }
        #expect(daemon.stop() == 0)
        var bytes = try Data(contentsOf: URL(filePath: sandbox.store))
        // In its last third, the file contains only rows.
        for page in stride(from: bytes.count * 2 / 3 / 4096 * 4096, to: bytes.count, by: 4096) {
            bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xA5, count: 64))
        }
        try bytes.write(to: URL(filePath: sandbox.store))
        daemon = try sandbox.startDaemon(environment: environment)
        #expect(try sandbox.todoctl("list").status == 1)
        #expect(daemon.waitForEnd() == 65)
        let shown = try shown()
        #expect(shown[0] == "todod has stopped and sends no alerts")
        #expect(shown[1].contains("restore a backup with 'todod --restore COPY'"), "\(shown)")
    }

    /// S6: a program that reads the store is no daemon, and sends no alerts.
    @Test func readerOfTheStoreIsShown() throws {
        #expect(try sandbox.startDaemon().stop() == 0)
        let reader = PersistentStoreCoordinator(model: try ReminderModel.current())
        try reader.addStore(.sqlite(path: sandbox.store, readOnly: true))
        let result = try sandbox.run("todod", [], environment: environment)
        let text = "\(sandbox.store): a program that reads it has the store open; stop it first"
        #expect(result.status == 1 && result.errors.contains(text), "\(result)")
        #expect(!result.errors.contains("another todod"), "\(result)")
        #expect(try shown() == ["todod cannot start and sends no alerts", text])
        reader.close()
    }

    @Test func secondDaemonShowsNothing() throws {
        _ = try sandbox.startDaemon()
        let result = try sandbox.run(
            "todod", ["--socket", "\(sandbox.directory)/other"], environment: environment)
        #expect(result.status == 1 && result.errors.contains("another todod is running"), "\(result)")
        let socket = try sandbox.run(
            "todod", ["--store", "\(sandbox.directory)/other.sqlite"], environment: environment)
        #expect(socket.status == 1, "\(socket)")
        try expectNoOther()
    }
}
