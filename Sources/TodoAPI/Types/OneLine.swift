extension String {
    /// Returns the text in a form that is safe as part of one line in any terminal or log.
    ///
    /// A tab becomes `\t` and a line feed becomes `\n`. Other control characters and invisible characters are
    /// escaped, such as `\u{1B}`. A text longer than `bytesLimit` is truncated and ends in `…`.
    package func oneLine(bytesLimit: Int = .max) -> String {
        let whole = escaping { scalar in
            switch scalar {
            case "\t": "\\t"
            case "\n": "\\n"
            default: "\\u{\(scalar.hexadecimal)}"
            }
        }
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

    /// Returns the JSON text with control characters and invisible characters escaped, such as `\u202E`. They
    /// can occur only in strings.
    package func printableJSON() -> String {
        escaping { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: true)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    /// Returns the text with each invisible scalar replaced by its escape.
    private func escaping(_ escape: (Unicode.Scalar) -> String) -> String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar.isHidden, !scalar.belongs(between: previous, and: rest.first) {
                result += escape(scalar).unicodeScalars
            } else {
                result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimal: String { String(value, radix: 16, uppercase: true) }

    /// Whether the scalar is a control character, a line separator, or an invisible character. Invisible
    /// characters include direction marks, joiners, fillers, variation selectors and tags.
    fileprivate var isHidden: Bool {
        switch value {
        case 0x20..<0x7F: false
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a hidden scalar is a legitimate part of the text: a joiner in a word or an emoji, or a
    /// variation selector after a character that has variants.
    fileprivate func belongs(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch value {
        case 0xFE0E, 0xFE0F: return previous.properties.isEmoji
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: return previous.properties.isIdeographic
        case 0x180B...0x180F: return (0x1820..<0x18B0).contains(previous.value)
        case 0x200C, 0x200D:
            let isVisible = { (scalar: Unicode.Scalar) in scalar.value >= 0x300 && !scalar.isHidden }
            return (isVisible(previous) || previous.value == 0xFE0F) && next.map(isVisible) ?? false
        default: return false
        }
    }
}
