import Foundation
import ObjectStore
import TestProcesses

/// Runs `todod --migrate` under strace, which stops it at one chosen call of the system.
struct TracedMigration {
    /// A call that changes a file or brings it to the disk.
    struct Point: Hashable {
        let call: String
        /// Which one of its kind, from 1.
        let number: Int
    }

    private static let strace = "/usr/bin/strace"
    private static let calls = "write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink"

    /// Whether this machine lets one process trace another.
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
        try Data("[Store]\nType=\(store.kind.rawValue)\n\(prefix)".utf8).write(to: URL(filePath: settings))
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "todod").path
        arguments = [program, "--migrate", "--config", settings, "--store", storePath]
    }

    private func run(_ options: [String]) throws -> Command {
        try Command(
            Self.strace, ["-qq", "-y", "-s", "0", "-e", "trace=\(Self.calls)"] + options + arguments,
            in: scratch.directory)
    }

    /// Starts a migration that stops at that point, runs `body` there, lets the migration go on, and returns how
    /// it ended.
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
        // It says `--- stopped by SIGSTOP ---`; should it end without that, so does the pipe.
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

    /// The process that has the store open, as its lock says.
    func lockHolder() throws -> pid_t? {
        let text = try String(contentsOfFile: "\(storePath).lock", encoding: .utf8)
        return pid_t(text.filter(\.isNumber))
    }

    /// Every point of a migration that nothing disturbs. What SQLite keeps in shared memory is no part of it:
    /// nobody reads it after a crash.
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
