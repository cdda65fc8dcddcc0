/// Adds an item to the store.
package enum AddItem: Method {
    package static let name = "AddItem"

    @dynamicMemberLookup
    package struct Parameters: MessageBody {
        package var name = ""
        package var details = ItemDetails()
        /// Whether words of the name set properties of the item, such as `+errand` or `friday 9am` at its end.
        package var quick: Bool?
        /// Whether nothing is added, so that the reply shows what a name with `quick` would become.
        package var dryRun: Bool?

        package init() {}

        package subscript<Value>(dynamicMember field: WritableKeyPath<ItemDetails, Value>) -> Value {
            get { details[keyPath: field] }
            set { details[keyPath: field] = newValue }
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try details.code(&fields)
            try fields.field("quick", &quick)
            try fields.field("dryRun", &dryRun)
        }
    }

    package struct Reply: MessageBody {
        /// The item. For a dry run, it has the id 0, and only the fields that the parameters and the name set.
        package var item = Item()
        /// The words of the name that set properties, or `nil` without `quick`.
        package var parts: [TextPart]?
        /// The reason why words of the name that look like a property do not set one, or `nil` if there are none.
        package var problem: String?
        /// A note about the reading of an ambiguous due time, and how to type the other one.
        package var note: String?

        package init() {}

        package init(item: Item, parts: [TextPart]? = nil, problem: String? = nil, note: String?) {
            self.item = item
            self.parts = parts
            self.problem = problem
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("item", &item)
            try fields.field("parts", &parts)
            try fields.field("problem", &problem)
            try fields.field("note", &note)
        }
    }
}
