extension PredicateLexer {
    /// Scans the text between two quotes of one kind.
    ///
    /// A backslash before a character without a special meaning is kept, so that regular expressions need no additional
    /// escapes.
    mutating func scanString(quote: UInt8) throws(FetchPredicateError) -> String {
        let opening = position
        var units: [UInt8] = []
        position += 1
        while let unit = byte() {
            position += 1
            switch unit {
            case quote:
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try scanEscape(into: &units)
            default:
                units.append(unit)
            }
        }
        position = opening
        throw failure(
            found: "text without a closing quote: " + excerpt(opening..<text.count),
            expected: "a closing \(Character(Unicode.Scalar(quote)))")
    }

    private mutating func scanEscape(into units: inout [UInt8]) throws(FetchPredicateError) {
        guard let letter = byte() else { return }
        position += 1
        switch letter {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): units.append(letter)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "x"), UInt8(ascii: "X"): try scanCode(digits: 2, into: &units)
        case UInt8(ascii: "u"): try scanCode(digits: 4, into: &units)
        case UInt8(ascii: "U"): try scanCode(digits: isLongCode ? 8 : 4, into: &units)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            if let code = octalCode(from: letter) {
                position += 2
                units += Array(String(Character(Unicode.Scalar(code))).utf8)
            } else {
                fallthrough
            }
        default: units += [UInt8(ascii: "\\"), letter]
        }
    }

    /// Whether the next eight characters are hexadecimal digits of a Unicode scalar.
    ///
    /// Otherwise `\U` has four digits, as in Apple's grammar, and the text continues after them.
    private var isLongCode: Bool {
        var lexer = self
        return lexer.hexadecimalValue(digits: 8).flatMap { Unicode.Scalar($0) } != nil
    }

    /// Returns the character with three octal digits, or `nil` if two more do not follow `first`.
    ///
    /// One or two digits are kept as text, because they are a reference to a group in a regular expression.
    private func octalCode(from first: UInt8) -> UInt8? {
        let digits = [first, byte(), byte(1)].compactMap { $0 }.filter { (0x30...0x37).contains($0) }
        return digits.count == 3 ? digits.reduce(0) { $0 << 3 | ($1 - 0x30) } : nil
    }

    private mutating func scanCode(digits: Int, into units: inout [UInt8]) throws(FetchPredicateError) {
        let start = position - 2
        guard var code = hexadecimalValue(digits: digits) else {
            position = start
            throw failure(
                found: "an escape without its \(digits) hexadecimal digits", expected: "\\u and four of them")
        }
        // Two escapes that form a surrogate pair are one character, as in JSON and Objective-C.
        if (0xD800...0xDBFF).contains(code), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
            position += 2
            if let low = hexadecimalValue(digits: 4), (0xDC00...0xDFFF).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(code) else {
            position = start
            throw failure(
                found: "an escape that is not a character", expected: "the code of a Unicode character")
        }
        units += Array(String(Character(scalar)).utf8)
    }

    private mutating func hexadecimalValue(digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let unit = byte(), let digit = Character(Unicode.Scalar(unit)).hexDigitValue else {
                return nil
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
