package import CivilTime

/// Adds an item to the store.
package enum AddItem: Method {
    package static let name = "AddItem"

    package struct Parameters: MessageBody {
        package var name = ""
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
        package var priority: Int64?
        /// How long before the due time it is told: `1d, 1h, 5m`.
        package var leads: String?
        /// Take a due time that lies in the past.
        package var past: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
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

    package struct Reply: MessageBody {
        package var item = Item()
        /// The end of the name where that reads as a time or a rule, of an item without a due time.
        package var timeInName: String?
        /// The moment that it means, unless it is a rule or that is past.
        package var dueInName: Timestamp?
        /// The reading of `due` that was chosen and how to type the other one, where half of the people mean that one; or the
        /// reason why the end of the name, which looks like a time, is none.
        package var note: String?

        package init() {}

        package init(item: Item, timeInName: String?, dueInName: Timestamp?, note: String?) {
            self.item = item
            self.timeInName = timeInName
            self.dueInName = dueInName
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("item", &item)
            try fields.field("timeInName", &timeInName)
            try fields.field("dueInName", &dueInName)
            try fields.field("note", &note)
        }
    }
}
