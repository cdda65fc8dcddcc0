/// Adds an item to the store.
package enum AddItem: Method {
    package static let name = "AddItem"

    package struct Parameters: MessageBody {
        package var name: String
        /// Typed text or RFC 3339.
        package var due: String?
        /// The IANA name of the zone in which `due` was typed.
        package var timeZone: String?
        package var category: String?
        package var muted: Bool?
        /// Take a due time that lies in the past.
        package var past: Bool?

        package init(
            name: String, due: String? = nil, timeZone: String? = nil, category: String? = nil,
            muted: Bool? = nil,
            past: Bool? = nil
        ) {
            self.name = name
            self.due = due
            self.timeZone = timeZone
            self.category = category
            self.muted = muted
            self.past = past
        }

        package init(from fields: FieldReader) throws(FieldError) {
            name = try fields.string("name")
            due = try fields.optionalString("due")
            timeZone = try fields.optionalString("timeZone")
            category = try fields.optionalString("category")
            muted = try fields.optionalBoolean("muted")
            past = try fields.optionalBoolean("past")
        }

        package func write(to object: inout FieldWriter) {
            object.string("name", name)
            object.string("due", due)
            object.string("timeZone", timeZone)
            object.string("category", category)
            object.boolean("muted", muted)
            object.boolean("past", past)
        }
    }

    package struct Reply: MessageBody {
        package var item: Item

        package init(item: Item) { self.item = item }

        package init(from fields: FieldReader) throws(FieldError) {
            item = try fields.body("item", Item.self)
        }

        package func write(to object: inout FieldWriter) {
            object.body("item", item)
        }
    }
}
