/// The reason of a refusal: the element of a `DAV:error` (RFC 4918, section 16) and the text for people.
struct Precondition: Equatable {
    private static let textLimit = 300

    /// The name of the element without a namespace, such as `valid-sync-token`, or `nil` if there is none.
    var element: String?
    /// The URL in the element, as the server wrote it.
    var href: String?
    /// An explanation by the server.
    var text: String?

    static let none = Precondition()

    /// Adds a child of a `DAV:error`.
    mutating func add(_ child: XMLElement) {
        if child.name.hasSuffix("}message") {
            text = text ?? child.trimmedText.map(Self.shortened)
        } else if child.name.hasPrefix("D:") || child.name.hasPrefix("C:"), element == nil {
            element = String(child.name.dropFirst(2))
            href = child.child("D:href")?.trimmedText
        }
    }

    /// Returns one line for an error message.
    static func shortened(_ text: String) -> String {
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
        let line = words.joined(separator: " ")
        return line.count <= textLimit ? line : line.prefix(textLimit) + "…"
    }
}
