internal import Dispatch
internal import Foundation
package import Systemd
internal import TestProcesses

/// A session bus for one test and, on request, a notification server made by dbusmock.
///
/// The test observes through another connection: every method that is called on the server, and the owner of
/// each name.
package final class TestBus {
    package struct MockCall: Sendable {
        package let member: String
        package let arguments: [BusValue]
    }

    package struct CannotStart: Error {
        let program: String
    }

    private static let notifications = "org.freedesktop.Notifications"
    private static let notificationsPath = "/org/freedesktop/Notifications"

    package let address: String
    /// The calls to the server.
    package let calls = Mailbox<MockCall>()
    private let ownerChanges = Mailbox<[BusValue]>()

    private let directory: URL
    private let queue = DispatchQueue(label: "test.bus")
    private let bus: Bus
    private var daemon = Process()
    private var server: Process?

    package init() throws {
        directory = URL(filePath: "\(TestRun.directoryPrefix)bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        address = "unix:path=\(directory.path)/bus"
        bus = Bus(queue: queue, address: address)
        try start()
        queue.sync { look() }
    }

    deinit {
        stopServer()
        stop()
        queue.sync { bus.close() }
        try? FileManager.default.removeItem(at: directory)
    }

    // MARK: - The bus

    /// Starts the bus, and returns when it listens.
    package func start() throws {
        daemon = Process()
        daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        daemon.arguments = [
            "--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1",
        ]
        let output = Pipe()
        daemon.standardOutput = output
        daemon.standardError = FileHandle.nullDevice
        try daemon.runGuarded()
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw CannotStart(program: "dbus-daemon")
        }
    }

    /// Stops the bus, and then the server, which depends on it.
    package func stop() {
        guard daemon.isRunning else { return }
        Self.kill(daemon)
        if let server { Self.kill(server) }
        server = nil
        // A bus that is killed leaves its socket, with which the next bus would not start.
        try? FileManager.default.removeItem(atPath: "\(directory.path)/bus")
    }

    /// Kills a process. A child of a Dispatch thread inherits blocked signals, so no other signal ends it.
    private static func kill(_ process: Process) {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func look() {
        bus.subscribe(
            sender: Self.notifications, interface: "org.freedesktop.DBus.Mock", member: "MethodCalled"
        ) { [calls] values in
            guard values.count == 2, let member = values[0].asString,
                case .array(_, let arguments) = values[1]
            else { return }
            calls.put(MockCall(member: member, arguments: arguments.compactMap(\.unwrapped)))
        }
        bus.subscribe(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"
        ) { [ownerChanges] in ownerChanges.put($0) }
    }

    /// Calls a method and waits for the result.
    package func call(_ call: BusCall, timeoutSeconds: Double = 20) throws -> Result<[BusValue], BusFailure> {
        let replies = Mailbox<Result<[BusValue], BusFailure>>()
        queue.sync { bus.call(call, timeoutSeconds: timeoutSeconds) { replies.put($0) } }
        return try replies.next()
    }

    // MARK: - The notification server

    package func startServer(capabilities: String = "actions body body-markup") throws {
        // The observing connection has to exist before there is something to observe.
        _ = try call(
            BusCall(
                to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "GetId"))
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/python3")
        server.arguments = [
            "-m", "dbusmock", "--session", "--template", "notification_daemon",
            "--parameters", #"{"capabilities": "\#(capabilities)"}"#,
        ]
        server.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.runGuarded()
        self.server = server
        _ = try ownerChanges.next { $0.first?.asString == Self.notifications && $0.last?.asString != "" }
        // The server gets its name first. It can answer a little later, but before it reads the next message.
        _ = try serverCall("org.freedesktop.DBus.Mock", "ClearCalls", []).get()
    }

    /// Stops the server, and returns when the bus has noticed.
    package func stopServer() {
        guard let server else { return }
        Self.kill(server)
        self.server = nil
        _ = try? ownerChanges.next { $0.first?.asString == Self.notifications && $0.last?.asString == "" }
    }

    /// Gives a method of the server another result, which is Python code that sets `ret`.
    package func replace(_ member: String, arguments: String, result: String, code: String) throws {
        let values = [Self.notifications, member, arguments, result, code].map { BusValue.string($0) }
        _ = try serverCall("org.freedesktop.DBus.Mock", "AddMethod", values).get()
    }

    /// Makes the server emit a signal.
    package func emit(_ member: String, _ signature: String, _ arguments: [BusValue]) throws {
        let values: [BusValue] = [
            .string(Self.notifications), .string(member), .string(signature),
            .array(of: "v", arguments.map { .variant($0) }),
        ]
        _ = try serverCall("org.freedesktop.DBus.Mock", "EmitSignal", values).get()
    }

    package func serverCall(_ interface: String, _ member: String, _ arguments: [BusValue]) throws
        -> Result<[BusValue], BusFailure>
    {
        try call(
            BusCall(
                to: Self.notifications, path: Self.notificationsPath, interface: interface, member: member,
                arguments: arguments))
    }
}
