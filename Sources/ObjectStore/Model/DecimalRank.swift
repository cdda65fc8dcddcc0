/// The place of a decimal number among all others, as bytes: they compare as the numbers do, one by one from the first.
///
///     0        80
///     12.5     C0 80000002 31 32 35          the power of ten above the number, and its digits
///     120      C0 80000003 31 32
///     -12.5    40 7FFFFFFD CE CD CA FF       every byte turned round, and an end, because the longer is the lesser
///
/// So a database that knows nothing of decimals can sort them, and no digit is ever rounded.
struct DecimalRank {
    let bytes: [UInt8]

    /// Nil when the text is no number.
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
