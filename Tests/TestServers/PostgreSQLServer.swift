internal import Foundation
internal import TestProcesses

/// A PostgreSQL server of this process on a Unix socket, without TCP. It ends with the process.
///
/// It keeps nothing through a loss of power, which makes it fast. Its default order of texts is that of German, so a test
/// fails if a statement relies on the default.
package final class PostgreSQLServer: Sendable {
    private static let deadlineSeconds = 60.0
    private static let userOfServer = "postgres"
    private static let result = Result { try PostgreSQLServer() }

    /// A connection string for the administrator of the server that all tests of this process share. Each test uses a schema
    /// of its own.
    package static var sharedConnection: String {
        switch result {
        case .success(let server): server.connection
        case .failure(let error): fatalError("\(error)")
        }
    }

    private let directory: URL
    private let processNumber: Int32

    private var connection: String { "host=\(directory.path) user=tester dbname=postgres" }

    private init() throws {
        directory = URL(filePath: "\(TestRun.directoryPrefix)postgresql")
        let files = FileManager.default
        try files.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if getuid() == 0 {
            try files.setAttributes([.ownerAccountName: Self.userOfServer], ofItemAtPath: directory.path)
        }
        let data = directory.appending(path: "data")
        let programs = try Self.programs()
        let creation = Self.process(
            programs + "/initdb",
            [
                "-D", data.path, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8",
                "--locale-provider=icu", "--icu-locale=de",
            ])
        let log = directory.appending(path: "log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        creation.standardOutput = output
        creation.standardError = output
        try creation.runGuarded()
        creation.waitUntilExit()
        guard creation.terminationStatus == 0 else { throw Self.cannotStart("initdb failed", log) }
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(directory.path)", "max_connections=200",
            "fsync=off", "full_page_writes=off", "synchronous_commit=off", "timezone=UTC",
            // Files in the directory of the data, which is removed even if the server is killed.
            "dynamic_shared_memory_type=mmap", "deadlock_timeout=200ms",
        ]
        let server = Self.process(
            programs + "/postgres", ["-D", data.path] + settings.flatMap { ["-c", $0] })
        server.standardOutput = output
        server.standardError = output
        try server.runGuarded()
        processNumber = server.processIdentifier
        let end = try ProcessEnd(of: processNumber)
        let deadline = ContinuousClock.now + .seconds(Self.deadlineSeconds)
        // The server changes this file when it accepts connections.
        let state = data.appending(path: "postmaster.pid")
        while (try? String(contentsOf: state, encoding: .utf8))?.contains("ready") != true {
            guard !end.wait(milliseconds: 20), ContinuousClock.now < deadline else {
                throw Self.cannotStart("the server does not listen", log)
            }
        }
        Self.stopAtExit(processNumber)
    }

    /// Ends the server when this process exits, so that it removes its shared memory.
    private static func stopAtExit(_ number: Int32) {
        serverToStop = number
        atexit {
            kill(PostgreSQLServer.serverToStop, SIGQUIT)
            var status: Int32 = 0
            waitpid(PostgreSQLServer.serverToStop, &status, 0)
        }
    }

    /// Written once, before it is read at the exit of the process.
    nonisolated(unsafe) private static var serverToStop: Int32 = 0

    /// Returns the directory with the programs of the newest installed version. They are not in `PATH`.
    private static func programs() throws -> String {
        let versions = "/usr/lib/postgresql"
        let installed = try FileManager.default.contentsOfDirectory(atPath: versions).compactMap { Int($0) }
        guard let newest = installed.max() else {
            throw TestServer.CannotStart(description: "PostgreSQL is not installed; run 'make test-deps'")
        }
        return "\(versions)/\(newest)/bin"
    }

    /// Returns a process of the server, which refuses to run as root.
    private static func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        process.currentDirectoryURL = URL(filePath: "/tmp")
        process.standardInput = FileHandle.nullDevice
        guard getuid() == 0 else {
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            return process
        }
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments =
            ["--reuid=\(userOfServer)", "--regid=\(userOfServer)", "--clear-groups", program] + arguments
        return process
    }

    private static func cannotStart(_ reason: String, _ log: URL) -> TestServer.CannotStart {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return TestServer.CannotStart(description: "PostgreSQL: \(reason): \(text.suffix(2_000))")
    }
}
