package import CivilTime

/// An alert in the API.
package struct AlertNotice: NamedBody, Hashable {
    package static let varlinkType = "Alert"

    /// The kind of alert: `due-soon`, `missed`, `snoozed`, `overdue` or `reminder`.
    package var kind = ""
    package var id: Int64 = 0
    package var name = ""
    package var due: CalendarTime?

    package init() {}

    package init(kind: String, id: Int64, name: String, due: CalendarTime?) {
        self.kind = kind
        self.id = id
        self.name = name
        self.due = due
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("kind", &kind)
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("due", &due)
    }
}
