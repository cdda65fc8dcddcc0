import CivilTime
import Foundation
import TestProcesses
import Testing

/// The home directory of one test, in which the real programs run.
final class Sandbox {
    let directory: String
    /// The path is short, because a socket address has little room.
    var socket: String { "\(directory)/s" }
    var store: String { "\(directory)/data/todod/todo.sqlite" }
    /// The time zone of the programs.
    let zoneName: String
    private let clockOffset: Double
    private let locale: [String: String]
    private var daemons: [RunningDaemon] = []

    /// Creates a directory for the test, with the date, time zone and language of the test run unless the test chooses
    /// others.
    ///
    /// - Parameter now: the time at which the test begins, such as `2026-11-22T08:49:00Z`, or local without an offset.
    init(now: String? = nil, zone: String? = nil) throws {
        let current = TestPlace.current
        let zone = zone ?? current.zoneName
        let start = now.map { TestPlace(now: $0, zone: zone, locale: nil).now } ?? current.now
        zoneName = zone
        clockOffset = start - Timestamp.now
        locale = current.locale.map { ["LANG": $0] } ?? [:]
        directory = "\(TestRun.directoryPrefix)\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: "\(directory)/tmp", withIntermediateDirectories: true)
    }

    deinit {
        for daemon in daemons { daemon.kill() }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Returns the environment variable with which a program starts at another time than the sandbox.
    static func clock(at time: Timestamp) -> [String: String] {
        ["TODOD_CLOCK_OFFSET": "\(time - Timestamp.now)"]
    }

    /// The current time by the clock of the programs.
    var now: Timestamp { Timestamp.now + clockOffset }

    var environment: [String: String] {
        let places = [
            "HOME": directory, "XDG_DATA_HOME": "\(directory)/data", "XDG_CONFIG_HOME": "\(directory)/config",
            "XDG_STATE_HOME": "\(directory)/state", "TMPDIR": "\(directory)/tmp", "TODOD_SOCKET": socket,
            "TODOD_SYNC_SOCKET": "\(directory)/y",
            "TZ": zoneName, "TODOD_CLOCK_OFFSET": "\(clockOffset)",
            "PATH": "/usr/bin:/bin",
        ]
        return places.merging(locale) { $1 }
    }

    /// The directory of the programs under test, which is that of the test program.
    static let products: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent
    }()

    func write(_ text: String, to path: String) throws {
        let url = URL(filePath: "\(directory)/\(path)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    // MARK: - Programs

    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Starts a program and discards its output.
    func start(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "\(Self.products)/\(program)")
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.runGuarded()
        return process
    }

    /// Starts a program on a terminal.
    func start(
        _ program: String, _ arguments: [String], on terminal: PseudoTerminal, _ extra: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            filePath: program.hasPrefix("/") ? program : "\(Self.products)/\(program)")
        process.arguments = arguments
        process.environment = environment.merging(extra) { $1 }
        process.standardInput = terminal.end
        process.standardOutput = terminal.end
        process.standardError = terminal.end
        try process.runGuarded()
        return process
    }

    /// Starts a program on a terminal so that Ctrl-C ends it. The test process blocks signals, and in the background of a
    /// shell it ignores interrupts. A program would inherit both.
    func startInterruptible(_ program: String, _ arguments: [String], on terminal: PseudoTerminal) throws
        -> Process
    {
        let open = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let path = program.hasPrefix("/") ? program : "\(Self.products)/\(program)"
        return try start("/usr/bin/python3", ["-c", open, path] + arguments, on: terminal, ["TERM": "xterm"])
    }

    /// Runs a program until it ends.
    func run(_ program: String, _ arguments: [String], environment extra: [String: String] = [:]) throws
        -> Result
    {
        let process = Process()
        process.executableURL = URL(
            filePath: program.hasPrefix("/") ? program : "\(Self.products)/\(program)")
        process.arguments = arguments
        process.environment = environment.merging(extra) { $1 }
        // The output goes to files instead of pipes, which need a reader and can fill up.
        let output = "\(directory)/out-\(UUID().uuidString)"
        for name in [output, "\(output)-errors"] { try Data().write(to: URL(filePath: name)) }
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: "\(output)-errors")
        process.standardInput = FileHandle.nullDevice
        try process.runGuarded()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: "\(output)-errors", encoding: .utf8))
    }

    /// Runs a line in a shell that finds the programs by name, in a separate directory.
    func shell(_ line: String) throws -> Result {
        let path = "\(Self.products):/usr/bin:/bin"
        return try run(
            "/bin/sh", ["-c", "mkdir -p ~/work && cd ~/work && \(line)"], environment: ["PATH": path])
    }

    /// Runs a line on a terminal, types `input` there, and returns the output of the terminal.
    func terminal(_ line: String, typing input: String = "") throws -> Result {
        try write(input, to: "typed")
        try write(line, to: "line.sh")
        return try shell("script --quiet --return --command 'sh ~/line.sh' /dev/null < ~/typed")
    }

    func todoctl(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try run("todoctl", arguments, environment: environment)
    }

    /// Starts the daemon and waits until it reports that it is ready.
    ///
    /// - Parameters:
    ///   - streams: how a shell sets up its standard streams, such as `2>&-`.
    ///   - notification: the notification to wait for, or its beginning.
    ///   - traced: the options of strace, which makes calls of the daemon fail.
    ///   - fileSizeLimit: how many bytes a file can have that the daemon writes, as if the disk were full.
    func startDaemon(
        _ arguments: String..., environment: [String: String] = [:], streams: String? = nil,
        awaiting notification: String = "READY=1", traced: [String]? = nil,
        fileSizeLimit: Int? = nil
    ) throws -> RunningDaemon {
        let daemon = try RunningDaemon(
            arguments: arguments, environment: self.environment.merging(environment) { $1 },
            directory: directory, streams: streams, traced: traced,
            fileSizeLimit: fileSizeLimit)
        daemons.append(daemon)
        try daemon.waitFor(notification)
        return daemon
    }

    /// Starts the program that synchronizes, and waits until it reports that it is ready.
    func startSynchronization(environment: [String: String] = [:]) throws -> RunningDaemon {
        let daemon = try RunningDaemon(
            "todod-sync", arguments: [], environment: self.environment.merging(environment) { $1 },
            directory: directory)
        daemons.append(daemon)
        try daemon.waitFor("READY=1")
        return daemon
    }
}

/// A daemon process and its notifications to the service manager.
final class RunningDaemon {
    private static let deadlineSeconds = 30

    let process = Process()
    private let notifications: Int32
    private let errorsPath: String

    init(
        _ program: String = "todod", arguments: [String], environment: [String: String], directory: String,
        streams: String? = nil, traced: [String]? = nil, fileSizeLimit: Int? = nil
    ) throws {
        let name = UUID().uuidString.prefix(8)
        let notifyPath = "\(directory)/n-\(name)"
        notifications = try Self.datagramSocket(at: notifyPath)
        errorsPath = "\(directory)/daemon-\(name)"
        try Data().write(to: URL(filePath: errorsPath))
        process.executableURL = URL(filePath: "\(Sandbox.products)/\(program)")
        process.arguments = arguments
        if let streams, let program = process.executableURL?.path {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", #"exec "$0" "$@" \#(streams)"#, program] + arguments
        }
        if let traced, let program = process.executableURL?.path {
            process.executableURL = URL(filePath: TracedProgram.strace)
            process.arguments =
                ["-D", "-f", "-qq", "-o", "\(directory)/trace"] + traced + [program] + arguments
        }
        if let fileSizeLimit, let program = process.executableURL?.path {
            process.executableURL = URL(filePath: "/usr/bin/prlimit")
            process.arguments = ["--fsize=\(fileSizeLimit):", program] + arguments
        }
        process.environment = environment.merging(["NOTIFY_SOCKET": notifyPath]) { $1 }
        process.standardError = FileHandle(forWritingAtPath: errorsPath)
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.runGuarded()
    }

    deinit { close(notifications) }

    var processID: Int32 { process.processIdentifier }

    /// The text on standard error so far.
    var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }

    /// The line that ended the last call of `waitFor`.
    private(set) var lastNotification = ""

    /// Waits for a notification with a line that begins with `line`.
    func waitFor(_ line: String) throws {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while true {
            let count = recv(notifications, &buffer, buffer.count, 0)
            try #require(count > 0, "the daemon did not say \(line) in time; it wrote: \(errors)")
            let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
            if let found = lines.first(where: { $0.hasPrefix(line) }) {
                lastNotification = String(found)
                return
            }
        }
    }

    func send(_ signal: Int32) { Foundation.kill(processID, signal) }

    /// Stops the daemon as systemd does, and returns its exit status.
    func stop(_ signal: Int32 = SIGTERM) -> Int32 {
        send(signal)
        return waitForEnd()
    }

    /// Waits until the daemon ends, and returns its exit status.
    func waitForEnd() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    func kill() {
        if process.isRunning { _ = stop(SIGKILL) }
    }

    private static func datagramSocket(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        var limit = timeval(tv_sec: deadlineSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }
}
