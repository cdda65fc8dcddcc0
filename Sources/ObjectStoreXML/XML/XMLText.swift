/// The encoding of text in an XML store.
///
/// Characters that XML cannot represent are written as Core Data writes them: `\u` and the four hexadecimal
/// digits of the UTF-16 unit, low byte first. For example, the escape character is `\u1b00`. A backslash
/// before a `u` is written as `\u5c00`.
enum XMLText {
    private static let backslash = UInt8(ascii: "\\")
    private static let letterU = UInt8(ascii: "u")

    // MARK: - Writing

    /// Returns the text with the characters that XML reserves written as references, such as `&lt;`.
    static func markup(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\r"): false
            default: true
            }
        }
        if isPlain { return text }
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): result += "&lt;".utf8
            case UInt8(ascii: ">"): result += "&gt;".utf8
            case UInt8(ascii: "&"): result += "&amp;".utf8
            // A parser replaces a carriage return with a newline.
            case UInt8(ascii: "\r"): result += "&#13;".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text with escapes for all characters that XML cannot represent.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayNeedEscape) else { return text }
        var result: [UInt8] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x09, 0x0A: result.append(UInt8(scalar.value))
            case 0..<0x20, 0xFFFE, 0xFFFF: append(UInt16(scalar.value), to: &result)
            case UInt32(backslash) where rest.first == "u": append(UInt16(backslash), to: &result)
            default: result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        // 0xEF is the first byte of U+FFFE and U+FFFF.
        byte < 0x20 || byte == backslash || byte == 0xEF
    }

    private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
        let swapped = String(unit.byteSwapped, radix: 16)
        bytes += "\\u".utf8
        bytes += String(repeating: "0", count: 4 - swapped.utf8.count).utf8
        bytes += swapped.utf8
    }

    // MARK: - Reading

    /// Returns the original of a text that `escaped` has returned.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(backslash) else { return text }
        var units: [UInt16] = []
        var rest = Array(text.utf16)[...]
        while let unit = rest.popFirst() {
            if unit == UInt16(backslash), let escaped = escapedUnit(rest) {
                units.append(escaped)
                rest = rest.dropFirst(5)
            } else {
                units.append(unit)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the UTF-16 unit that `u` and four digits represent, or `nil` if something else follows the backslash.
    private static func escapedUnit(_ rest: ArraySlice<UInt16>) -> UInt16? {
        guard rest.count >= 5, rest.first == UInt16(letterU) else { return nil }
        var unit: UInt16 = 0
        for digit in rest.dropFirst().prefix(4) {
            guard digit < 0x80, let scalar = Unicode.Scalar(digit),
                let value = Character(scalar).hexDigitValue
            else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit.byteSwapped
    }
}
