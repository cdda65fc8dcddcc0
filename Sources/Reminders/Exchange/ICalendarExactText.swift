/// Text that the standard's own property does not hold, such as one with control characters, for a property of ours
/// beside it: `"a%1B[31mb"`.
///
/// It counts only where that other property still says what we wrote there: another program that changes it is right.
enum ICalendarExactText {
    /// Nil when the standard's property says all of it.
    static func written(_ text: String) -> String? {
        if !text.isEmpty, ICalendarText.holdable(text) == text, trimmed(text) == text[...] { return nil }
        var written = "\""
        for byte in text.utf8 {
            let isPlain = byte > 0x20 && byte < 0x7F && !"%\",;:\\".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            written += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return written + "\""
    }

    /// The text of a property of ours; nil when it is none.
    static func read(_ written: String) -> String? {
        guard written.utf8.count >= 2, written.hasPrefix("\""), written.hasSuffix("\"") else { return nil }
        var bytes: [UInt8] = []
        var rest = written.utf8.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the standard's property says what we have written there for `text`.
    static func matches(_ text: String, _ property: String?) -> Bool {
        trimmed(ICalendarText.holdable(text)) == trimmed(property ?? "")
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
