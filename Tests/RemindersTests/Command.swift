import Foundation
import TestProcesses

/// A program that ran to its end, with its output.
struct Command {
    let status: Int32
    let output: String

    /// - Parameter directory: The working directory.
    init(_ program: String, _ arguments: [String], in directory: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.runGuarded()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus
        output = String(decoding: bytes, as: UTF8.self)
    }
}
