internal import Dispatch
internal import Platform
package import Systemd
internal import TodoAPI

/// The log of the daemon: the journal if systemd runs the daemon, otherwise standard error.
///
/// Entries are written on a queue of their own, because a stopped journald blocks the writer.
package final class Log: Sendable {
    /// The longest time for which a journal that does not answer delays the end of the process.
    static let flushSeconds = 2.0

    private let queue = DispatchQueue(label: "todod.log")
    /// Sends an entry, or returns false if it belongs on standard error.
    private let send: @Sendable (JournalEntry) -> Bool

    package init(usesJournal: Bool = Journal.receivesStandardError) {
        send = { usesJournal && Journal.send($0) }
    }

    /// Creates a log that sends its entries elsewhere.
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

    /// Waits until everything is written, or until the time limit.
    package func flush() {
        let group = DispatchGroup()
        queue.async(group: group) {}
        _ = group.wait(timeout: .now() + Self.flushSeconds)
    }
}

/// The standard error stream, unbuffered.
package enum StandardError {
    package static var isTerminal: Bool { StandardStream.error.isTerminal }

    /// Writes a line, and returns whether all of it was written.
    @discardableResult
    package static func print(_ line: String) -> Bool {
        StandardStream.error.writeOnce(line + "\n")
    }
}
