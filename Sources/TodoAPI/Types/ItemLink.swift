/// A link of an item to a page or a file, in the API.
package struct ItemLink: NamedBody, Hashable {
    package static let varlinkType = "Link"

    package var url = ""
    package var title: String?
    /// The media type, such as `application/pdf`.
    package var mediaType: String?
    /// Whether the link leads to an attachment of the item, or `nil` if it does not.
    package var attachment: Bool?

    package init() {}

    package init(url: String, title: String? = nil) {
        self.url = url
        self.title = title
    }

    /// Parses a URL, which a title can follow: `https://example.com The offer`.
    package init(typed text: String) {
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        url = words.first.map(String.init) ?? ""
        title = words.count == 2 ? String(words[1]) : nil
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("url", &url)
        try fields.field("title", &title)
        try fields.field("mediaType", &mediaType)
        try fields.field("attachment", &attachment)
    }
}
