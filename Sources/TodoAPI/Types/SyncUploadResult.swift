/// The result of sending a change.
package struct SyncUploadResult: NamedBody, Hashable {
    package static let varlinkType = "SyncUploadResult"

    package var url: String = ""
    /// The state of the upload.
    package var state: String = ""
    /// The text that the server has accepted, or `nil` for a deletion.
    package var sentText: String?
    /// The text that the server has now.
    package var text: String?
    /// The version of that text.
    package var etag: String?
    /// Whether the answer of the server was lost, so that the text may be one that another program has written instead.
    package var answerLost: Bool?
    /// The reason why the server refused the change, or `nil` if it accepted it.
    package var problem: String?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("state", &state)
        try fields.field("sentText", &sentText)
        try fields.field("text", &text)
        try fields.field("etag", &etag)
        try fields.field("answerLost", &answerLost)
        try fields.field("problem", &problem)
    }
}
