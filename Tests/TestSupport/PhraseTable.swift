import Foundation

/// The table of `Tests/PhrasesTests/phrases.txt`: times as people type them, and their readings.
package struct PhraseTable {
    /// The use of a time, on which some readings depend.
    package enum Use: String, Sendable {
        case due, filter, snooze, past
    }

    package struct Row: Sendable, CustomStringConvertible {
        package let use: Use
        /// The time at which it is typed.
        package let now: String
        package let phrase: String
        /// `Tue 24 Nov 2026 09:00`, or `nil` if the phrase is refused.
        package let reading: String?
        package let note: String?
        /// The error with which the phrase is refused.
        package let error: String?
        package let isInManual: Bool

        package var description: String { now == PhraseTable.now ? "\(use): \(phrase)" : "\(now): \(phrase)" }
    }

    package struct Section: Sendable {
        package let title: String
        package let text: String
        package let rows: [Row]
    }

    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    /// The time at which the phrases are typed, and the zone.
    package static let now = "2026-11-23T08:49:00+01:00"
    package static let zone = "Europe/Berlin"
    package static let nowInWords = "Monday, 23 November 2026, at 8:49"

    package let sections: [Section]

    package init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: tests.appending(path: "PhrasesTests/phrases.txt"), encoding: .utf8)
        try self.init(text)
    }

    private init(_ file: String) throws {
        var sections: [Section] = []
        for part in ("\n" + file).components(separatedBy: "\n= ").dropFirst() {
            let lines = part.components(separatedBy: "\n")
            let heading = lines[0].components(separatedBy: " | ")
            guard (2...3).contains(heading.count), let use = Use(rawValue: heading[1]) else {
                throw Mistake(description: "no title and use: \(lines[0])")
            }
            let text = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
            let rows = try lines.dropFirst().filter { !$0.isEmpty && !$0.hasPrefix("> ") }.map {
                try Self.row($0, use, now: heading.count == 3 ? heading[2] : Self.now)
            }
            sections.append(Section(title: heading[0], text: text, rows: rows))
        }
        self.sections = sections
    }

    private static func row(_ line: String, _ use: Use, now: String) throws -> Row {
        let isInManual = line.hasPrefix("* ")
        let content = String(line.dropFirst(2))
        let refused = content.components(separatedBy: " ! ")
        if refused.count == 2 {
            return Row(
                use: use, now: now, phrase: refused[0], reading: nil, note: nil, error: refused[1],
                isInManual: isInManual)
        }
        let parts = content.components(separatedBy: " | ")
        guard (2...3).contains(parts.count), isInManual || line.hasPrefix("  ") else {
            throw Mistake(description: "no phrase and reading: \(line)")
        }
        return Row(
            use: use, now: now, phrase: parts[0], reading: parts[1], note: parts.count == 3 ? parts[2] : nil,
            error: nil,
            isInManual: isInManual)
    }

    package var rows: [Row] { sections.flatMap(\.rows) }
}
