import Foundation
import TestProcesses

/// Runs a program that saves once, under strace, which kills it at a given call.
enum TracedSave {
    /// The calls that change a file or write it to the disk.
    private static let calls = "write,pwrite64,fsync,fdatasync,rename,unlink,ftruncate,fchmod"

    /// Whether one process may trace another on this machine.
    static let isPossible = (try? run("/usr/bin/strace", ["-qq", "-e", "trace=none", "/bin/true"])) == 0

    /// - Parameter options: The options of strace, or `nil` to run the program alone.
    /// - Returns: The exit status of the program, or the signal that ended it.
    static func run(_ kind: TestedStore, _ path: String, traced options: [String]? = nil) throws -> Int32 {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "StoreCheck").path
        let arguments = ["save", kind.rawValue, path]
        guard let options else { return try run(program, arguments) }
        return try run(
            "/usr/bin/strace",
            ["-qq", "-y", "-s", "0", "-e", "trace=\(calls)"] + options + [program] + arguments)
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runGuarded()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
