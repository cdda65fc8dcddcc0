internal import TodoAPI

/// The lines of a configuration file in systemd's style, taken apart but not yet understood.
///
/// `[Section]`, `Key=Value`, comments that begin with `#` or `;`, and a backslash at the end of a line that goes on.
struct ConfigurationFile {
    struct Section: Hashable {
        let name: String
        let line: Int
    }

    struct Setting: Hashable {
        let section: String
        let key: String
        let value: String
        let line: Int
    }

    let sections: [Section]
    let settings: [Setting]
    let problems: [ConfigurationProblem]

    /// `path` serves only to name the file in problems.
    init(text: String, path: String) {
        var sections: [Section] = []
        var settings: [Setting] = []
        var problems: [ConfigurationProblem] = []
        var continued: (text: String, line: Int)?

        // Editors of other systems begin a text with a mark of its byte order.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        // A carriage return and a newline are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, rawLine) in lines.enumerated() {
            let trimmed = rawLine.trimmed
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            let start = continued?.line ?? index + 1
            let line = (continued.map { $0.text + " " } ?? "") + trimmed
            continued = nil
            if line.hasSuffix("\\") {
                continued = (String(line.dropLast()).trimmed.description, start)
                continue
            }
            if line.isEmpty { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                sections.append(.init(name: String(line.dropFirst().dropLast()), line: start))
            } else if let equals = line.firstIndex(of: "="), equals > line.startIndex {
                guard let section = sections.last?.name else {
                    problems.append(.init(path: path, line: start, reason: "a setting before any [Section]"))
                    continue
                }
                let key = line[..<equals].trimmed
                let value = line[line.index(after: equals)...].trimmed
                settings.append(.init(section: section, key: String(key), value: String(value), line: start))
            } else {
                problems.append(.init(path: path, line: start, reason: "expected [Section] or Key=Value"))
            }
        }
        if let continued {
            problems.append(
                .init(path: path, line: continued.line, reason: "the file ends in a line that goes on"))
        }
        self.sections = sections
        self.settings = settings
        self.problems = problems
    }
}

/// One thing that is wrong with the configuration: where, and what was expected.
struct ConfigurationProblem: Hashable, CustomStringConvertible {
    let path: String
    /// Nil when the file as a whole is the problem.
    let line: Int?
    let reason: String

    /// `/home/ada/.config/todod/todod.conf:7: LeadTime=: expected a time span such as 5min, found 'soon'`
    var description: String {
        (line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)").oneLine()
    }
}

/// The configuration cannot be used; every problem in it is named.
struct ConfigurationError: Error, CustomStringConvertible {
    let problems: [ConfigurationProblem]

    var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension StringProtocol {
    /// Without the spaces and tabs at both ends.
    var trimmed: SubSequence {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let head = drop(while: isSpace)
        return head.lastIndex { !isSpace($0) }.map { head[...$0] } ?? head[head.startIndex..<head.startIndex]
    }
}
