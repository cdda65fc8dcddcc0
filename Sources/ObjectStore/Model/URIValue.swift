/// A uniform resource identifier, stored as text that is not parsed or validated.
public struct URIValue: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { text }
}
