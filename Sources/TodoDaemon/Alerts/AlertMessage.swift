package import CivilTime
package import Reminders
package import Systemd
internal import TodoAPI

extension Alert {
    /// A MESSAGE is cut here; TODO_NAME is always whole.
    static let messageBytesLimit = 1_024

    /// `Pay the rent is due in 5 min (today 09:00)`, one line whatever the name holds.
    package func message(now: Timestamp, zone: TimeZoneRules) -> String {
        let words = TimeInWords(now: now, zone: zone)
        let time = due.map { " is due \(words.distance(to: $0)) (\(words.moment($0)))" } ?? ""
        return name.oneLine(bytesLimit: Self.messageBytesLimit - time.utf8.count) + time
    }

    /// What the journal is given.
    package func journalEntry(now: Timestamp, zone: TimeZoneRules) -> JournalEntry {
        var fields = [
            (name: "TODO_ALERT", value: kind.rawValue), (name: "TODO_ID", value: String(itemID)),
            (name: "TODO_UID", value: uid), (name: "TODO_NAME", value: name),
        ]
        if let due = due.flatMap({ RFC3339.text($0, in: zone) }) {
            fields.append((name: "TODO_DUE", value: due))
        }
        if let category { fields.append((name: "TODO_CATEGORY", value: category)) }
        return JournalEntry(message(now: now, zone: zone), id: .alert, priority: .notice, fields: fields)
    }
}
