/// Changes items, all of them or none. Omitted fields stay; an empty text removes the due time, the rule, the category, the
/// notes or the leads.
package enum UpdateItems: Method {
    package static let name = "UpdateItems"

    package struct Parameters: MessageBody {
        package var ids: [Int64] = []
        package var name: String?
        /// Typed text or RFC 3339.
        package var due: String?
        /// How it comes again: typed text such as `mon,wed`, or an RRULE of RFC 5545.
        package var every: String?
        /// The hours of the day in which a rule within the day repeats, such as `9:00-18:00`.
        package var between: String?
        /// Its next time is counted from when it is done, not from when it was due.
        package var afterDone: Bool?
        /// The IANA name of the zone in which `due` was typed, and whose clock an item that comes again keeps.
        package var timeZone: String?
        package var category: String?
        package var muted: Bool?
        package var notes: String?
        /// Lines that are added below the notes that an item has.
        package var appendNotes: String?
        package var priority: Int64?
        package var leads: String?
        /// Take a due time that lies in the past.
        package var past: Bool?
        /// Change the item only if it was last modified at this moment: `modifiedAt` as it was read. For one item only.
        package var ifModified: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("name", &name)
            try fields.field("due", &due)
            try fields.field("every", &every)
            try fields.field("between", &between)
            try fields.field("afterDone", &afterDone)
            try fields.field("timeZone", &timeZone)
            try fields.field("category", &category)
            try fields.field("muted", &muted)
            try fields.field("notes", &notes)
            try fields.field("appendNotes", &appendNotes)
            try fields.field("priority", &priority)
            try fields.field("leads", &leads)
            try fields.field("past", &past)
            try fields.field("ifModified", &ifModified)
        }
    }

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The reading of `due` that was chosen, as in `AddItem`.
        package var note: String?

        package init() {}

        package init(items: [Item], note: String?) {
            self.items = items
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("note", &note)
        }
    }
}
