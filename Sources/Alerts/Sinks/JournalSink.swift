package import CivilTime
internal import Dispatch
package import Reminders
internal import Synchronization
package import Systemd

/// Writes alerts to the journal.
///
/// It also writes them to standard error if that is a terminal or if there is no journal. It has its own queue: a
/// journald that is stopped blocks only this queue, and the alerts are written when it continues. A summary follows a
/// long batch or the alerts of a quiet period.
package final class JournalSink: AlertSink {
    /// Sends an entry to the journal, and returns false if there is no journal.
    package typealias Send = @Sendable (JournalEntry) -> Bool

    private let queue = DispatchQueue(label: "todod.alerts.journal")
    private let zone: LocalZone
    private let send: Send
    /// Prints a line to standard error, and returns false if that fails.
    private let print: @Sendable (String) -> Bool
    /// Whether an alert of the last batch could be written neither to the journal nor to standard error.
    private let isFailing = Atomic(false)

    package init(
        zone: LocalZone, send: @escaping Send = Journal.send,
        print: @escaping @Sendable (String) -> Bool = { StandardError.print($0) }
    ) {
        self.zone = zone
        self.send = send
        self.print = print
    }

    package func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        queue.async { [self] in
            let zone = zone.current
            let alerts = batch.alerts.filter {
                write($0.journalEntry(now: batch.moment, zone: zone))
            }
            isFailing.store(alerts.count < batch.alerts.count, ordering: .relaxed)
            if let summary = AlertSummary(of: batch) { write(summary.journalEntry(zone: zone)) }
            delivered(alerts)
        }
    }

    package var condition: SinkState.Condition {
        if isFailing.load(ordering: .relaxed) { return .failing }
        return Journal.isPresent ? .ready : .absent
    }

    @discardableResult
    private func write(_ entry: JournalEntry) -> Bool {
        let isInJournal = send(entry)
        guard !isInJournal || StandardError.isTerminal else { return true }
        return print("todod: \(entry.message)") || isInJournal
    }
}
