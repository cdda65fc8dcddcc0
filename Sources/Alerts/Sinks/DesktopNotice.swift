internal import TodoAPI

/// A notification about the daemon itself. There is at most one at a time.
package struct DesktopNotice: Hashable, Sendable {
    private static let linesLimit = 5
    private static let lineBytesLimit = 300
    private static let bodyBytesLimit = 1000

    package let summary: String
    /// Plain text without markup.
    package let body: String

    /// Creates a notice with a text in one line.
    package init(summary: String, text: String) {
        self.summary = summary
        body = text.oneLine(bytesLimit: Self.bodyBytesLimit)
    }

    /// Creates a notice with the first of these lines, and the number of the others.
    package init(summary: String, lines all: [String]) {
        var lines = all.prefix(Self.linesLimit).map { $0.oneLine(bytesLimit: Self.lineBytesLimit) }
        let more = all.count - lines.count
        if more > 0 { lines.append("and \(more) more") }
        self.summary = summary
        body = lines.joined(separator: "\n")
    }
}
