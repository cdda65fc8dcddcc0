package import CivilTime
internal import Dispatch
package import Reminders
internal import Synchronization
package import Systemd

/// Tells alerts in the journal; on standard error too when that is a terminal, and instead where there is no journal.
///
/// It has a queue of its own: a journald that is stopped blocks this queue and nothing else, and the alerts are told
/// when it goes on. Many at once, or those of a time of quiet, are summed up in one line after them.
package final class JournalSink: AlertSink {
    /// Where entries go; false says that there is no journal that takes them.
    package typealias Send = @Sendable (JournalEntry) -> Bool

    private let queue = DispatchQueue(label: "todod.alerts.journal")
    private let zone: LocalZone
    private let send: Send
    /// Prints a line where there is no journal; false says that it went nowhere.
    private let print: @Sendable (String) -> Bool
    /// Whether the last announcement could not be told, neither in the journal nor on standard error.
    private let isFailing = Atomic(false)

    package init(
        zone: LocalZone, send: @escaping Send = Journal.send,
        print: @escaping @Sendable (String) -> Bool = { StandardError.print($0) }
    ) {
        self.zone = zone
        self.send = send
        self.print = print
    }

    package func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
        queue.async { [self] in
            let zone = zone.current
            let alerts = announcement.alerts.filter {
                tell($0.journalEntry(now: announcement.moment, zone: zone))
            }
            isFailing.store(alerts.count < announcement.alerts.count, ordering: .relaxed)
            if let summary = AlertSummary(of: announcement) { tell(summary.journalEntry(zone: zone)) }
            told(alerts)
        }
    }

    package var condition: SinkState.Condition {
        if isFailing.load(ordering: .relaxed) { return .failing }
        return Journal.isPresent ? .ready : .absent
    }

    @discardableResult
    private func tell(_ entry: JournalEntry) -> Bool {
        let isInJournal = send(entry)
        guard !isInJournal || StandardError.isTerminal else { return true }
        return print("todod: \(entry.message)") || isInJournal
    }
}
