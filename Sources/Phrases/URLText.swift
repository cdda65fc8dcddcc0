/// A URL, as people type it and as other programs write it.
package enum URLText {
    /// The allowed lengths of a URL, in characters.
    package static let lengths = 1...65_536

    /// Returns the text without the white space around it.
    package static func plain(_ text: some StringProtocol) -> String {
        String(text.trimmed)
    }

    /// Returns the reason why a text is not a URL, or `nil` if it is one.
    ///
    /// A URL has a scheme: `https://example.com`, `mailto:ada@example.com`, `file:///tmp/a.pdf`.
    package static func problem(with text: String) -> String? {
        guard text.unicodeScalars.count <= lengths.upperBound else {
            return "it is longer than \(lengths.upperBound) characters"
        }
        if text.unicodeScalars.contains(where: isSpace) { return "a URL has no spaces; write %20 for each" }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < text.utf8.count, isScheme(scheme) else {
            return "it is not a URL, which begins with a scheme, such as https://example.com"
        }
        return scheme.count + 1 == text.utf8.count ? "the URL ends after its scheme" : nil
    }

    /// Returns the URL with percent codes for spaces and control characters, which some programs write as they are.
    package static func encoded(_ text: some StringProtocol) -> String {
        var url = ""
        for scalar in plain(text).unicodeScalars {
            guard isSpace(scalar) else {
                url.unicodeScalars.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                let digits = String(byte, radix: 16, uppercase: true)
                url += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return url
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    private static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "+-.".utf8.contains(byte)
        }
    }
}
