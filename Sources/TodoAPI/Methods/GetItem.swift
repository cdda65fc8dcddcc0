/// Returns one item.
package enum GetItem: Method {
    package static let name = "GetItem"

    package struct Parameters: MessageBody {
        package var id: Int64 = 0

        package init() {}

        package init(id: Int64) { self.id = id }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("id", &id)
        }
    }

    package struct Reply: MessageBody {
        package var item = Item()
        /// The last completion of a repeating item, or `nil` if there is none.
        package var lastDone: HistoryEntry?

        package init() {}

        package init(item: Item) { self.item = item }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("item", &item)
            try fields.field("lastDone", &lastDone)
        }
    }
}
