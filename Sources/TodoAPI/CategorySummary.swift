/// A category as the API shows it.
package struct CategorySummary: NamedBody, Hashable, Sendable {
    package static let typeName = "Category"

    package var id: Int64
    package var name: String
    package var items: Int64
    package var open: Int64

    package init(id: Int64, name: String, items: Int64, open: Int64) {
        self.id = id
        self.name = name
        self.items = items
        self.open = open
    }

    package init(from fields: FieldReader) throws(FieldError) {
        id = try fields.integer("id")
        name = try fields.string("name")
        items = try fields.integer("items")
        open = try fields.integer("open")
    }

    package func write(to object: inout FieldWriter) {
        object.integer("id", id)
        object.string("name", name)
        object.integer("items", items)
        object.integer("open", open)
    }
}
