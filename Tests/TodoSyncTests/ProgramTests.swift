import Foundation
import Platform
import TestProcesses
import Testing
import TodoAPI
import Varlink

/// The program itself, in its own directories, without a todod.
@Suite final class ProgramTests {
    /// The directory of the program, which is that of the test program.
    private static let products: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent
    }()
    private let directory = "\(TestRun.directoryPrefix)program-\(UUID().uuidString.prefix(8))"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: "\(directory)/config/todod", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private func process(_ arguments: String...) -> (process: Process, output: Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: "\(Self.products)/todod-sync")
        process.arguments = arguments
        process.environment = [
            "HOME": directory, "XDG_CONFIG_HOME": "\(directory)/config", "XDG_RUNTIME_DIR": directory,
            "PATH": "/usr/bin:/bin",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        return (process, output)
    }

    private func run(_ argument: String) throws -> (status: Int32, output: String) {
        let (process, output) = process(argument)
        try process.runGuarded()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    @Test func helpAndVersionArePrinted() throws {
        #expect(try run("--version").output == "todod-sync \(tododVersion)\n")
        #expect(try run("--help").output.hasPrefix("Usage: todod-sync"))
        let wrong = try run("--now")
        #expect(wrong.status == 1)
        #expect(wrong.output.hasPrefix("todod-sync: there is no option '--now'\n"))
    }

    @Test func wrongLineIsReportedByTheCheck() throws {
        #expect(try run("--check-config").status == 0)
        let path = "\(directory)/config/todod/todod.conf"
        try Data("[Sync]\nInterval=soon\n".utf8).write(to: URL(filePath: path))
        let check = try run("--check-config")
        #expect(check.status == 78)
        #expect(
            check.output
                == "todod-sync: \(path):2: Interval=: expected a time span such as 5min, found 'soon'\n")
    }

    @Test func programAnswersWithoutTododAndStopsOnSignal() throws {
        let (process, output) = process()
        try process.runGuarded()
        let address = try #require(UnixAddress(path: "\(directory)/todod-sync/socket"))
        // The first line says that it has started.
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        let connection = try ClientConnection(to: address)
        try connection.send(MethodCall.bytes(SyncNow.qualifiedName) { _ in })
        #expect(try connection.nextReply().error == "dev.todod.Sync.ServerProblem")
        try connection.send(MethodCall.bytes("\(ServiceInterface.name).GetInfo") { _ in })
        #expect(try connection.nextReply().parameters["product"] == .string("todod-sync"))
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(process.terminationReason == .exit)
        #expect(!FileSystem.exists(address.path))
    }
}
