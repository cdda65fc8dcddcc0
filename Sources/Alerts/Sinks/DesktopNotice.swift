internal import ObjectStore
internal import TodoAPI

/// A notification about the daemon itself. There is at most one at a time.
package struct DesktopNotice: Hashable, Sendable {
    private static let linesLimit = 5
    private static let lineBytesLimit = 300
    private static let bodyBytesLimit = 1000

    let summary: String
    /// Plain text without markup.
    let body: String

    init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// Creates a notice about the wrong lines of the configuration, or returns `nil` if there are none.
    init?(ignored problems: [ConfigurationProblem]) {
        guard !problems.isEmpty else { return nil }
        let isOne = problems.count == 1
        self.init(
            summary: isOne
                ? "todod ignores a wrong setting" : "todod ignores \(problems.count) wrong settings",
            problems)
    }

    /// Creates a notice with the reasons why the daemon cannot start.
    init(stoppedBy problems: [ConfigurationProblem]) {
        self.init(summary: "todod cannot start and sends no alerts", problems)
    }

    /// Why the daemon cannot start, as it is in the journal.
    init(stoppedBy reason: String) {
        self.init(
            summary: "todod cannot start and sends no alerts",
            body: reason.oneLine(bytesLimit: Self.bodyBytesLimit))
    }

    /// Why the daemon has ended while it was in use. systemd starts it again if the store was replaced.
    init(endedBy loss: StoreError, _ text: String) {
        self.init(
            summary: loss.code == .replaced
                ? "The store of todod was replaced" : "todod has stopped and sends no alerts",
            body: text.oneLine(bytesLimit: Self.bodyBytesLimit))
    }

    private init(summary: String, _ problems: [ConfigurationProblem]) {
        var lines = problems.prefix(Self.linesLimit).map {
            $0.description.oneLine(bytesLimit: Self.lineBytesLimit)
        }
        let more = problems.count - lines.count
        if more > 0 { lines.append("and \(more) more") }
        self.init(summary: summary, body: lines.joined(separator: "\n"))
    }
}
