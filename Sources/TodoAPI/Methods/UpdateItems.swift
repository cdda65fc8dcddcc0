/// Changes items, all of them or none. Omitted fields stay; an empty text removes the due time, the rule, the category, the
/// notes or the leads.
package enum UpdateItems: Method {
    package static let name = "UpdateItems"

    @dynamicMemberLookup
    package struct Parameters: MessageBody {
        package var ids: [Int64] = []
        package var name: String?
        package var details = ItemDetails()
        /// Lines that are added below the notes that an item has.
        package var appendNotes: String?
        /// Change the item only if it was last modified at this moment: `modifiedAt` as it was read. For one item only.
        package var ifModified: String?
        /// Make this a part of the change that added the item, if that is the last change: one undo takes both back.
        package var asPartOfAdd: Bool?

        package init() {}

        package subscript<Value>(dynamicMember field: WritableKeyPath<ItemDetails, Value>) -> Value {
            get { details[keyPath: field] }
            set { details[keyPath: field] = newValue }
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("name", &name)
            try details.code(&fields)
            try fields.field("appendNotes", &appendNotes)
            try fields.field("ifModified", &ifModified)
            try fields.field("asPartOfAdd", &asPartOfAdd)
        }
    }

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The ids of the items that were as they were to be already; `nil` if there are none.
        package var unchanged: [Int64]?
        /// The reading of a time that was chosen, as in `AddItem`.
        package var note: String?

        package init() {}

        package init(_ changes: ItemChanges, note: String?) {
            items = changes.items
            unchanged = changes.unchanged
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("unchanged", &unchanged)
            try fields.field("note", &note)
        }
    }
}
