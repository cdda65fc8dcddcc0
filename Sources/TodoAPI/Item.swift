package import CivilTime

/// A to-do item as the API shows it.
package struct Item: NamedBody, Hashable, Sendable {
    package static let typeName = "Item"

    package var id: Int64
    package var name: String
    package var due: Timestamp?
    package var completed: Bool
    package var muted: Bool
    package var category: String?
    package var lastAlert: Timestamp?

    package init(
        id: Int64, name: String, due: Timestamp?, completed: Bool, muted: Bool, category: String?,
        lastAlert: Timestamp?
    ) {
        self.id = id
        self.name = name
        self.due = due
        self.completed = completed
        self.muted = muted
        self.category = category
        self.lastAlert = lastAlert
    }

    package init(from fields: FieldReader) throws(FieldError) {
        id = try fields.integer("id")
        name = try fields.string("name")
        due = try fields.optionalMoment("due")
        completed = try fields.boolean("completed")
        muted = try fields.boolean("muted")
        category = try fields.optionalString("category")
        lastAlert = try fields.optionalMoment("lastAlert")
    }

    package func write(to object: inout FieldWriter) {
        object.integer("id", id)
        object.string("name", name)
        object.moment("due", due)
        object.boolean("completed", completed)
        object.boolean("muted", muted)
        object.string("category", category)
        object.moment("lastAlert", lastAlert)
    }
}

/// The items that a method speaks of.
package struct ItemList: MessageBody {
    package var items: [Item]

    package init(items: [Item]) { self.items = items }

    package init(from fields: FieldReader) throws(FieldError) {
        items = try fields.bodies("items", of: Item.self)
    }

    package func write(to object: inout FieldWriter) {
        object.bodies("items", items)
    }
}

/// The items that a method is to act on.
package struct ItemIDs: MessageBody {
    package var ids: [Int64]

    package init(ids: [Int64]) { self.ids = ids }

    package init(from fields: FieldReader) throws(FieldError) {
        ids = try fields.integers("ids")
    }

    package func write(to object: inout FieldWriter) {
        object.integers("ids", ids)
    }
}
