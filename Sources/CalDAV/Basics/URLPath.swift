/// The percent-encoding and the dot segments of paths (RFC 3986).
enum URLPath {
    private static let hexDigits = Array("0123456789ABCDEF".utf8)
    private static let percent = UInt8(ascii: "%")

    /// Returns the path with every byte encoded that a path must not contain. The rest stays as it is.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        text(bytes) { $0 == percent || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || isAllowed($0) }
    }

    /// Returns a name as one part of a path.
    static func encoded(_ name: String) -> String {
        // A name of dots alone means a directory, encoded or not.
        if name == "." || name == ".." { return String(repeating: "_", count: name.utf8.count) }
        return text(name.utf8, unchanged: isAllowed)
    }

    /// Returns a part of a path without its percent-encoding. Invalid UTF-8 is replaced.
    static func decoded(_ part: String) -> String {
        var bytes: [UInt8] = []
        forEachByte(of: part) { byte, _ in bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the one spelling of all equal paths.
    static func compared(_ path: String) -> String {
        // Nearly all paths have this spelling already.
        if path.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || isAllowed($0) }) { return path }
        var result: [UInt8] = []
        result.reserveCapacity(path.utf8.count)
        forEachByte(of: path) { byte, isEncoded in
            if isAllowed(byte) || byte == UInt8(ascii: "/") && !isEncoded {
                result.append(byte)
            } else {
                append(encoded: byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns an absolute path without `.` and `..` (RFC 3986, section 5.2.4).
    static func withoutDotSegments(_ path: String) -> String {
        let path = path.hasPrefix("/") ? path : "/" + path
        guard path.utf8.contains(UInt8(ascii: ".")) || path.contains("%2") else { return path }
        var kept: [Substring] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part.lowercased().replacingEncodedDots {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether a part of a path may contain the byte without encoding.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }

    private static func text(_ bytes: some Sequence<UInt8>, unchanged: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if unchanged(byte) { result.append(byte) } else { append(encoded: byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func append(encoded byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [percent, hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
    }

    /// Calls `body` with each byte after decoding, and whether it was encoded. A `%` without two digits is itself.
    private static func forEachByte(of path: String, _ body: (UInt8, Bool) -> Void) {
        let bytes = Array(path.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == percent, index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                body(high << 4 | low, true)
                index += 3
            } else {
                body(bytes[index], false)
                index += 1
            }
        }
    }
}

extension String {
    /// A short part of a path with its encoded dots decoded.
    fileprivate var replacingEncodedDots: String {
        guard utf8.count <= 6 else { return self }
        switch self {
        case "%2e": return "."
        case "%2e%2e", ".%2e", "%2e.": return ".."
        default: return self
        }
    }
}
