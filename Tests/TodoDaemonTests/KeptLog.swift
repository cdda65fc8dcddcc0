import Systemd
import TestBus

@testable import TodoDaemon

/// A log whose lines a test reads.
final class KeptLog: Sendable {
    private let lines = Mailbox<String>()
    let log: Log

    init() {
        log = Log(to: { [lines] entry in
            lines.put(entry.message)
            return true
        })
    }

    /// The next line, for which it waits.
    func next() throws -> String { try lines.next() }

    /// Whether there is no line more than were taken out, of all that was logged until now: the log has a queue of its own.
    var isEmpty: Bool {
        log.flush()
        return lines.isEmpty
    }
}
