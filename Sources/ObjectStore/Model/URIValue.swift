/// A uniform resource identifier, kept as its text and never taken apart.
public struct URIValue: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { text }
}
