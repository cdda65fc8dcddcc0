internal import CivilTime
internal import TodoAPI

/// What the daemon has noted of an item: for which due time it was told, and when it is told next.
///
/// An item that comes with this is taken in as it was, so that nobody is told twice and nothing is forgotten.
struct ExportedTelling: NamedBody, Hashable {
    static let varlinkType = "ExportedTelling"

    /// One alert before the due time that was given, or is not wanted any more.
    struct Lead: NamedBody, Hashable {
        static let varlinkType = "ExportedLead"

        var lead: Int64 = 0
        var due: Timestamp?

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("lead", &lead)
            try fields.exactField("due", &due)
        }
    }

    /// The latest alert time, by the default lead times, that was sent. An older todod wrote the due time.
    var due: Timestamp?
    /// Those of the item's own leads that were told, the first first.
    var leads: [Lead] = []
    /// When it is told next.
    var next: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.exactField("due", &due)
        var told = leads.isEmpty ? nil : Optional(leads)
        try fields.field("leads", &told)
        leads = told ?? []
        try fields.exactField("next", &next)
    }

    /// The due time for which one of the item's own leads was told.
    func due(ofLead lead: Int64) -> Timestamp? {
        leads.first { $0.lead == lead }?.due
    }

    /// Adds what another state of the item knows: what either has told of `present`, the due time, is told.
    mutating func add(_ other: ExportedTelling, present: Timestamp?) {
        due = Self.later(due, other.due, present)
        for lead in other.leads {
            let due = Self.later(due(ofLead: lead.lead), lead.due, present)
            leads.removeAll { $0.lead == lead.lead }
            leads.append(Lead(lead: lead.lead, due: due))
        }
        leads.sort { $0.lead > $1.lead }
    }

    private static func later(
        _ first: Timestamp?, _ second: Timestamp?, _ present: Timestamp?
    ) -> Timestamp? {
        guard let first, let second else { return first ?? second }
        return [first, second].filter { moment in present.map { moment <= $0 } ?? true }.max()
            ?? max(first, second)
    }
}
