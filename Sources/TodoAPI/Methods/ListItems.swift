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

        package init(state: State? = nil, category: String? = nil) {
            self.state = state
            self.category = category
        }

        package init(from fields: FieldReader) throws(FieldError) {
            state = try fields.optionalChoice("state", State.self)
            category = try fields.optionalString("category")
        }

        package func write(to object: inout FieldWriter) {
            object.string("state", state?.rawValue)
            object.string("category", category)
        }
    }

    package typealias Reply = ItemList
}
