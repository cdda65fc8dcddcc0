/// The form of texts in the database, which cannot store U+0000.
///
/// U+0000 is stored as U+0001 U+0001, and U+0001 as U+0001 U+0002. Texts keep their order, and different texts stay
/// different.
enum StoredText {
    private static let escape: UInt8 = 1

    static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= escape }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte <= escape { bytes += [escape, byte + 1] } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func decoded(_ stored: String) -> String {
        guard stored.utf8.contains(escape) else { return stored }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in stored.utf8 {
            if isEscaped {
                bytes.append(byte - 1)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the stored form of a text is the text itself.
    static func isPlain(_ text: String) -> Bool {
        !text.utf8.contains { $0 <= escape }
    }
}
