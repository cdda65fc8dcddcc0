package import CivilTime
package import Reminders
package import Systemd
internal import TodoAPI

extension Alert {
    /// A MESSAGE is cut here; TODO_NAME is always whole.
    static let messageBytesLimit = 1_024
    /// From 1 to this a priority is high, as calendars count it; above 5 it is low.
    private static let lowestHighPriority: Int16 = 4

    package var hasHighPriority: Bool { priority > 0 && priority <= Self.lowestHighPriority }
    package var hasLowPriority: Bool { priority > 5 }

    /// `Pay the rent is due in 5 min (Sat 21 Nov 09:00)`, one line whatever the name holds.
    package func message(now: Timestamp, zone: TimeZoneRules) -> String {
        let time = timeInWords(now: now, zone: zone)
        let rest: String =
            switch (kind, time) {
            case (.dueSoon, let time?): " \(time)"
            case (.dueSoon, nil): " is due"
            case (.missed, let time?): " was missed: it \(time)"
            case (.missed, nil): " was missed"
            case (.snoozed, let time?): ", put off until now, \(time)"
            case (.snoozed, nil): " was put off until now"
            case (.overdue, let time?): " is overdue: it \(time)"
            case (.overdue, nil): " is overdue"
            }
        return name.oneLine(bytesLimit: Self.messageBytesLimit - rest.utf8.count) + rest
    }

    /// `is due in 5 min (Sat 21 Nov 09:00)`, `was due 2 h ago (Sat 21 Nov 07:00)`; nil without a due date.
    func timeInWords(now: Timestamp, zone: TimeZoneRules) -> String? {
        due.map { due in
            let words = TimeInWords(now: now, zone: zone)
            let distance = words.distance(to: due)
            let verb = distance.hasSuffix("ago") ? "was" : "is"
            // The entry is read on other days too.
            return "\(verb) due \(distance) (\(words.lastingMoment(due)))"
        }
    }

    /// The alert as names and values, as exact as it came: what the journal and a command are given.
    func fields(zone: TimeZoneRules) -> [(name: String, value: String)] {
        var fields = [
            (name: AlertEntry.kind, value: kind.rawValue), (name: AlertEntry.itemID, value: String(itemID)),
            (name: AlertEntry.uid, value: uid), (name: AlertEntry.name, value: name),
        ]
        if let due = due.flatMap({ RFC3339.text($0, in: zone) }) {
            fields.append((name: AlertEntry.due, value: due))
        }
        if let category { fields.append((name: AlertEntry.category, value: category)) }
        if priority > 0 { fields.append((name: AlertEntry.priority, value: String(priority))) }
        return fields
    }

    /// What the journal is given.
    package func journalEntry(now: Timestamp, zone: TimeZoneRules) -> JournalEntry {
        JournalEntry(
            message(now: now, zone: zone), id: kind.messageID, priority: journalPriority,
            fields: fields(zone: zone))
    }

    /// What is late or matters much stands out.
    private var journalPriority: Priority {
        switch kind {
        case .dueSoon, .snoozed: hasHighPriority ? .warning : .notice
        case .missed, .overdue: .warning
        }
    }
}

extension Alert.Kind {
    var messageID: MessageID {
        switch self {
        case .dueSoon: .alert
        case .missed: .missedAlert
        case .snoozed: .snoozedAlert
        case .overdue: .overdueAlert
        }
    }
}
