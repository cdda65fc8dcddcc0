/// An item of a list on a server.
package struct RemoteItem: Equatable, Sendable {
    package let href: DAVURL
    /// The etag as the server wrote it. `EntityTag` compares etags.
    package let etag: String?
    /// The iCalendar text, or `nil` if the answer does not contain it. A report can give LF where the server has CR LF.
    package let text: String?
    /// Whether the text on the server has bytes that are not UTF-8. They are U+FFFD in `text`.
    package let hasInvalidBytes: Bool

    package init(href: DAVURL, etag: String?, text: String? = nil, hasInvalidBytes: Bool = false) {
        (self.href, self.etag, self.text, self.hasInvalidBytes) = (href, etag, text, hasInvalidBytes)
    }
}
