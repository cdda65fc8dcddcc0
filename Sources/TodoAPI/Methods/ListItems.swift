/// Lists items by due time.
package enum ListItems: Method {
    package static let name = "ListItems"

    /// With `more`, a reply holds at most this many items.
    package static let itemsPerReply = 100

    package enum State: String, FieldChoice {
        case open, completed, all
    }

    package struct Parameters: MessageBody {
        /// Nil means the open ones.
        package var state: State?
        package var category: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("state", &state)
            try fields.field("category", &category)
        }
    }

    package typealias Reply = ItemList
}
