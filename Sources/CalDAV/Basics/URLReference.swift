/// The parts of a URL reference (RFC 3986, section 4.1), split and with the bytes encoded that a request must not contain.
struct URLReference {
    /// The longest text that is read.
    private static let bytesLimit = 8 << 10

    /// `http` or `https`, or `nil` if the reference has no scheme.
    let scheme: String?
    /// The text between `//` and the path, or `nil` if there is none.
    let authority: String?
    let path: String
    let query: String?

    /// Splits a reference. Returns `nil` if it is too long, has a control character, or has another scheme.
    init?(_ text: String) {
        var bytes = text.utf8[...]
        while let first = bytes.first, Self.isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
        guard bytes.count <= Self.bytesLimit, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        if let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) { bytes = bytes[..<fragment] }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        if let colon, Self.isScheme(bytes[..<colon]) {
            let name = (Substring(bytes[..<colon])).lowercased()
            guard name == "http" || name == "https" else { return nil }
            scheme = name
            bytes = bytes[bytes.index(after: colon)...]
        } else {
            scheme = nil
        }
        if bytes.starts(with: "//".utf8) {
            bytes = bytes.dropFirst(2)
            let end =
                bytes.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
            authority = String(Substring(bytes[..<end]))
            bytes = bytes[end...]
        } else {
            authority = nil
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        path = URLPath.escaped(bytes[..<(mark ?? bytes.endIndex)])
        query = mark.map { URLPath.escaped(bytes[bytes.index(after: $0)...]) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, URLPath.isLetter(first) else { return false }
        return bytes.allSatisfy {
            URLPath.isLetter($0) || URLPath.isDigit($0) || "+-.".utf8.contains($0)
        }
    }
}
