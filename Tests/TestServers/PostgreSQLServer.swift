package import Foundation
internal import Synchronization
internal import TestProcesses

/// A PostgreSQL server of this process on a Unix socket, without TCP. It ends with the process.
///
/// It keeps nothing through a loss of power, which makes it fast, but everything through a crash. Its default order of texts is that of German, so a test
/// fails if a statement relies on the default.
package final class PostgreSQLServer: Sendable {
    private static let deadlineSeconds = 60.0
    private static let userOfServer = "postgres"
    private static let result = Result { try PostgreSQLServer("postgresql") }
    private static let restartedResult = Result { try PostgreSQLServer("postgresql-2") }

    /// A connection string for the administrator of the server that all tests of this process share. Each test uses a schema
    /// of its own.
    package static var sharedConnection: String { required(result).connection }

    /// A server that tests restart, or in which they keep transactions open. Other tests would notice both.
    package static var restarted: PostgreSQLServer { required(restartedResult) }

    private static func required(_ result: Result<PostgreSQLServer, any Error>) -> PostgreSQLServer {
        switch result {
        case .success(let server): server
        case .failure(let error): fatalError("\(error)")
        }
    }

    /// The directory with the socket, and with the files of the server.
    package let directory: URL
    private let log: URL
    /// The program, or `nil` if it was stopped.
    private let process: Mutex<Process?>

    /// A connection string for the administrator.
    package var connection: String { "host=\(directory.path) user=tester dbname=postgres" }

    /// Creates a server with a new cluster, or a standby of another server.
    private init(_ name: String, standbyOf primary: PostgreSQLServer? = nil) throws {
        directory = URL(filePath: "\(TestRun.directoryPrefix)\(name)")
        log = directory.appending(path: "log")
        let files = FileManager.default
        try files.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if getuid() == 0 {
            try files.setAttributes([.ownerAccountName: Self.userOfServer], ofItemAtPath: directory.path)
        }
        let data = directory.appending(path: "data")
        let programs = try Self.programs()
        let creation =
            if let primary {
                Self.process(
                    programs + "/pg_basebackup",
                    [
                        "-D", data.path, "-d", primary.connection, "--no-sync", "--checkpoint=fast",
                        "--write-recovery-conf",
                    ])
            } else {
                Self.process(
                    programs + "/initdb",
                    [
                        "-D", data.path, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync",
                        "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=de",
                    ])
            }
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        creation.standardOutput = output
        creation.standardError = output
        try creation.runGuarded()
        creation.waitUntilExit()
        guard creation.terminationStatus == 0 else {
            throw Self.cannotStart("its files could not be created", log)
        }
        process = Mutex(try Self.start(in: directory, log))
        Self.stopAtExit(self)
    }

    /// Starts the program, and returns when it accepts connections.
    private static func start(in directory: URL, _ log: URL) throws -> Process {
        let data = directory.appending(path: "data")
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(directory.path)", "max_connections=200",
            "fsync=off", "full_page_writes=off", "timezone=UTC",
            // Files in the directory of the data, which is removed even if the server is killed.
            "dynamic_shared_memory_type=mmap", "deadlock_timeout=200ms",
        ]
        let server = process(
            try programs() + "/postgres", ["-D", data.path] + settings.flatMap { ["-c", $0] })
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        server.standardOutput = output
        server.standardError = output
        try server.runGuarded()
        let end = try ProcessEnd(of: server.processIdentifier)
        let deadline = ContinuousClock.now + .seconds(deadlineSeconds)
        // The server changes this file when it accepts connections.
        let state = data.appending(path: "postmaster.pid")
        while !["ready", "standby"].contains(where: { line in
            (try? String(contentsOf: state, encoding: .utf8))?.contains(line) == true
        }) {
            guard !end.wait(milliseconds: 20), ContinuousClock.now < deadline else {
                throw cannotStart("the server does not listen", log)
            }
        }
        return server
    }

    /// Ends the server and its connections at once, as a crash does, runs `body`, and starts it again.
    package func restart(whileStopped body: () throws -> Void = {}) throws {
        try process.withLock { server in
            Self.stop(&server)
            try body()
            server = try Self.start(in: directory, log)
        }
    }

    /// Ends the server and its connections at once, as a crash does.
    package func stop() {
        process.withLock { Self.stop(&$0) }
    }

    private static func stop(_ server: inout Process?) {
        guard let running = server else { return }
        kill(running.processIdentifier, SIGQUIT)
        running.waitUntilExit()
        server = nil
    }

    /// Starts a new server and a standby of it. Both end with the process.
    package static func pair(_ name: String) throws -> (primary: PostgreSQLServer, standby: PostgreSQLServer)
    {
        let primary = try PostgreSQLServer("\(name)-1")
        return (primary, try PostgreSQLServer("\(name)-2", standbyOf: primary))
    }

    /// Ends a server when this process exits, so that it removes its shared memory.
    private static func stopAtExit(_ server: PostgreSQLServer) {
        let isFirst = serversToStop.withLock {
            $0.append(server)
            return $0.count == 1
        }
        guard isFirst else { return }
        atexit {
            for server in PostgreSQLServer.serversToStop.withLock({ $0 }) {
                guard let number = server.process.withLock({ $0?.processIdentifier }) else { continue }
                kill(number, SIGQUIT)
                var status: Int32 = 0
                waitpid(number, &status, 0)
            }
        }
    }

    private static let serversToStop = Mutex<[PostgreSQLServer]>([])

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
