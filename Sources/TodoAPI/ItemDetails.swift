/// What a client can say of a new item and of one that is changed. A change leaves omitted fields as they are.
package struct ItemDetails: Sendable {
    /// Typed text or RFC 3339.
    package var due: String?
    /// How the item repeats: typed text such as `mon,wed`, or an RRULE of RFC 5545.
    package var every: String?
    /// The hours of the day in which a rule within the day repeats, such as `9:00-18:00`.
    package var between: String?
    /// Whether the next time is counted from when the item is done, not from when it was due.
    package var afterDone: Bool?
    /// The IANA name of the zone in which `due` was typed, and whose clock a repeating item keeps.
    package var timeZone: String?
    package var category: String?
    package var muted: Bool?
    package var notes: String?
    package var priority: Int64?
    /// How long before the due time the alerts are sent: `1d, 1h, 5m`.
    package var leads: String?
    /// Whether a due time in the past is accepted.
    package var past: Bool?

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("due", &due)
        try fields.field("every", &every)
        try fields.field("between", &between)
        try fields.field("afterDone", &afterDone)
        try fields.field("timeZone", &timeZone)
        try fields.field("category", &category)
        try fields.field("muted", &muted)
        try fields.field("notes", &notes)
        try fields.field("priority", &priority)
        try fields.field("leads", &leads)
        try fields.field("past", &past)
    }
}
