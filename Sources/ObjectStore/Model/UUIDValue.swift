/// A universally unique identifier: sixteen bytes, written `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
public struct UUIDValue: Hashable, Sendable {
    /// The first and the last eight bytes, most significant byte first.
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
