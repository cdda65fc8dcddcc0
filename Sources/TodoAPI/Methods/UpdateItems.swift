/// Changes items, either all of them or none.
///
/// Omitted fields stay unchanged. An empty text removes the due time, the rule, the category, the notes, the
/// URL, the estimate or the lead times, and an empty list removes all tags, links or blockers. A parent of 0 removes it.
package enum UpdateItems: Method {
    package static let name = "UpdateItems"

    @dynamicMemberLookup
    package struct Parameters: MessageBody, Equatable {
        package var ids: [Int64] = []
        package var name: String?
        package var details = ItemDetails()
        /// Lines to append to the notes of the items.
        package var appendNotes: String?
        /// Names of tags to add to those of the items.
        package var addTags: [String]?
        /// Names of tags to remove from those of the items.
        package var removeTags: [String]?
        /// Links to add after those of the items.
        package var addLinks: [ItemLink]?
        /// The URLs of links to remove, or, for a single item, their numbers.
        package var removeLinks: [String]?
        /// The number of the subtask before which to place the items, below its parent.
        package var before: Int64?
        /// The number of the subtask after which to place the items, below its parent.
        package var after: Int64?
        /// Numbers of items to complete before these, in addition to the former ones.
        package var addBlockedBy: [Int64]?
        /// Numbers of items that no longer have to be completed before these.
        package var removeBlockedBy: [Int64]?
        /// The `modifiedAt` of the item as the client read it. The item is changed only if this is still its
        /// value. Allowed for one item only.
        package var ifModified: String?

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
            try fields.field("addTags", &addTags)
            try fields.field("removeTags", &removeTags)
            try fields.field("addLinks", &addLinks)
            try fields.field("removeLinks", &removeLinks)
            try fields.field("before", &before)
            try fields.field("after", &after)
            try fields.field("addBlockedBy", &addBlockedBy)
            try fields.field("removeBlockedBy", &removeBlockedBy)
            try fields.field("ifModified", &ifModified)
        }
    }

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The ids of the items that already had the requested state, or `nil` if there are none.
        package var unchanged: [Int64]?
        /// A note about the reading of a time, as in `AddItem`.
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
