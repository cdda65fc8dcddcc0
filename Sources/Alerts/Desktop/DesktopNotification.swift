internal import CivilTime
internal import Reminders
internal import Systemd
internal import TodoAPI

/// A notification on the desktop: its text, and the items that it is about.
struct DesktopNotification: Hashable {
    /// The urgency, with the values of the notification protocol.
    enum Urgency: UInt8, Comparable {
        case low
        case normal
        /// Servers show it until the user closes it, even in their do-not-disturb mode.
        case critical

        static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// The largest batch that gets one notification for each alert. A larger one gets a single notification.
    static let singleNotificationsLimit = 3
    private static let linesLimit = 5
    private static let nameBytesLimit = 200

    let summary: String
    /// Plain text. Markup characters are escaped later if the server interprets markup.
    let body: String
    let urgency: Urgency
    let icon: String
    let itemIDs: Set<Int64>
    /// Whether it is about one item, so that it can offer actions.
    let isAboutOneItem: Bool

    // MARK: - Content

    /// Returns a notification for each alert, or one for all if they are many or were delayed together.
    static func all(for batch: AlertBatch, zone: TimeZoneRules) -> [DesktopNotification] {
        let count = batch.alerts.count
        guard count > singleNotificationsLimit || (count > 1 && batch.delayedSince != nil) else {
            return batch.alerts.map { DesktopNotification($0, now: batch.moment, zone: zone) }
        }
        return [DesktopNotification(all: batch, zone: zone)]
    }

    init(_ alert: Alert, now: Timestamp, zone: TimeZoneRules) {
        summary = alert.name.oneLine(bytesLimit: Self.nameBytesLimit)
        let category = alert.category.map { "\n\($0.oneLine(bytesLimit: Self.nameBytesLimit))" } ?? ""
        body = Self.sentence(alert, now: now, zone: zone) + category
        urgency = Self.urgency(alert)
        icon = alert.kind == .missed || alert.kind == .overdue ? "appointment-missed" : "appointment-soon"
        itemIDs = [alert.itemID]
        isAboutOneItem = true
    }

    private init(all batch: AlertBatch, zone: TimeZoneRules) {
        summary = AlertSummary.headline(batch, zone: zone)
        var lines = batch.alerts.prefix(Self.linesLimit).map { alert in
            let name = alert.name.oneLine(bytesLimit: Self.nameBytesLimit)
            let time = Self.sentence(alert, now: batch.moment, zone: zone)
            return "\(name): \(time.prefix(1).lowercased())\(time.dropFirst())"
        }
        let more = batch.alerts.count - lines.count
        if more > 0 { lines.append("and \(more) more") }
        body = lines.joined(separator: "\n")
        urgency = batch.alerts.map(Self.urgency).max() ?? .normal
        icon = "appointment-soon"
        itemIDs = Set(batch.alerts.map(\.itemID))
        isAboutOneItem = false
    }

    /// Returns `Due in 5 min (Fri 20 Nov 17:05)` or `Missed: was due 2 h ago (Fri 20 Nov 15:00)`.
    private static func sentence(_ alert: Alert, now: Timestamp, zone: TimeZoneRules) -> String {
        let time = alert.dueInWords(now: now, zone: zone)?.headline
        let rest = time.map { ": \($0)" } ?? ""
        switch alert.kind {
        case .dueSoon: return (time ?? "due").capitalisedFirst
        case .missed: return "Missed\(rest)"
        case .snoozed: return "Snoozed until now\(rest)"
        case .overdue: return "Overdue\(rest)"
        case .reminder: return "Reminder\(rest)"
        }
    }

    /// Only a high priority of the item makes a notification stay. A late alert has at least normal urgency.
    private static func urgency(_ alert: Alert) -> Urgency {
        if alert.hasHighPriority { return .critical }
        let isLate = alert.kind == .missed || alert.kind == .overdue
        return alert.hasLowPriority && !isLate ? .low : .normal
    }

    init(_ notice: DesktopNotice) {
        summary = notice.summary
        body = notice.body
        urgency = .normal
        icon = "dialog-warning"
        itemIDs = []
        isAboutOneItem = false
    }

    // MARK: - The Notify call

    /// Returns the arguments of `Notify`.
    ///
    /// - Parameters:
    ///   - replacing: the number of the notification to replace, or 0.
    ///   - capabilities: the capabilities that the server reports.
    func arguments(replacing: UInt32, capabilities: Set<String>) -> [BusValue] {
        let isOffering = isAboutOneItem && capabilities.contains("actions")
        let actions = isOffering ? AlertAction.offered.flatMap { [$0.key, $0.label] } : []
        return [
            .string("todod"), .uint32(replacing), .string(icon), .string(summary),
            .string(capabilities.contains("body-markup") ? Self.escaped(body) : body),
            .strings(actions),
            .dictionary([
                ("urgency", .byte(urgency.rawValue)), ("desktop-entry", .string("todod")),
            ]),
            // The server chooses how long the notification is shown.
            .int32(-1),
        ]
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
