/// Deletes items. Only `Undo` restores them.
package enum DeleteItems: Method {
    package static let name = "DeleteItems"
    package typealias Parameters = ItemIDs

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The ids of the subtasks that were deleted with the items, or `nil` if there are none.
        package var also: [Int64]?
        /// The ids of the open items that these items blocked, and that are no longer blocked, or `nil` if there are none.
        package var unblocked: [Int64]?

        package init() {}

        package init(items: [Item], also: [Int64]?, unblocked: [Int64]?) {
            self.items = items
            self.also = also
            self.unblocked = unblocked
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("also", &also)
            try fields.field("unblocked", &unblocked)
        }
    }
}
