import Foundation
import TestProcesses

/// A program that shares the store of a ledger, and reports each save that it has made.
final class SharingProgram {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var unread: [UInt8] = []
    /// The number of the last entry that the program has reported.
    private(set) var reported = 0

    convenience init(_ path: String, author: String, count: Int) throws {
        try self.init(["share", path, author, "\(count)"])
    }

    /// - Parameter arguments: The arguments of `StoreCheck`.
    init(_ arguments: [String]) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: own).deletingLastPathComponent().appending(path: "StoreCheck")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.runGuarded()
    }

    /// Waits until the program has reported an entry with this number, or has ended.
    func wait(for number: Int) {
        while reported < number, read() {}
    }

    var isRunning: Bool { process.isRunning }

    /// Waits until the program ends.
    ///
    /// - Returns: Its errors, or an empty text.
    func end() -> String {
        while read() {}
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        while read() {}
        process.waitUntilExit()
    }

    private func read() -> Bool {
        let data = output.fileHandleForReading.availableData
        unread += data
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            reported = Int(String(decoding: unread[..<end], as: UTF8.self)) ?? reported
            unread.removeSubrange(...end)
        }
        return !data.isEmpty
    }
}
