import Foundation
import TestBus
import TestProcesses
import Testing

@testable import TodoSync

@Suite struct SecretServiceTests {
    /// Runs `body` with a bus on which a small Secret Service runs.
    private func withService(_ options: String..., body: (SecretService) throws -> Void) throws {
        let bus = try TestBus()
        let service = Process()
        service.executableURL = URL(filePath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "secret_service.py")
        service.arguments = [script.path, bus.address] + options
        let output = Pipe()
        service.standardOutput = output
        try service.runGuarded()
        defer { service.terminate() }
        try #require(!output.fileHandleForReading.availableData.isEmpty)
        try body(SecretService(address: bus.address))
    }

    @Test func passwordIsStoredReplacedReadAndRemoved() throws {
        try withService { service in
            #expect(throws: SecretService.Failure.notFound) { try service.password(of: "home") }
            try service.store("first", of: "home")
            try service.store("zweites Wort: ü", of: "home")
            try service.store("other", of: "work")
            #expect(try service.password(of: "home") == "zweites Wort: ü")
            try service.remove(passwordOf: "home")
            try service.remove(passwordOf: "home")
            #expect(throws: SecretService.Failure.notFound) { try service.password(of: "home") }
            #expect(try service.password(of: "work") == "other")
        }
    }

    @Test func lockedServiceIsReportedWithoutAPrompt() throws {
        try withService("--locked") { service in
            #expect(throws: SecretService.Failure.locked) { try service.password(of: "home") }
            #expect(throws: SecretService.Failure.locked) { try service.store("x", of: "home") }
            #expect(throws: SecretService.Failure.locked) { try service.remove(passwordOf: "home") }
        }
    }

    @Test func missingBusIsReported() {
        let service = SecretService(address: "unix:path=/nonexistent/bus")
        #expect(throws: SecretService.Failure.absent) { try service.password(of: "home") }
    }
}
