/// Deletes a category; its items are kept.
package enum DeleteCategory: Method {
    package static let name = "DeleteCategory"

    package struct Parameters: MessageBody {
        package var name = ""
        /// The category that its items get; nil leaves them without one.
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
