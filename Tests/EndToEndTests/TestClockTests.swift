import Foundation
import Testing

/// The tests do not depend on the clock of the machine, and do not change it.
@Suite struct TestClockTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// This file names everything that the others may not.
    private static let ownName = URL(filePath: #filePath).lastPathComponent

    /// The lines of the files below a directory of the repository that match a pattern.
    private func lines(
        below directory: String, matching pattern: Regex<Substring>, except exceptions: Set<String> = []
    ) throws -> [String] {
        let root = Self.repository.appending(path: directory)
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var found: [String] = []
        var count = 0
        for case let file as URL in files where file.lastPathComponent != Self.ownName {
            guard !exceptions.contains(file.lastPathComponent), !file.path.contains("/Fixtures/"),
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            count += 1
            for line in text.split(separator: "\n") where line.contains(pattern) {
                found.append("\(file.lastPathComponent): \(line)")
            }
        }
        #expect(count > 10, "\(directory) has no files")
        return found
    }

    /// T2: A container has no clock of its own: setting its clock would set that of the machine.
    @Test(arguments: ["Tests", "Benchmarks"])
    func noTestSetsTheClockOfTheMachine(directory: String) throws {
        let setters =
            #/clock_settime|settimeofday|adjtime|clock_adjtime|hwclock|set-time|date (?:-s|--set)\b/#
        #expect(try lines(below: directory, matching: setters) == [])
    }

    /// T1: Only the sandbox reads the clock of the machine, to choose the offset of the programs.
    @Test func onlyTheSandboxReadsTheClockOfTheMachine() throws {
        // The frozen stores are migrated in the process of the test, by its clock.
        let exceptions: Set = ["Sandbox.swift", "FrozenStoreTests.swift"]
        let clocks =
            #/\bDate\(\)|\b(?:Date|Timestamp)\.now\b|[ (\[]\.now\b(?!\()|(?:TimeZone|Calendar|Locale)\.current|\bLocalZone(?:\(\)| \{)|\btime\(nil\)|\bgettimeofday\b|CLOCK_REALTIME/#
        #expect(try lines(below: "Tests", matching: clocks, except: exceptions) == [])
    }
}
