package import CivilTime
internal import Dispatch
package import Reminders
internal import Systemd

/// Tells alerts in the journal; on standard error too when that is a terminal, and instead where there is no journal.
///
/// It has a queue of its own: a journald that is stopped blocks this queue and nothing else, and the alerts are told
/// when it goes on.
package final class JournalSink: AlertSink {
    private let queue = DispatchQueue(label: "todod.alerts")
    private let zone: LocalZone

    package init(zone: LocalZone) {
        self.zone = zone
    }

    package func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
        queue.async { [zone] in
            told(
                announcement.alerts.filter {
                    Self.tell($0.journalEntry(now: announcement.moment, zone: zone.current))
                })
        }
    }

    private static func tell(_ entry: JournalEntry) -> Bool {
        let isInJournal = Journal.send(entry)
        guard !isInJournal || StandardError.isTerminal else { return true }
        return StandardError.print("todod: \(entry.message)") || isInJournal
    }
}
