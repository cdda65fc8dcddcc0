internal import CivilTime
internal import Reminders
internal import TodoAPI

/// The record of the alerts of an item: the due time for which one was sent, and the next alert time.
///
/// An item with this record is imported unchanged, so that no alert is sent twice and none is lost.
struct ExportedAlertState: NamedBody, Hashable {
    static let varlinkType = "ExportedAlertState"

    /// An alert at one of the item's own lead times that was sent, or is no longer needed.
    struct Lead: NamedBody, Hashable {
        static let varlinkType = "ExportedLead"

        var lead: Int64 = 0
        var due: Timestamp?

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("lead", &lead)
            try fields.exactField("due", &due)
        }
    }

    /// An alert in addition to those of the lead times that was sent, or is no longer needed.
    struct Alert: NamedBody, Hashable {
        static let varlinkType = "ExportedAlert"

        /// The time of the alert, as in `alerts` of the item.
        var alert = ""
        /// The start for which it was sent or, for an alert at a moment, that moment.
        var at: Timestamp?

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("alert", &alert)
            try fields.exactField("at", &at)
        }
    }

    /// The latest alert time, by the default lead times, that was sent. An older todod wrote the due time.
    var due: Timestamp?
    /// The item's own lead times at which alerts were sent, the longest first.
    var leads: [Lead] = []
    /// The other alerts that were sent, in order.
    var alerts: [Alert] = []
    /// The next alert time.
    var next: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.exactField("due", &due)
        var sent = leads.isEmpty ? nil : Optional(leads)
        try fields.field("leads", &sent)
        leads = sent ?? []
        var others = alerts.isEmpty ? nil : Optional(alerts)
        try fields.field("alerts", &others)
        alerts = others ?? []
        try fields.exactField("next", &next)
    }

    /// Returns the due time for which the alert at one of the item's own lead times was sent.
    func due(ofLead lead: Int64) -> Timestamp? {
        leads.first { $0.lead == lead }?.due
    }

    /// Returns the time for which the alert of an alarm was sent.
    func record(of time: AlarmTime) -> Timestamp? {
        switch time {
        case .beforeDue(let seconds): due(ofLead: Int64(seconds))
        case .beforeStart, .moment: alerts.first { $0.alert == time.text }?.at
        }
    }

    /// Adds the record of another state of the item.
    ///
    /// An alert for `present`, the due time, counts as sent if it is in either record.
    mutating func add(_ other: ExportedAlertState, present: Timestamp?) {
        due = Self.later(due, other.due, present: present)
        for lead in other.leads {
            let due = Self.later(due(ofLead: lead.lead), lead.due, present: present)
            leads.removeAll { $0.lead == lead.lead }
            leads.append(Lead(lead: lead.lead, due: due))
        }
        leads.sort { $0.lead > $1.lead }
        for alert in other.alerts {
            guard let index = alerts.firstIndex(where: { $0.alert == alert.alert }) else {
                alerts.append(alert)
                continue
            }
            alerts[index].at = [alerts[index].at, alert.at].compactMap(\.self).max()
        }
        alerts.sort { $0.alert < $1.alert }
    }

    private static func later(
        _ first: Timestamp?, _ second: Timestamp?, present: Timestamp?
    ) -> Timestamp? {
        guard let first, let second else { return first ?? second }
        return [first, second].filter { moment in present.map { moment <= $0 } ?? true }.max()
            ?? max(first, second)
    }
}
