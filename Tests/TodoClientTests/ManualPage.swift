import Foundation

/// A manual page, and the parts of it that tests write.
struct ManualPage {
    let url: URL

    static let all = ["todoctl.1", "todod.8", "todod.conf.5", "todod-protocol.7"].map(ManualPage.init)

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(_ name: String) {
        url = Self.repository.appending(path: "docs/man/\(name)")
    }

    var text: String {
        get throws { try String(contentsOf: url, encoding: .utf8) }
    }

    /// Returns the text between the markers of a part.
    func part(_ name: String) throws -> (before: Substring, body: Substring, after: Substring)? {
        let text = try text
        guard let begin = text.range(of: ".\\\" BEGIN \(name)"),
            let end = text.range(of: ".\\\" END \(name)"),
            let start = text[begin.upperBound...].firstIndex(of: "\n")
        else { return nil }
        let body = text[text.index(after: start)..<end.lowerBound]
        return (text[..<body.startIndex], body, text[body.endIndex...])
    }
}

/// Conversion of text to the roff language of manual pages.
enum Roff {
    /// Returns text that readers copy. Each character is printed as on the keyboard.
    static func literal(_ text: some StringProtocol) -> String {
        let names: [Character: String] = [
            "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        ]
        return guarded(text.map { names[$0] ?? String($0) }.joined())
    }

    /// Returns prose with each sentence on its own line.
    static func prose(_ text: some StringProtocol) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).map { word in
            word.hasPrefix("-") || word.contains(where: { "\\'`^~".contains($0) })
                ? literal(word) : String(word)
        }
        var lines = [""]
        for word in words {
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
            if word.hasSuffix(".") && word.count > 2 { lines.append("") }
        }
        return lines.filter { !$0.isEmpty }.map(guarded).joined(separator: "\n")
    }

    /// Returns prose in which text between backticks is literal.
    static func proseWithLiterals(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        var lines: [String] = []
        var isOpen = false
        for (index, part) in parts.enumerated() where !part.isEmpty {
            guard index.isMultiple(of: 2) else {
                lines.append(".Ql \(isOpen ? "( " : "")\(literal(part))")
                continue
            }
            // Punctuation is an argument of the preceding macro.
            let mark = lines.isEmpty ? "" : part.prefix { ",;.)".contains($0) }
            if !mark.isEmpty { lines[lines.count - 1] += mark.map { " \($0)" }.joined() }
            isOpen = part.hasSuffix(" (")
            let text = prose(part.dropFirst(mark.count).dropLast(isOpen ? 1 : 0))
            if !text.isEmpty { lines.append(text) }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns an argument of a macro.
    static func argument(_ text: some StringProtocol) -> String {
        let escaped = literal(text).replacing("\"", with: "\\(dq")
        return text.contains(" ") || text.count < 3 ? "\"\(escaped)\"" : escaped
    }

    /// A line that begins with a dot or a quote would be a request, so it gets an escape.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
