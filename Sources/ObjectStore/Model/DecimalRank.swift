/// A sort key for a decimal number. Comparing the keys byte by byte gives the order of the numbers.
///
///     0        80
///     12.5     C0 80000002 31 32 35          the power of ten above the number, then its digits
///     120      C0 80000003 31 32
///     -12.5    40 7FFFFFFD CE CD CA FF       every byte inverted, then FF
///
/// The final FF puts a negative number after those that continue its digits, which are smaller. With these keys,
/// SQLite can sort decimal numbers without rounding.
struct DecimalRank {
    let bytes: [UInt8]

    /// Creates the key, or returns `nil` if the text is not a decimal number.
    init?(_ text: String) {
        var text = text
        guard let rank = text.withUTF8({ Self(utf8: $0) }) else { return nil }
        self = rank
    }

    init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let number = DecimalDigits(utf8: text) else { return nil }
        let significant = number.significant
        guard !significant.digits.isEmpty else {
            bytes = [0x80]
            return
        }
        let power = UInt32(bitPattern: Int32(clamping: significant.power)) ^ 0x8000_0000
        var bytes = number.isNegative ? [0x40] : [0xC0] as [UInt8]
        bytes.reserveCapacity(significant.digits.count + 6)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: power >> UInt32(shift))) }
        bytes += significant.digits
        if number.isNegative {
            for position in bytes.indices.dropFirst() { bytes[position] = ~bytes[position] }
            bytes.append(0xFF)
        }
        self.bytes = bytes
    }
}
