/// The properties of an item that a client can set. A change leaves omitted properties unchanged.
package struct ItemDetails: Sendable {
    /// The due time, as typed text or in RFC 3339 form.
    package var due: String?
    /// The repetition, as typed text such as `mon,wed` or as an RRULE of RFC 5545.
    package var every: String?
    /// The hours of the day in which a rule finer than daily repeats, such as `9:00-18:00`.
    package var between: String?
    /// Whether the next occurrence is counted from when the item is done, instead of from its due time.
    package var afterDone: Bool?
    /// The IANA name of the time zone in which `due` was typed and in which a repeating item repeats.
    package var timeZone: String?
    package var category: String?
    package var muted: Bool?
    package var notes: String?
    package var priority: Int64?
    /// The lead times of the alerts, such as `1d, 1h, 5m`.
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
