/// A uniform resource identifier, stored as text that is not parsed or validated.
public struct URIValue: Hashable, Sendable, CustomStringConvertible {
    /// The text of the URI, as it was given.
    public let text: String

    /// Creates a URI. The text is not checked.
    public init(_ text: String) {
        self.text = text
    }

    public var description: String { text }
}
