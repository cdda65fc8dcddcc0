/// An etag as a server or a proxy wrote it, such as `"5f3c"`, `W/"5f3c"` or `"5f3c-gzip"`.
///
/// Proxies that compress an answer change its etag. The changes are undone for comparisons and for `If-Match`.
package struct EntityTag: Sendable, CustomStringConvertible {
    /// The suffixes that servers add for an answer that they compress with gzip, the only method that the client accepts.
    private static let suffixes = ["-gzip\"", "--gzip\"", ";gzip\""]

    /// The etag as it was received, with its quotes.
    package let description: String
    /// Whether the etag begins with `W/`.
    package let isWeak: Bool
    /// Whether the etag ends with a suffix that names a compression.
    package let hasCodingSuffix: Bool
    /// The strong etag that the server most probably gave, with quotes: the value for `If-Match`.
    package let strongText: String

    package init(_ text: String) {
        description = text
        isWeak = text.hasPrefix("W/") || text.hasPrefix("w/")
        let strong = isWeak ? String(text.dropFirst(2)) : text
        let suffix = Self.suffixes.filter { strong.hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count }
        hasCodingSuffix = suffix != nil
        strongText = suffix.map { strong.dropLast($0.count) + "\"" } ?? strong
    }

    /// Whether two etags as received belong to the same version of a text.
    package static func isSameVersion(_ first: String, as second: String) -> Bool {
        first == second || EntityTag(first).strongText == EntityTag(second).strongText
    }
}
