import Foundation
import Testing

/// Checks that the tests neither depend on the machine's clock nor set it.
@Suite struct TestClockTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// This file contains everything that the other files may not contain.
    private static let ownName = URL(filePath: #filePath).lastPathComponent

    /// Returns the lines that match a pattern, from all files in a directory of the repository.
    private func lines(
        below directory: String, matching pattern: Regex<Substring>, except exceptions: Set<String> = []
    ) throws -> [String] {
        let root = Self.repository.appending(path: directory)
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var found: [String] = []
        var count = 0
        for case let file as URL in files where file.lastPathComponent != Self.ownName {
            guard !exceptions.contains(file.lastPathComponent), !file.path.contains("/Fixtures/"),
                !file.path.contains("/Consumer/Sources/"),
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

    /// T2: A container shares the clock of the machine, so a test that set it would set that of the machine.
    @Test(arguments: ["Tests", "Benchmarks"])
    func noTestSetsTheClockOfTheMachine(directory: String) throws {
        let setters =
            #/clock_settime|settimeofday|adjtime|clock_adjtime|hwclock|set-time|date (?:-s|--set)\b/#
        #expect(try lines(below: directory, matching: setters) == [])
    }

    /// T1: Only the sandbox reads the machine's clock, to choose the offset of the programs. The application of the
    /// consumer package is not a test.
    @Test func onlyTheSandboxReadsTheClockOfTheMachine() throws {
        // The frozen stores are migrated in the process of the test, which uses the machine's clock.
        // todod-sync and the programs in its place say when the next synchronization is.
        let exceptions: Set = [
            "Sandbox.swift", "FrozenStoreTests.swift", "ServiceTests.swift", "SyncCommandTests.swift",
            "SyncSamples.swift",
        ]
        let clocks =
            #/\bDate\(\)|\b(?:Date|Timestamp)\.now\b|[ (\[]\.now\b(?!\()|(?:TimeZone|Calendar|Locale)\.current|\bLocalZone(?:\(\)| \{)|\btime\(nil\)|\bgettimeofday\b|CLOCK_REALTIME/#
        #expect(try lines(below: "Tests", matching: clocks, except: exceptions) == [])
    }
}
