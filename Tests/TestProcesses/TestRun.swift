package import Foundation

/// The processes that the tests of this process start.
///
/// A guard, which is a process too, ends them when this process ends: by itself, killed, or after a time
/// limit. It also ends this process when the process that started it has ended.
package enum TestRun {
    /// The guard removes directories with names that begin with this prefix.
    package static let directoryPrefix = "/tmp/todod-\(id)-"

    /// The process that guards this one. It starts at the first use of this property.
    package static let guardProcess: Process = {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "guard.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path, id, "\(getpid())", "\(getppid())"]
        // Without the variable of this run, and that of a run that this one is part of.
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            fatalError("cannot run \(script.path): \(error)")
        }
        return process
    }()

    private static let id = String(UUID().uuidString.prefix(8))

    /// The variable by which the guard finds the processes of this run.
    fileprivate static let environment = ["TODOD_TEST_RUN": id]
}

extension Process {
    /// Starts the process, which ends with the test run at the latest.
    package func runGuarded() throws {
        _ = TestRun.guardProcess
        let own = environment ?? ProcessInfo.processInfo.environment
        environment = own.merging(TestRun.environment) { $1 }
        try run()
    }
}
