/// Deletes a tag. Its items are kept.
package enum DeleteTag: Method {
    package static let name = "DeleteTag"

    package struct Parameters: MessageBody {
        package var name = ""

        package init() {}

        package init(name: String) { self.name = name }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
        }
    }

    package struct Reply: MessageBody {
        package var tag = TagSummary()

        package init() {}

        package init(tag: TagSummary) { self.tag = tag }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("tag", &tag)
        }
    }
}
