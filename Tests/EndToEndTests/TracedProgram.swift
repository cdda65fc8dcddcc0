import Foundation

/// Runs a program under strace, which kills it before one chosen system call or makes that call fail.
struct TracedProgram {
    /// A call that changes the files of the store or syncs them to the disk.
    struct Point: Hashable {
        let call: String
        /// The number of the call among those with its name, from 1.
        let number: Int
        /// The arguments as strace prints them.
        let arguments: String

        /// The paths among the arguments.
        var names: [String] {
            arguments.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
                $0.offset % 2 == 1
            }
            .map { String($0.element) }
        }
        var isWrite: Bool { ["write", "pwrite64", "ftruncate"].contains(call) }
        var isSync: Bool { ["fsync", "fdatasync"].contains(call) }
        /// Whether the call changes the names of files.
        var isOfNames: Bool { !isWrite && !isSync && call != "openat" }
        /// The ways in which the disk can refuse the call.
        var faults: [Fault] { isWrite ? [.noSpace, .failingDisk] : [.failingDisk] }
        /// Whether the call removes the data for a rollback of the last change.
        var endsJournal: Bool { call == "unlink" && arguments.contains("-journal") }
    }

    enum Fault: String, CaseIterable {
        case kill = "signal=SIGKILL"
        /// Applies to this call and to all later ones with its name.
        case noSpace = "error=ENOSPC"
        case failingDisk = "error=EIO"
    }

    static let strace = "/usr/bin/strace"
    private static let calls =
        "write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat2,link,symlink,unlink,openat"

    /// Whether this machine lets one process trace another.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: strace)
        process.arguments = ["-qq", "-e", "trace=none", "/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Traces a running daemon with additional options of strace. The trace is written to a file in the sandbox.
    static func attach(to daemon: RunningDaemon, in sandbox: Sandbox, _ options: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: strace)
        process.arguments =
            ["-f", "-qq", "-y", "-o", "\(sandbox.directory)/trace", "-p", "\(daemon.processID)"] + options
        process.standardError = FileHandle.nullDevice
        try process.run()
        let tasks = "/proc/\(daemon.processID)/task"
        func isTraced(_ task: String) -> Bool {
            let status = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
            return !status.contains("TracerPid:\t0\n")
        }
        while process.isRunning,
            try !FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy(isTraced)
        {
            sched_yield()
        }
        return process
    }

    let sandbox: Sandbox
    let arguments: [String]

    private func run(_ options: [String]) throws -> Sandbox.Result {
        try sandbox.run(
            Self.strace,
            ["-D", "-qq", "-y", "-s", "0", "-e", "trace=\(Self.calls)"] + options
                + ["\(Sandbox.products)/todod"] + arguments)
    }

    func run(_ fault: Fault, at point: Point) throws -> Sandbox.Result {
        let which = fault == .noSpace ? "\(point.number)+" : "\(point.number)"
        return try run(["-o", "/dev/null", "-e", "inject=\(point.call):\(fault.rawValue):when=\(which)"])
    }

    /// Returns every point of a run without faults. The shared-memory index of SQLite is omitted, because it is
    /// created again after a crash. The lock file is omitted, too.
    func points(in directory: String) throws -> [Point] {
        let trace = "\(sandbox.directory)/trace"
        _ = try run(["-o", trace])
        var numbers: [Substring: Int] = [:]
        var points: [Point] = []
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            let call = line.prefix { $0 != "(" }
            numbers[call, default: 0] += 1
            guard line.contains(directory), !line.contains("-shm"), !line.contains(".lock") else { continue }
            let point = Point(
                call: String(call), number: numbers[call] ?? 0, arguments: String(line.dropFirst(call.count)))
            points.append(point)
        }
        return points
    }
}
