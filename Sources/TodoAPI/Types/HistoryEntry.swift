package import CivilTime

/// A completion of an item, or of an occurrence of a repeating item that was done or skipped, in the API.
package struct HistoryEntry: NamedBody, Hashable {
    package static let varlinkType = "HistoryEntry"

    package var id: Int64 = 0
    package var uid = ""
    package var name = ""
    package var category: String?
    /// The time of the completion.
    package var at = Timestamp(secondsSince1970: 0)
    /// The due time of the occurrence or the item.
    package var due: CalendarTime?
    /// True if the occurrence was skipped, or `nil` if it was done.
    package var skipped: Bool?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.field("category", &category)
        try fields.field("at", &at)
        try fields.field("due", &due)
        try fields.field("skipped", &skipped)
    }
}
