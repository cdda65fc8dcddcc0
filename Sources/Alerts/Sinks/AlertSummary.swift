internal import CivilTime
internal import Reminders
internal import Systemd
internal import TodoAPI

/// A summary of many alerts in one line.
struct AlertSummary: Sendable {
    /// The largest number of alerts in a batch for which the journal needs no summary.
    static let alertsLimit = 10
    private static let namesLimit = 3
    private static let nameBytesLimit = 200

    private let batch: AlertBatch

    /// Creates a summary, or returns `nil` if the alerts are few and none was delayed.
    init?(of batch: AlertBatch) {
        let isLong = batch.alerts.count > Self.alertsLimit
        guard isLong || batch.delayedSince != nil, !batch.alerts.isEmpty else { return nil }
        self.batch = batch
    }

    /// Returns the summary, which names the items that are due first.
    ///
    /// An example is `12 alerts: Pay the rent, Buy milk, Call grandmother and 9 more`.
    func message(zone: TimeZoneRules) -> String {
        Self.headline(batch, zone: zone) + ": " + names
    }

    /// Returns `12 alerts`, or `12 alerts held back since Sat 21 Nov 22:00`.
    static func headline(_ batch: AlertBatch, zone: TimeZoneRules) -> String {
        let count = batch.alerts.count
        let title = count == 1 ? "1 alert" : "\(count) alerts"
        guard let since = batch.delayedSince else { return title }
        let words = TimeInWords(now: batch.moment, zone: zone)
        return "\(title) held back since \(words.lastingMoment(since))"
    }

    private var names: String {
        let shown = batch.alerts.prefix(Self.namesLimit)
        let more = batch.alerts.count - shown.count
        let names = shown.map { $0.name.oneLine(bytesLimit: Self.nameBytesLimit) }.joined(separator: ", ")
        return more > 0 ? "\(names) and \(more) more" : names
    }

    func journalEntry(zone: TimeZoneRules) -> JournalEntry {
        var fields = [
            (name: AlertEntry.kind, value: "summary"),
            (name: "TODO_COUNT", value: String(batch.alerts.count)),
        ]
        if let since = batch.delayedSince.flatMap({ RFC3339.text($0, in: zone) }) {
            fields.append((name: "TODO_HELD_SINCE", value: since))
        }
        return JournalEntry(message(zone: zone), id: .alertSummary, priority: .notice, fields: fields)
    }
}
