/// A list that the server has.
package struct FoundSyncList: NamedBody, Hashable {
    package static let varlinkType = "FoundList"

    package var url: String = ""
    package var name: String = ""
    package var readOnly: Bool?
    /// The account that synchronizes it already, or `nil`.
    package var account: String?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("name", &name)
        try fields.field("readOnly", &readOnly)
        try fields.field("account", &account)
    }
}
