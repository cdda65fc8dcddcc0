internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A server process with its own directory, which listens on a free port of this machine and ends with this object.
final class ListeningProcess: Sendable {
    private static let deadlineSeconds = 30.0

    let port: Int
    private let directory: URL
    private let process: Mutex<Process>

    /// Starts a program, and returns when it accepts connections.
    ///
    /// - Parameter arguments: returns the arguments for a directory and a port.
    init(
        _ name: String, program: String, arguments: (_ directory: URL, _ port: Int) throws -> [String]
    ) throws {
        port = try FreePort.find()
        directory = URL(filePath: "\(TestRun.directoryPrefix)server-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let server = Process()
        server.executableURL = URL(filePath: program)
        server.arguments = try arguments(directory, port)
        let log = directory.appending(path: "log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        server.standardOutput = output
        server.standardError = output
        server.standardInput = FileHandle.nullDevice
        try server.runGuarded()
        let number = server.processIdentifier
        process = Mutex(server)
        let end = try ProcessEnd(of: number)
        let deadline = ContinuousClock.now + .seconds(Self.deadlineSeconds)
        // No server reports when it listens. The wait ends early if the process does.
        while !FreePort.accepts(port) {
            guard !end.wait(milliseconds: 20), ContinuousClock.now < deadline else {
                throw TestServer.CannotStart(description: "\(name) does not listen: \(Self.output(of: log))")
            }
        }
    }

    deinit {
        process.withLock {
            kill($0.processIdentifier, SIGKILL)
            $0.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: directory)
    }

    /// The text that the process has written so far.
    var output: String { Self.output(of: directory.appending(path: "log")) }

    private static func output(of log: URL) -> String {
        String(((try? String(contentsOf: log, encoding: .utf8)) ?? "").suffix(20_000))
    }
}
