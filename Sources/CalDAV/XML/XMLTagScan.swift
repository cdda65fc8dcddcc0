/// Finds tags that are too long to be parsed.
///
/// libxml2 compares each attribute of a tag with every other, so that one long tag could keep it busy for hours.
enum XMLTagScan {
    private static let tagBytesLimit = 4 << 10

    /// Whether all tags of a document are short.
    static func hasOnlyShortTags(_ document: [UInt8]) -> Bool {
        document.withUnsafeBufferPointer { bytes in
            var position = 0
            while position < bytes.count {
                guard bytes[position] == UInt8(ascii: "<") else {
                    position += 1
                    continue
                }
                guard let end = endOfMarkup(in: bytes, from: position) else { return false }
                position = end
            }
            return true
        }
    }

    /// Returns the position after the tag, comment or section that begins at a position, or `nil` if it is a tag that is too long.
    private static func endOfMarkup(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let head = UnsafeBufferPointer(rebasing: bytes[start..<min(start + 9, bytes.count)])
        if head.starts(with: "<![CDATA[".utf8) {
            return end(of: bytes, from: start + 9, first: "]", last: "]]>")
        }
        if head.starts(with: "<!--".utf8) { return end(of: bytes, from: start + 4, first: "-", last: "-->") }
        if head.starts(with: "<?".utf8) { return end(of: bytes, from: start + 2, first: "?", last: "?>") }
        var position = start
        // A value in quotes may have the end of a tag in it.
        var quote: UInt8?
        while position < bytes.count, quote != nil || bytes[position] != UInt8(ascii: ">") {
            let byte = bytes[position]
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            position += 1
            if position - start > tagBytesLimit { return nil }
        }
        return min(position + 1, bytes.count)
    }

    /// Returns the position after the next occurrence of a text, the first byte of which is given, or the end of the bytes.
    private static func end(
        of bytes: UnsafeBufferPointer<UInt8>, from start: Int, first: Unicode.Scalar, last: StaticString
    ) -> Int {
        let (byte, count) = (UInt8(ascii: first), last.utf8CodeUnitCount)
        var position = start
        while position + count <= bytes.count {
            if bytes[position] == byte,
                (0..<count).allSatisfy({ bytes[position + $0] == last.utf8Start[$0] })
            {
                return position + count
            }
            position += 1
        }
        return bytes.count
    }
}
