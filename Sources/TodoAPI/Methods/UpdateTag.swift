/// Renames a tag.
package enum UpdateTag: Method {
    package static let name = "UpdateTag"

    package struct Parameters: MessageBody {
        package var name = ""
        package var newName = ""

        package init() {}

        package init(name: String, newName: String) {
            self.name = name
            self.newName = newName
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("newName", &newName)
        }
    }

    package struct Reply: MessageBody {
        package var tag = TagSummary()
        /// True if the tag already had the name, otherwise `nil`.
        package var unchanged: Bool?

        package init() {}

        package init(tag: TagSummary, isUnchanged: Bool) {
            self.tag = tag
            unchanged = isUnchanged ? true : nil
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("tag", &tag)
            try fields.field("unchanged", &unchanged)
        }
    }
}
