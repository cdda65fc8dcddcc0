import CUTF8Proc
import Glibc

/// A text as a comparison sees it: the UTF-8 of its NFC form, without what the comparison overlooks.
///
/// Two texts are equal, and stand in an order, as these bytes do, which is the order of their scalars.
struct FoldedText: Hashable, Sendable, Comparable {
    let bytes: [UInt8]

    init(_ text: String, _ options: FetchPredicate.StringOptions = []) {
        bytes = Self.fold(text, options)
    }

    static func < (left: FoldedText, right: FoldedText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    var isEmpty: Bool { bytes.isEmpty }

    func hasPrefix(_ prefix: FoldedText) -> Bool {
        bytes.starts(with: prefix.bytes)
    }

    func hasSuffix(_ suffix: FoldedText) -> Bool {
        bytes.count >= suffix.bytes.count
            && bytes[(bytes.count - suffix.bytes.count)...].elementsEqual(suffix.bytes)
    }

    /// UTF-8 synchronises itself, so that bytes found are characters found.
    func contains(_ part: FoldedText) -> Bool {
        guard let first = part.bytes.first else { return true }
        return bytes.withUnsafeBytes { text in
            part.bytes.withUnsafeBytes { wanted in
                guard var start = text.baseAddress, let wantedStart = wanted.baseAddress else { return false }
                var left = text.count
                while left >= wanted.count, let found = memchr(start, Int32(first), left - wanted.count + 1) {
                    if memcmp(found, wantedStart, wanted.count) == 0 { return true }
                    left -= start.distance(to: found) + 1
                    start = UnsafeRawPointer(found) + 1
                }
                return false
            }
        }
    }

    private static func fold(_ text: String, _ options: FetchPredicate.StringOptions) -> [UInt8] {
        let ignoresCase = options.contains(.caseInsensitive)
        var bytes = Array(text.utf8)
        if bytes.allSatisfy({ $0 < firstByteBeyondASCII }) {
            if ignoresCase { for index in bytes.indices { bytes[index] = lowercase(bytes[index]) } }
            return bytes
        }
        if options.isEmpty, bytes.allSatisfy({ $0 < firstByteToNormalize }) { return bytes }
        var flags = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
        if ignoresCase { flags |= UTF8PROC_CASEFOLD.rawValue }
        if options.contains(.diacriticInsensitive) { flags |= UTF8PROC_STRIPMARK.rawValue }
        return map(bytes, utf8proc_option_t(rawValue: flags)) ?? bytes
    }

    private static let firstByteBeyondASCII: UInt8 = 0x80
    /// No scalar below U+0300, whose first byte this is, changes in NFC.
    private static let firstByteToNormalize: UInt8 = 0xCC

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Nil when memory runs out: a Swift string is always well-formed.
    private static func map(_ bytes: [UInt8], _ options: utf8proc_option_t) -> [UInt8]? {
        var result: UnsafeMutablePointer<utf8proc_uint8_t>?
        let count = bytes.withUnsafeBufferPointer {
            utf8proc_map($0.baseAddress, $0.count, &result, options)
        }
        guard let result else { return nil }
        defer { free(result) }
        return count < 0 ? nil : Array(UnsafeBufferPointer(start: result, count: count))
    }
}

extension String {
    /// The text in Unicode's form NFC, in which a store keeps it.
    package var normalized: String {
        if utf8.allSatisfy({ $0 < 0xCC }) { return self }
        return String(decoding: FoldedText(self).bytes, as: UTF8.self)
    }
}
