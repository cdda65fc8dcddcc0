/// Lists tags by name.
package enum ListTags: Method {
    package static let name = "ListTags"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var tags: [TagSummary] = []

        package init() {}

        package init(tags: [TagSummary]) { self.tags = tags }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("tags", &tags)
        }
    }
}
