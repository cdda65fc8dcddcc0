import Foundation
import TestProcesses
import Testing

/// Test runs that are killed. They leave no process and no file.
@Suite struct TestRunTests {
    private static let variable = "TODOD_ENDLESS_TEST"
    private static let isEndless = ProcessInfo.processInfo.environment[variable] != nil

    /// T3: When the test process or its parent, such as `swift test`, is killed, the daemons end.
    @Test(arguments: ["test process", "its parent"]) func killedTestRunEndsItsDaemons(killed: String) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        // The second command keeps the shell from replacing itself with the test process.
        shell.arguments = [
            "-c", #""$0" --testing-library swift-testing --filter TestRunTests.endlessTest; true"#, own,
        ]
        shell.environment = ProcessInfo.processInfo.environment.merging([Self.variable: "1"]) { $1 }
        let pipe = Pipe()
        shell.standardError = pipe
        shell.standardOutput = FileHandle.nullDevice
        try shell.runGuarded()
        defer { shell.waitUntilExit() }
        let run = try #require(try report(from: pipe.fileHandleForReading))
        let ends = try run.processes.map { try ProcessEnd(of: $0) }
        let (test, guardian) = (run.processes[0], ends[2])

        kill(killed == "test process" ? test : shell.processIdentifier, SIGKILL)
        #expect(guardian.wait(seconds: 30))
        for end in ends { #expect(end.wait(seconds: 0)) }
        #expect(!FileManager.default.fileExists(atPath: run.directory))
    }

    private struct Report: Codable {
        /// The test process, its daemon and its guard.
        let processes: [Int32]
        let directory: String
    }

    /// Returns the first report in the output, or `nil` if the output ends before.
    private func report(from output: FileHandle) throws -> Report? {
        var text = ""
        while true {
            let bytes = output.availableData
            if bytes.isEmpty { return nil }
            text += String(decoding: bytes, as: UTF8.self)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                if let report = try? JSONDecoder().decode(Report.self, from: Data(line.utf8)) {
                    return report
                }
            }
        }
    }

    /// The test in the run that is killed.
    @Test(.enabled(if: TestRunTests.isEndless, "another test runs and kills it"))
    func endlessTest() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let report = Report(
            processes: [getpid(), daemon.processID, TestRun.guardProcess.processIdentifier],
            directory: sandbox.directory)
        FileHandle.standardError.write(try JSONEncoder().encode(report) + Data("\n".utf8))
        _ = daemon.waitForEnd()
    }
}
