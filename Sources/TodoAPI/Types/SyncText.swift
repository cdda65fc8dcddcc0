/// A resource of the server with its text.
package struct SyncText: NamedBody, Hashable {
    package static let varlinkType = "SyncText"

    /// The most bytes of a text in JSON. A larger one is neither read nor sent.
    package static let bytesLimit = 256 << 10

    package var url: String = ""
    package var etag: String?
    package var text: String = ""
    /// The reason why the text cannot be used, or `nil` if it can.
    package var problem: String?

    package init() {}

    /// Returns the number of bytes of a text in JSON, which writes six for a control character.
    package static func byteCount(of text: String) -> Int {
        text.utf8.reduce(0) { count, byte in
            count + (byte == 0x0A || byte == 0x0D || byte == 0x22 || byte == 0x5C ? 2 : byte < 0x20 ? 6 : 1)
        }
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("etag", &etag)
        try fields.field("text", &text)
        try fields.field("problem", &problem)
    }
}
