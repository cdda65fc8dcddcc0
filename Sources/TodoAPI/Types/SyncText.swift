/// A resource of the server with its text.
package struct SyncText: NamedBody, Hashable {
    package static let varlinkType = "SyncText"

    package var url: String = ""
    package var etag: String?
    package var text: String = ""

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("etag", &etag)
        try fields.field("text", &text)
    }
}
