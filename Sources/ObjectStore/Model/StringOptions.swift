/// The differences between strings that a comparison ignores. By default it ignores none.
public struct StringOptions: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are equal.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// `[d]`: accents and other marks are ignored.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
