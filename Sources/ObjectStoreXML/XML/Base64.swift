/// The Base64 encoding of RFC 4648, with padding.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * position) & 63)]
                text.append(position <= group.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the text, ignoring white space. Returns `nil` if the text is not valid Base64.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var digitCount = 0
        var paddingCount = 0
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case padding: paddingCount += 1
            default:
                guard paddingCount == 0, let digit = value(of: character) else { return nil }
                digitCount += 1
                bits = bits << 6 | digit
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                }
            }
        }
        guard digitCount % 4 != 1, paddingCount == (4 - digitCount % 4) % 4 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
