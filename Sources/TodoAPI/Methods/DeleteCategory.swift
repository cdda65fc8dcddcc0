/// Deletes a category. Its items are kept.
package enum DeleteCategory: Method {
    package static let name = "DeleteCategory"

    package struct Parameters: MessageBody {
        package var name = ""
        /// The new category of the items, or `nil` for none.
        package var moveTo: String?

        package init() {}

        package init(name: String, moveTo: String?) {
            self.name = name
            self.moveTo = moveTo
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("moveTo", &moveTo)
        }
    }

    package typealias Reply = AddCategory.Reply
}
