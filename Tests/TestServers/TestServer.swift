internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A CalDAV server with its own directory on a free port of this machine, which ends with this object.
package final class TestServer: Sendable {
    package struct CannotStart: Error, CustomStringConvertible {
        package let description: String
    }

    private static let deadlineSeconds = 30.0

    package static let user = "ann"
    package static let password = "secret"

    package let kind: ServerKind
    package let port: Int
    private let isEncrypted: Bool
    private let directory: URL
    private let process: Mutex<Process>

    /// Starts a server, and returns when it accepts connections.
    package init(_ kind: ServerKind, certificate: TestCertificates.Pair? = nil) throws {
        self.kind = kind
        isEncrypted = certificate != nil
        port = try FreePort.find()
        directory = URL(filePath: "\(TestRun.directoryPrefix)server-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let server = Process()
        let python = kind.isOfDebian ? "/usr/bin/python3" : try PythonEnvironment.python()
        server.executableURL = URL(filePath: python)
        server.arguments = try kind.arguments(directory: directory, port: port, certificate: certificate)
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
                let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw CannotStart(description: "\(kind) does not listen: \(text.suffix(2_000))")
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

    private static let shared = Mutex<[ServerKind: TestServer]>([:])

    /// Returns the server of that kind that all tests of this process share. Each test makes its own list.
    package static func shared(_ kind: ServerKind) throws -> TestServer {
        try shared.withLock { servers in
            if let server = servers[kind] { return server }
            let server = try TestServer(kind)
            servers[kind] = server
            return server
        }
    }

    /// The URL of the root, with a `/` at its end.
    package var url: String { "\(isEncrypted ? "https" : "http")://127.0.0.1:\(port)/" }

    /// The URL of the user's home, which contains the lists.
    package var homeURL: String { url + kind.homePath.dropFirst() }
}
