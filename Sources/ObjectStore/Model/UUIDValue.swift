public import CivilTime

/// A universally unique identifier of 16 bytes, written `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
public struct UUIDValue: Hashable, Sendable, LosslessStringConvertible {
    /// The first eight bytes, most significant byte first.
    public var high: UInt64
    /// The last eight bytes, most significant byte first.
    public var low: UInt64

    /// Creates an identifier from its bytes.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a random identifier (version 4 of RFC 9562).
    public init() {
        high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000
        low = UInt64.random(in: .min ... .max) & ~(0xC000 << 48) | 0x8000 << 48
    }

    /// Creates an identifier that begins with the time `moment` (version 7 of RFC 9562).
    ///
    /// Identifiers with a later time are greater. New entries of an index are therefore added at its end, and not in
    /// random places.
    public init(at moment: Timestamp) {
        let ticks = UInt64(max(0, min(moment.secondsSince1970, Self.lastSecond)) * Self.ticksPerSecond)
        // The four bits of the version are between the milliseconds and the fraction of a millisecond.
        high = (ticks >> 12) << 16 | 0x7000 | ticks & 0xFFF
        low = UInt64.random(in: .min ... .max) & ~(0xC000 << 48) | 0x8000 << 48
    }

    /// The number of ticks per second. A millisecond has 4096, because its fraction has 12 bits.
    private static let ticksPerSecond = 4_096_000.0
    /// The last second that fits into the 48 bits for the milliseconds, in the year 10889.
    private static let lastSecond = 281_474_976_710.0

    /// Parses 32 hexadecimal digits of either case in groups of 8-4-4-4-12. Returns `nil` for any other text.
    public init?(_ text: String) {
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in text.utf8.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = Self.digit(byte) else { return nil }
            if digits < 16 {
                halves.high = halves.high << 4 | digit
            } else {
                halves.low = halves.low << 4 | digit
            }
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: halves.high, low: halves.low)
    }

    /// The text in upper case, as Core Data writes it.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for digit in 0..<32 {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = digit < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: half >> (60 - 4 * UInt64(digit & 15))) & 15
                text[position] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
                position += 1
            }
            return 36
        }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
