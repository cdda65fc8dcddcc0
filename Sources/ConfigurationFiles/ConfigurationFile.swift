/// The lines of a configuration file in the style of systemd: `[Section]`, `Key=Value`, and comments that begin with
/// `#` or `;`.
///
/// A line cannot be continued, because a backslash at its end would hide the next line. This type only splits the
/// lines into their parts. Each program decides which sections and settings
/// exist.
package struct ConfigurationFile {
    package struct Section {
        package let name: String
        package let line: Int
        /// False for a header without its closing bracket. Its settings still belong to it, not to the section
        /// before.
        package let isComplete: Bool
        package var settings: [Setting] = []
    }

    package struct Setting {
        package let key: String
        package let value: String
        package let line: Int
    }

    /// A line that is neither a header nor a setting of a section.
    package struct StrayLine {
        /// The texts that may have been meant as lines: the line itself, its parts, or the next line.
        package let texts: [String]
        package let line: Int
        /// The section that contains the line.
        package let section: String?
        package let reason: String
    }

    package private(set) var sections: [Section] = []
    package private(set) var strayLines: [StrayLine] = []

    package init(text: String) {
        // Some editors begin a text with a byte order mark.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        // A carriage return and a line feed are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { String($0.trimmed) }
        for (index, line) in lines.enumerated() {
            if line.contains(where: \.isNewline) {
                let parts = line.split(whereSeparator: \.isNewline).map(String.init)
                addStray(parts, at: index + 1, "lines end with another character than a line feed")
            } else if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") {
                continue
            } else if line.unicodeScalars.contains("\u{FFFD}"), !line.hasPrefix("[") {
                addStray([line], at: index + 1, "is not UTF-8 text")
            } else if line.hasSuffix("\\"), !line.hasPrefix("[") {
                let texts = [line] + lines.dropFirst(index + 1).prefix(1)
                addStray(
                    texts, at: index + 1, "ends in a backslash; a line cannot be continued on the next one")
            } else {
                read(line, at: index + 1)
            }
        }
    }

    private mutating func read(_ line: String, at number: Int) {
        if line.hasPrefix("[") {
            let isComplete = line.hasSuffix("]")
            let name = String(isComplete ? line.dropFirst().dropLast() : line.dropFirst())
            sections.append(Section(name: name, line: number, isComplete: isComplete))
        } else if let equals = line.firstIndex(of: "="), equals > line.startIndex {
            guard !sections.isEmpty else {
                return addStray([line], at: number, "a setting before any [Section]")
            }
            let key = String(line[..<equals].trimmed)
            let value = String(line[line.index(after: equals)...].trimmed)
            sections[sections.count - 1].settings.append(Setting(key: key, value: value, line: number))
        } else {
            addStray([line], at: number, "expected [Section] or Key=Value")
        }
    }

    private mutating func addStray(_ texts: [String], at line: Int, _ reason: String) {
        strayLines.append(StrayLine(texts: texts, line: line, section: sections.last?.name, reason: reason))
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs at both ends.
    fileprivate var trimmed: SubSequence {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let head = drop(while: isSpace)
        return head.lastIndex { !isSpace($0) }.map { head[...$0] } ?? head[head.startIndex..<head.startIndex]
    }
}
