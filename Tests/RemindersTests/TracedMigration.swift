import Foundation
import ObjectStore
import TestProcesses

/// Runs `todod --migrate` under strace, which stops it at one chosen system call.
struct TracedMigration {
    /// A call that changes a file or writes it to the disk.
    struct Point: Hashable {
        let call: String
        /// The number among the calls with this name, from 1.
        let number: Int
    }

    private static let strace = "/usr/bin/strace"
    private static let calls = "write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink"

    /// Whether one process may trace another on this machine.
    static let isPossible =
        (try? Command(strace, ["-qq", "-e", "trace=none", "/bin/true"], in: URL(filePath: "/")))?.status == 0

    private let scratch: Scratch
    private let storePath: String
    private let arguments: [String]

    init(_ store: StoreConfiguration, mutePrefix: String?, in scratch: Scratch) throws {
        self.scratch = scratch
        storePath = store.path ?? ""
        let settings = scratch.path("todod.conf")
        let prefix = mutePrefix.map { "[Migration]\nMutePrefix=\($0)\n" } ?? ""
        try Data("[Store]\nType=\(store.kind)\n\(prefix)".utf8).write(to: URL(filePath: settings))
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "todod").path
        arguments = [program, "--migrate", "--config", settings, "--store", storePath]
    }

    private func run(_ options: [String]) throws -> Command {
        try Command(
            Self.strace, ["-qq", "-y", "-s", "0", "-e", "trace=\(Self.calls)"] + options + arguments,
            in: scratch.directory)
    }

    /// Starts a migration that stops at that point, runs `body` there, continues the migration, and returns
    /// its exit status.
    func run(stoppingAt point: Point, _ body: () throws -> Void) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: Self.strace)
        process.arguments =
            ["-e", "trace=\(point.call)", "-e", "inject=\(point.call):signal=SIGSTOP:when=\(point.number)"]
            + arguments
        process.currentDirectoryURL = scratch.directory
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.runGuarded()
        // strace prints `--- stopped by SIGSTOP ---`. If it ends without that, the pipe ends, too.
        var text = ""
        while !text.contains("stopped by SIGSTOP") {
            let bytes = pipe.fileHandleForReading.availableData
            guard !bytes.isEmpty else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        defer { process.waitUntilExit() }
        let result = Result { try body() }
        if let holder = try lockHolder() { kill(holder, SIGCONT) }
        try result.get()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The process that has the store open, according to its lock.
    func lockHolder() throws -> pid_t? {
        let text = try String(contentsOfFile: "\(storePath).lock", encoding: .utf8)
        return pid_t(text.filter(\.isNumber))
    }

    /// Every point of a migration that is not interrupted. Calls for SQLite's shared memory do not count,
    /// because it is not read after a crash.
    func points() throws -> [Point] {
        let trace = scratch.path("trace")
        let result = try run(["-o", trace])
        guard result.status == 0 else { throw CocoaError(.executableLoad) }
        var numbers: [Substring: Int] = [:]
        var points: [Point] = []
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            let call = line.prefix { $0 != "(" }
            numbers[call, default: 0] += 1
            guard line.contains(scratch.directory.path), !line.contains("-shm"), !line.contains(".lock")
            else { continue }
            points.append(Point(call: String(call), number: numbers[call] ?? 0))
        }
        return points
    }
}
