package import CivilTime

/// A to-do item as the API shows it.
package struct Item: NamedBody, Hashable {
    package static let varlinkType = "Item"

    package var id: Int64 = 0
    package var name = ""
    package var due: Timestamp?
    package var completed = false
    package var muted = false
    package var category: String?
    package var lastAlert: Timestamp?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("due", &due)
        try fields.field("completed", &completed)
        try fields.field("muted", &muted)
        try fields.field("category", &category)
        try fields.field("lastAlert", &lastAlert)
    }
}

/// The items that a method speaks of.
package struct ItemList: MessageBody {
    package var items: [Item] = []

    package init() {}

    package init(items: [Item]) { self.items = items }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
    }
}

/// The items that a method is to act on.
package struct ItemIDs: MessageBody {
    package var ids: [Int64] = []

    package init() {}

    package init(ids: [Int64]) { self.ids = ids }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("ids", &ids)
    }
}
