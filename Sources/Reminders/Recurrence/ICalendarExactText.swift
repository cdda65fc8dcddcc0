/// An encoding of text that a standard property cannot contain, such as text with control characters: `"a%1B[31mb"`.
///
/// todod writes it to a property of its own. An import ignores it if another program has changed the standard property.
enum ICalendarExactText {
    /// Returns the encoded text, or `nil` if the standard property can contain the text exactly.
    static func written(_ text: String) -> String? {
        if !text.isEmpty, ICalendarText.holdable(text) == text, trimmed(text) == text[...] { return nil }
        return quoted(text)
    }

    /// Returns the text for a property that has no standard property beside it. It is encoded if that is needed.
    static func writtenAlone(_ text: String) -> String {
        text.isEmpty || !text.utf8.allSatisfy(isPlain) ? quoted(text) : text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"%\",;:\\".utf8.contains(byte)
    }

    private static func quoted(_ text: String) -> String {
        var written = "\""
        for byte in text.utf8 {
            let digits = String(byte, radix: 16, uppercase: true)
            written += isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return written + "\""
    }

    /// Returns the decoded text, or `nil` if `written` is not an encoded text.
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

    /// Returns the decoded text of a value with or without its quotes, which SOGo removes.
    static func readWithOptionalQuotes(_ written: String) -> String? {
        read(written) ?? (written.isEmpty || written.contains("\"") ? nil : read("\"\(written)\""))
    }

    /// Whether the standard property still has the value that an export writes for `text`.
    static func matches(_ text: String, _ property: String?) -> Bool {
        trimmed(ICalendarText.holdable(text)) == trimmed(property ?? "")
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
