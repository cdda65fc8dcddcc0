/// A category in the API.
package struct CategorySummary: NamedBody, Hashable {
    package static let varlinkType = "Category"

    package var id: Int64 = 0
    package var name = ""
    /// Whether no alerts are sent for the items of the category.
    package var muted = false
    package var items: Int64 = 0
    package var open: Int64 = 0

    package init() {}

    package init(id: Int64, name: String, muted: Bool, items: Int64, open: Int64) {
        self.id = id
        self.name = name
        self.muted = muted
        self.items = items
        self.open = open
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("muted", &muted)
        try fields.field("items", &items)
        try fields.field("open", &open)
    }
}
