extension String {
    /// This text as part of one line on any terminal or in any log: control characters, also the invisible ones that
    /// turn the writing direction, become `\u{1B}`; what is longer than `bytesLimit` is cut and ends in `…`.
    package func oneLine(bytesLimit: Int = .max) -> String {
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
            } else {
                line.append(scalar)
            }
        }
        let whole = String(line)
        guard whole.utf8.count > bytesLimit else { return whole }
        let ellipsis = "…"
        var end = whole.startIndex
        var room = bytesLimit - ellipsis.utf8.count
        for character in whole {
            room -= character.utf8.count
            if room < 0 { break }
            end = whole.index(after: end)
        }
        return whole[..<end] + ellipsis
    }
}

extension String {
    /// This JSON text without characters that a terminal would obey: they can stand only in strings, and there become `\u202E`.
    package func printableJSON() -> String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.isUnprintable else { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Control characters, line and paragraph separators, and marks that set the writing direction.
    fileprivate var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
            true
        default: false
        }
    }
}
