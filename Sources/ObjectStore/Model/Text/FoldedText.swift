import CUTF8Proc
import Glibc

/// The form of a text that comparisons use: the UTF-8 of its NFC form, without the differences that the options ignore.
///
/// Texts have the equality and the order of these bytes, which is the order of their Unicode scalars.
package struct FoldedText: Hashable, Sendable, Comparable {
    package let bytes: [UInt8]

    init(_ text: String, _ options: StringOptions = []) {
        var text = text
        self = text.withUTF8 { FoldedText(utf8: $0, options) }
    }

    init(utf8 text: UnsafeBufferPointer<UInt8>, _ options: StringOptions) {
        bytes = Self.fold(text, options)
    }

    package static func < (left: FoldedText, right: FoldedText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Calls `body` with the folded form of a text. The text is not copied if it already has this form.
    static func withFolded<Result>(
        _ text: UnsafeBufferPointer<UInt8>, _ options: StringOptions,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if options.isEmpty && (text.max() ?? 0) < firstByteToNormalize { return body(text) }
        return fold(text, options).withUnsafeBufferPointer(body)
    }

    private static func fold(
        _ text: UnsafeBufferPointer<UInt8>, _ options: StringOptions
    ) -> [UInt8] {
        let ignoresCase = options.contains(.caseInsensitive)
        let highest = text.max() ?? 0
        if highest < firstByteBeyondASCII { return ignoresCase ? text.map(lowercase) : Array(text) }
        if options.isEmpty && highest < firstByteToNormalize { return Array(text) }
        var flags = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
        if ignoresCase { flags |= UTF8PROC_CASEFOLD.rawValue }
        if options.contains(.diacriticInsensitive) { flags |= UTF8PROC_STRIPMARK.rawValue }
        return map(text, utf8proc_option_t(rawValue: flags)) ?? Array(text)
    }

    private static let firstByteBeyondASCII: UInt8 = 0x80
    /// The first byte of U+0300. No scalar below U+0300 changes in NFC.
    fileprivate static let firstByteToNormalize: UInt8 = 0xCC

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Returns `nil` if memory is exhausted or the text is not valid UTF-8, which another program may have stored.
    private static func map(
        _ text: UnsafeBufferPointer<UInt8>, _ options: utf8proc_option_t
    ) -> [UInt8]? {
        var result: UnsafeMutablePointer<utf8proc_uint8_t>?
        let count = utf8proc_map(text.baseAddress, text.count, &result, options)
        guard let result else { return nil }
        defer { free(result) }
        return count < 0 ? nil : Array(UnsafeBufferPointer(start: result, count: count))
    }
}

extension String {
    /// The text in Unicode normalization form NFC, in which stores keep text.
    package var normalized: String {
        // Most text is ASCII, which a single pass without branches finds out.
        let bits = utf8.withContiguousStorageIfAvailable { bytes in bytes.reduce(0) { $0 | $1 } }
        if let bits, bits < 0x80 { return self }
        if utf8.allSatisfy({ $0 < FoldedText.firstByteToNormalize }) { return self }
        return String(decoding: FoldedText(self).bytes, as: UTF8.self)
    }

    /// The text that two texts have in common if a comparison that ignores case finds them equal.
    package var caseFolded: String {
        String(decoding: FoldedText(self, .caseInsensitive).bytes, as: UTF8.self)
    }
}
