/// Changes a category. What is nil stays.
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

    package typealias Reply = AddCategory.Reply
}
