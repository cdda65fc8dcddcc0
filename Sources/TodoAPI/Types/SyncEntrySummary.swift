/// The state of a resource of the server that the store knows.
package struct SyncEntrySummary: NamedBody, Hashable {
    package static let varlinkType = "SyncEntry"

    package var url: String = ""
    /// The version that was read last, or `nil` if it was never read.
    package var etag: String?

    package init() {}

    package init(url: String, etag: String?) {
        self.url = url
        self.etag = etag
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("etag", &etag)
    }
}
