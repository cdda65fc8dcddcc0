/// Changes a category. Parameters that are `nil` leave their property unchanged.
package enum UpdateCategory: Method {
    package static let name = "UpdateCategory"

    package struct Parameters: MessageBody {
        package var name = ""
        package var newName: String?
        package var muted: Bool?

        package init() {}

        package init(name: String, newName: String? = nil, muted: Bool? = nil) {
            self.name = name
            self.newName = newName
            self.muted = muted
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("newName", &newName)
            try fields.field("muted", &muted)
        }
    }

    package struct Reply: MessageBody {
        package var category = CategorySummary()
        /// True if the category already had the requested state, otherwise `nil`.
        package var unchanged: Bool?

        package init() {}

        package init(category: CategorySummary, isUnchanged: Bool) {
            self.category = category
            unchanged = isUnchanged ? true : nil
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("category", &category)
            try fields.field("unchanged", &unchanged)
        }
    }
}
