/// A resource of the server with its text.
package struct SyncText: NamedBody, Hashable {
    package static let varlinkType = "SyncText"

    /// The most bytes of a text. A larger one is neither read nor sent.
    package static let bytesLimit = 256 << 10
    /// The most bytes of a text in JSON, which writes two for a line break and six for most control characters. Two such
    /// texts fit into a message of 1 MiB.
    package static let messageBytesLimit = 400 << 10

    package var url: String = ""
    package var etag: String?
    package var text: String = ""
    /// The reason why the text cannot be used, or `nil` if it can.
    package var problem: String?

    package init() {}

    /// Returns the quantity of which a text has too much, such as `more than 256 KiB`, or `nil` if it can be sent.
    package static func excess(of text: String) -> String? {
        if text.utf8.count > bytesLimit { return "more than \(bytesLimit >> 10) KiB" }
        return messageByteCount(of: text) > messageBytesLimit ? "too many control characters" : nil
    }

    /// Returns the number of bytes of a text in JSON.
    package static func messageByteCount(of text: String) -> Int {
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
