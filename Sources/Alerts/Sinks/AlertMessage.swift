package import CivilTime
package import Reminders
package import Systemd
internal import TodoAPI

extension Alert {
    /// The limit at which a MESSAGE is truncated. TODO_NAME is never truncated.
    static let messageBytesLimit = 1_024
    /// The lowest high priority. As in iCalendar, 1 is the highest priority, and 6 to 9 are low.
    private static let lowestHighPriority: Int16 = 4

    var hasHighPriority: Bool { priority > 0 && priority <= Self.lowestHighPriority }
    var hasLowPriority: Bool { priority > 5 }

    /// Returns the alert in one line, even if the name has line breaks.
    ///
    /// An example is `Pay the rent is due in 5 min (Sat 21 Nov 09:00)`.
    package func message(now: Timestamp, zone: TimeZoneRules) -> String {
        let time = dueInWords(now: now, zone: zone)?.sentence
        let rest: String =
            switch (kind, time) {
            case (.dueSoon, let time?): " \(time)"
            case (.dueSoon, nil): " is due"
            case (.missed, let time?): " was missed: it \(time)"
            case (.missed, nil): " was missed"
            case (.snoozed, let time?): ", snoozed until now, \(time)"
            case (.snoozed, nil): " was snoozed until now"
            case (.overdue, let time?): " is overdue: it \(time)"
            case (.overdue, nil): " is overdue"
            case (.reminder, let time?): " (reminder) \(time)"
            case (.reminder, nil): " (reminder)"
            }
        return name.oneLine(bytesLimit: Self.messageBytesLimit - rest.utf8.count) + rest
    }

    /// A due time in words.
    struct DueInWords {
        let isPast: Bool
        /// Such as `due in 5 min (Sat 21 Nov 09:00)` or `due 2 h ago (Sat 21 Nov 07:00)`.
        fileprivate let text: String

        /// A text after a subject, such as `is due in 5 min (…)` or `was due 2 h ago (…)`.
        var sentence: String { (isPast ? "was " : "is ") + text }
        /// A text without a subject, such as `due in 5 min (…)` or `was due 2 h ago (…)`.
        var headline: String { (isPast ? "was " : "") + text }
    }

    /// Returns the due time in words, or `nil` without a due time.
    func dueInWords(now: Timestamp, zone: TimeZoneRules) -> DueInWords? {
        dueTime.map { due in
            let words = TimeInWords(now: now, zone: zone)
            // The entry may be read on another day, so it includes the date.
            return DueInWords(
                isPast: words.direction(of: due) == .past,
                text: "due \(words.distance(to: due)) (\(words.lastingMoment(due)))")
        }
    }

    /// Returns the alert as names and exact values, for the journal and for the variables of a command.
    func fields(zone: TimeZoneRules) -> [(name: String, value: String)] {
        var fields = [
            (name: AlertEntry.kind, value: kind.rawValue), (name: AlertEntry.itemID, value: String(itemID)),
            (name: AlertEntry.uid, value: uid), (name: AlertEntry.name, value: name),
        ]
        if let due = dueTime?.text(in: zone) {
            fields.append((name: AlertEntry.due, value: due))
        }
        if let category { fields.append((name: AlertEntry.category, value: category)) }
        if priority > 0 { fields.append((name: AlertEntry.priority, value: String(priority))) }
        return fields
    }

    /// Returns the entry for the journal.
    package func journalEntry(now: Timestamp, zone: TimeZoneRules) -> JournalEntry {
        JournalEntry(
            message(now: now, zone: zone), id: kind.messageID, priority: journalPriority,
            fields: fields(zone: zone))
    }

    /// Late alerts and alerts of high priority are warnings, so that they are highlighted.
    private var journalPriority: Priority {
        switch kind {
        case .dueSoon, .snoozed, .reminder: hasHighPriority ? .warning : .notice
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
        case .reminder: .reminderAlert
        }
    }
}
