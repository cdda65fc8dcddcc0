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
    /// False says that the entry belongs on standard error.
    private let send: @Sendable (JournalEntry) -> Bool

    package init(usesJournal: Bool = Journal.receivesStandardError) {
        send = { usesJournal && Journal.send($0) }
    }

    /// A log whose entries go elsewhere.
    package init(to send: @escaping @Sendable (JournalEntry) -> Bool) {
        self.send = send
    }

    package func write(
        _ priority: Priority, _ message: String, id: MessageID? = nil,
        fields: [(name: String, value: String)] = []
    ) {
        let entry = JournalEntry(message.oneLine(), id: id, priority: priority, fields: fields)
        queue.async { [send] in
            if !send(entry) { StandardError.print("todod: \(entry.message)") }
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
