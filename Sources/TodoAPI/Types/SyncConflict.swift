package import CivilTime

/// A change that lost against another one of the same property.
package struct SyncConflict: NamedBody, Hashable {
    package static let varlinkType = "SyncConflict"

    package var id: Int64 = 0
    package var item: Int64?
    package var name: String = ""
    package var list: String = ""
    package var account: String = ""
    package var at: Timestamp?
    /// The names of the properties, as in iCalendar.
    package var properties: [String] = []
    /// The lines that lost, in iCalendar.
    package var text: String = ""

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("item", &item)
        try fields.field("name", &name)
        try fields.field("list", &list)
        try fields.field("account", &account)
        try fields.field("at", &at)
        try fields.field("properties", &properties)
        try fields.field("text", &text)
    }
}
