package import CivilTime

/// Adds an item to the store.
package enum AddItem: Method {
    package static let name = "AddItem"

    @dynamicMemberLookup
    package struct Parameters: MessageBody {
        package var name = ""
        package var details = ItemDetails()

        package init() {}

        package subscript<Value>(dynamicMember field: WritableKeyPath<ItemDetails, Value>) -> Value {
            get { details[keyPath: field] }
            set { details[keyPath: field] = newValue }
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try details.code(&fields)
        }
    }

    package struct Reply: MessageBody {
        package var item = Item()
        /// The end of the name if it reads as a time or a rule and the item has no due time.
        package var timeInName: String?
        /// The time in the name, or `nil` if it is a rule.
        package var dueInName: CalendarTime?
        /// A note about the reading of a time. If `due` is ambiguous, it describes the chosen reading and how
        /// to type the other one. Otherwise it explains why the end of the name looks like a time but is not
        /// used as one.
        package var note: String?

        package init() {}

        package init(item: Item, timeInName: String?, dueInName: CalendarTime?, note: String?) {
            self.item = item
            self.timeInName = timeInName
            self.dueInName = dueInName
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("item", &item)
            try fields.field("timeInName", &timeInName)
            try fields.field("dueInName", &dueInName)
            try fields.field("note", &note)
        }
    }
}
