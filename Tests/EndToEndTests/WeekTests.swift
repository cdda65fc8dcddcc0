import Foundation
import Testing

/// The week of use in `docs/screens.md`, repeated day by day on terminals of the same widths.
///
/// `TODOD_WRITE_DOCS=1 swift test --filter WeekTests` writes the output into the page.
@Suite struct WeekTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/screens.md")

    /// A typed line of the page, the lines of output after it, and where and when it is typed.
    private struct Step {
        let time: String
        let columns: Int
        let line: String
        /// The indices of its output among the lines of the page.
        var output: Range<Int>
    }

    /// A heading such as `## Monday 23 November, 08:00` starts a day. `On 40 columns:` before a block is its width.
    private static func steps(_ lines: [String]) throws -> [Step] {
        var steps: [Step] = []
        var (time, columns, isInBlock) = ("", 80, false)
        for (index, line) in lines.enumerated() {
            if let match = line.wholeMatch(of: #/## [A-Z][a-z]+ (\d+) November, (\d\d:\d\d)/#) {
                time = "2026-11-\(match.1)T\(match.2):10"
            } else if line.hasPrefix("```") {
                isInBlock = line == "```console"
                if !isInBlock { columns = 80 }
            } else if let match = line.firstMatch(of: #/On (\d+) columns:$/#) {
                columns = try #require(Int(match.1))
            } else if isInBlock, line.hasPrefix("$ "), !time.isEmpty {
                steps.append(
                    Step(
                        time: time, columns: columns, line: String(line.dropFirst(2)),
                        output: index + 1..<index + 1))
            } else if isInBlock, let last = steps.indices.last {
                steps[last].output = steps[last].output.lowerBound..<index + 1
            }
        }
        return steps
    }

    @Test func weekShowsRealOutput() throws {
        var lines = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n")
        let steps = try Self.steps(lines)
        #expect(Set(steps.map(\.columns)) == [40, 80, 160] && Set(steps.map(\.time)).count == 7)
        let sandbox = try Sandbox(now: try #require(steps.first).time)
        var outputs: [[String]] = []
        var time = ""
        var clock: [String: String] = [:]
        var daemon: RunningDaemon?
        for step in steps {
            if step.time != time {
                time = step.time
                if let daemon { #expect(daemon.stop() == 0) }
                clock = Sandbox.clock(at: try Sandbox(now: time).now)
                daemon = try sandbox.startDaemon(environment: clock)
            }
            let offset = clock.map { "export \($0)=\($1)" }.joined(separator: "; ")
            let result = try sandbox.terminal("\(offset); stty cols \(step.columns); \(step.line)")
            let output = result.output.replacing("\r\n", with: "\n").components(separatedBy: "\n").dropLast()
            #expect(result.status == 0, "\(step.line): \(result)")
            // The terminal wraps a message. A list fits.
            let isList = output.first?.hasPrefix("ID ") ?? false
            #expect(!isList || output.allSatisfy { $0.count <= step.columns }, "\(step.line): \(output)")
            outputs.append(Array(output))
        }
        if ProcessInfo.processInfo.environment["TODOD_WRITE_DOCS"] != nil {
            for (step, output) in zip(steps, outputs).reversed() {
                lines.replaceSubrange(step.output, with: output)
            }
            try lines.joined(separator: "\n").write(to: Self.page, atomically: true, encoding: .utf8)
        }
        // Text before the output may have become longer or shorter.
        for (step, output) in zip(try Self.steps(lines), outputs) {
            let written = Array(lines[step.output])
            #expect(output.terminalForms == written.terminalForms, "\(step.line): \(output)")
        }
    }
}
