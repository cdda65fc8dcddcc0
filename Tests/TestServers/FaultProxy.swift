internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A proxy before a `TestServer` that makes requests fail on demand and logs them. Without a server, it gives only the answers
/// that a test prepares. It ends with this object.
package final class FaultProxy: Sendable {
    package struct Request: Decodable, Sendable {
        package let method: String
        package let path: String
        /// The kind of the fault that was applied, or `none`.
        package let fault: String
        /// The status of the answer, or 0 if there was none.
        package let status: Int
        /// The headers, with names in lower case.
        package let headers: [String: String]
        package let body: String
    }

    private struct Started: Decodable {
        let port: Int
    }

    private struct Running {
        let process: Process
        let input: FileHandle
        let output: FileHandle
    }

    package let port: Int
    private let isEncrypted: Bool
    private let running: Mutex<Running>

    /// Starts the proxy, and returns when it accepts connections.
    package init(before server: TestServer? = nil, certificate: TestCertificates.Pair? = nil) throws {
        isEncrypted = certificate != nil
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fault-proxy.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            [script.path, "\(server?.port ?? 0)"] + (certificate.map { [$0.certificate, $0.key] } ?? [])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.runGuarded()
        let running = Running(
            process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading)
        port = try JSONDecoder().decode(Started.self, from: try Self.line(running)).port
        self.running = Mutex(running)
    }

    deinit {
        running.withLock {
            kill($0.process.processIdentifier, SIGKILL)
            $0.process.waitUntilExit()
        }
    }

    /// The URL of the root, with a `/` at its end.
    package var url: String { "\(isEncrypted ? "https" : "http")://127.0.0.1:\(port)/" }

    /// Adds a fault after the faults that exist. The first one that applies to a request is used.
    package func add(_ fault: Fault) throws {
        _ = try send(["add": fault])
    }

    /// Removes all faults and the log.
    package func clear() throws {
        _ = try send(["clear": true])
    }

    /// Refuses connections from now on, or accepts them again.
    package func setOffline(_ isOffline: Bool) throws {
        _ = try send(["offline": isOffline])
    }

    /// The requests that have arrived.
    package func requests() throws -> [Request] {
        try JSONDecoder().decode([Request].self, from: try send(["log": true]))
    }

    private func send(_ command: some Encodable) throws -> Data {
        let line = try JSONEncoder().encode(command)
        return try running.withLock {
            try $0.input.write(contentsOf: line + Data("\n".utf8))
            return try Self.line($0)
        }
    }

    private static func line(_ running: borrowing Running) throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let chunk = running.output.availableData
            guard !chunk.isEmpty else { throw TestServer.CannotStart(description: "the fault proxy ended") }
            line += chunk
        }
        return line
    }
}
