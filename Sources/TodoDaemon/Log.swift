internal import Dispatch
internal import Glibc
package import Systemd
internal import TodoAPI

/// Where the daemon says what it does: the journal when systemd runs it, else standard error.
///
/// Written from a queue of its own, because a stopped journald blocks whoever writes to it.
package final class Log: Sendable {
    /// A journal that does not answer holds up the end of the process no longer than this.
    static let flushSeconds = 2.0

    private let queue = DispatchQueue(label: "todod.log")
    private let usesJournal: Bool

    package init(usesJournal: Bool = Journal.receivesStandardError) {
        self.usesJournal = usesJournal
    }

    package func write(
        _ priority: Priority, _ message: String, id: MessageID? = nil,
        fields: [(name: String, value: String)] = []
    ) {
        let entry = JournalEntry(message.oneLine(), id: id, priority: priority, fields: fields)
        let usesJournal = usesJournal
        queue.async {
            if !usesJournal || !Journal.send(entry) { StandardError.print("todod: \(entry.message)") }
        }
    }

    /// Waits until all was written, or until that took too long.
    package func flush() {
        let group = DispatchGroup()
        queue.async(group: group) {}
        _ = group.wait(timeout: .now() + Self.flushSeconds)
    }
}

/// The standard error stream, unbuffered.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes one line, and says whether it went out whole.
    @discardableResult
    static func print(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        return bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) } == bytes.count
    }
}
