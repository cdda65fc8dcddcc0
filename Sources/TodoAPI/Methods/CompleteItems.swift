/// Marks items as done, with their subtasks, or moves repeating items to their next due time.
package enum CompleteItems: Method {
    package static let name = "CompleteItems"
    package typealias Parameters = ItemIDs

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The ids of the items that already were done, or `nil` if there are none.
        package var unchanged: [Int64]?
        /// The ids of the subtasks that were changed with the items, or `nil` if there are none.
        package var also: [Int64]?
        /// The ids of the open items that these items blocked, and that are no longer blocked, or `nil` if there are none.
        package var unblocked: [Int64]?

        package init() {}

        package init(_ changes: ItemChanges, also: [Int64]?, unblocked: [Int64]?) {
            items = changes.items
            unchanged = changes.unchanged
            self.also = also
            self.unblocked = unblocked
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("unchanged", &unchanged)
            try fields.field("also", &also)
            try fields.field("unblocked", &unblocked)
        }
    }
}
