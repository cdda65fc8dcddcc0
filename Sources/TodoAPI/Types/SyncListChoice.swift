/// A list of a server that an account synchronizes.
package struct SyncListChoice: NamedBody, Hashable {
    package static let varlinkType = "SyncListChoice"

    package var url: String = ""
    package var name: String = ""
    /// The category for the list, or `nil` for one with its name.
    package var category: String?
    package var readOnly: Bool?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("name", &name)
        try fields.field("category", &category)
        try fields.field("readOnly", &readOnly)
    }
}
