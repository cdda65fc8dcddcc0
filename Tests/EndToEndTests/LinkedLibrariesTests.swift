import Foundation
import TestProcesses
import Testing

/// The libraries that the programs load at their start.
@Suite struct LinkedLibrariesTests {
    /// libpq alone would load 24 libraries.
    @Test(arguments: ["todod", "todod-sync", "todoctl"])
    func programLoadsNoDatabaseClient(_ program: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/readelf")
        process.arguments = ["--dynamic", "\(Sandbox.products)/\(program)"]
        let output = Pipe()
        process.standardOutput = output
        try process.runGuarded()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let libraries = text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(libraries.contains { $0.contains("libc.so") })
        #expect(libraries.filter { $0.contains("libpq") } == [])
    }
}
