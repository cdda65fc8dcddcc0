extension PredicateLexer {
    /// The text between two quotes of one kind. A backslash before a letter that means nothing special
    /// stays where it is, so that regular expressions read as they are written.
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
            "text that no quote ends: " + excerpt(opening..<text.count),
            "a closing \(Character(Unicode.Scalar(quote)))")
    }

    private mutating func scanEscape(into units: inout [UInt8]) throws(FetchPredicateError) {
        guard let letter = byte() else { return }
        position += 1
        switch letter {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): units.append(letter)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "x"): try scanCode(digits: 2, into: &units)
        case UInt8(ascii: "u"): try scanCode(digits: 4, into: &units)
        case UInt8(ascii: "U"): try scanCode(digits: 8, into: &units)
        default: units += [UInt8(ascii: "\\"), letter]
        }
    }

    private mutating func scanCode(digits: Int, into units: inout [UInt8]) throws(FetchPredicateError) {
        let start = position - 2
        guard var code = hexadecimalValue(digits: digits) else {
            position = start
            throw failure("an escape without its \(digits) hexadecimal digits", "\\u and four of them")
        }
        // Two escapes of a surrogate pair are one character, as in JSON and in Objective-C.
        if (0xD800...0xDBFF).contains(code), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
            position += 2
            if let low = hexadecimalValue(digits: 4), (0xDC00...0xDFFF).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(code) else {
            position = start
            throw failure("an escape that names no character", "the code of a Unicode character")
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
