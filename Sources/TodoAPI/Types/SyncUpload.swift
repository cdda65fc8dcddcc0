/// A change that the server does not have yet.
package struct SyncUpload: NamedBody, Hashable {
    package static let varlinkType = "SyncUpload"

    package var url: String = ""
    package var uid: String = ""
    /// The version that is replaced or deleted, or `nil` if the resource must not exist.
    package var etag: String?
    /// The new text, or `nil` to delete the resource.
    package var text: String?
    /// The state of the item in this text, which `RecordSyncUploads` returns to the store.
    package var state: String = ""
    /// Whether a deletion has to wait until the text is stored in the list to which the item was moved, or `nil` if not.
    package var isMoved: Bool?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("uid", &uid)
        try fields.field("etag", &etag)
        try fields.field("text", &text)
        try fields.field("state", &state)
        try fields.field("moved", &isMoved)
    }
}
