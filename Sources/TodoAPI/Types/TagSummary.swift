/// A tag in the API.
package struct TagSummary: NamedBody, Hashable {
    package static let varlinkType = "Tag"

    package var id: Int64 = 0
    package var name = ""
    package var items: Int64 = 0
    package var open: Int64 = 0

    package init() {}

    package init(id: Int64, name: String, items: Int64, open: Int64) {
        self.id = id
        self.name = name
        self.items = items
        self.open = open
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("items", &items)
        try fields.field("open", &open)
    }
}
