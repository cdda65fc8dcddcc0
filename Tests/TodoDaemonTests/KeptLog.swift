import Systemd
import TestBus

@testable import Alerts

/// A log with lines that a test reads.
final class KeptLog: Sendable {
    private let lines = Mailbox<String>()
    let log: Log

    init() {
        log = Log(to: { [lines] entry in
            lines.put(entry.message)
            return true
        })
    }

    /// Waits for the next line and returns it.
    func next() throws -> String { try lines.next() }

    /// Whether all lines logged so far have been read. The log writes on its own queue, so this waits for it.
    var isEmpty: Bool {
        log.flush()
        return lines.isEmpty
    }
}
