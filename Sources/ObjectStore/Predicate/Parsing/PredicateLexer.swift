/// A lexer that splits a format into tokens.
struct PredicateLexer {
    let text: [UInt8]
    var position = 0

    init(_ format: String) {
        text = Array(format.utf8)
    }

    /// Returns the next token. At the end of the format, every call returns `.end`.
    mutating func next() throws(FetchPredicateError) -> PredicateToken {
        skipBlanks()
        let start = position
        let kind = try scan()
        return PredicateToken(kind: kind, range: start..<position)
    }

    /// Returns the text in a range of the format, shortened for a message.
    func excerpt(_ range: Range<Int>) -> String {
        let shown = range.prefix(PredicateLimits.excerptBytes)
        let words = String(decoding: text[shown], as: UTF8.self)
        return shown.count < range.count ? words + "…" : words
    }

    // MARK: - Characters

    func byte(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < text.count ? text[index] : nil
    }

    /// Returns the scalar at the position and its length in bytes. The UTF-8 is valid because it comes from a string.
    private func scalar() -> (value: Unicode.Scalar, length: Int)? {
        guard let lead = byte() else { return nil }
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let units = text[position..<min(position + length, text.count)]
        guard let value = String(decoding: units, as: UTF8.self).unicodeScalars.first else { return nil }
        return (value, length)
    }

    private mutating func skipBlanks() {
        while let lead = byte() {
            if lead == 0x20 || (0x09...0x0D).contains(lead) {
                position += 1
            } else if lead >= 0x80, let (value, length) = scalar(), value.properties.isWhitespace {
                position += length
            } else {
                return
            }
        }
    }

    /// Returns the length in bytes of the letter, digit or underscore at the position, or 0 for any other character.
    func wordCharacterLength(first: Bool) -> Int {
        guard let lead = byte() else { return 0 }
        switch lead {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            return 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return first ? 0 : 1
        case 0x80...:
            guard let (value, length) = scalar() else { return 0 }
            let belongs = first ? value.properties.isXIDStart : value.properties.isXIDContinue
            return belongs ? length : 0
        default:
            return 0
        }
    }

    private mutating func scanWord() -> ArraySlice<UInt8> {
        let start = position
        position += wordCharacterLength(first: true)
        if position > start { skipWordRemainder() }
        return text[start..<position]
    }

    mutating func skipWordRemainder() {
        while case let length = wordCharacterLength(first: false), length > 0 { position += length }
    }

    func failure(found: String, expected: String, hint: String? = nil) -> FetchPredicateError {
        FetchPredicateError(.syntax, at: position, found: found, expected: expected, hint: hint)
    }

    // MARK: - Tokens

    private mutating func scan() throws(FetchPredicateError) -> PredicateToken.Kind {
        guard let lead = byte() else { return .end }
        switch lead {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .string(try scanString(quote: lead))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try scanNumber()
        case UInt8(ascii: "."):
            if let digit = byte(1), isDigit(digit) { return try scanNumber() }
        case UInt8(ascii: "$"):
            return .variable(try scanName(after: "$", expected: "the name of a variable"))
        case UInt8(ascii: "@"):
            return .collectionOperator(try scanName(after: "@", expected: "count, sum, avg, min or max"))
        case UInt8(ascii: "#"):
            return .identifier(try scanName(after: "#", expected: "a key"))
        case UInt8(ascii: "%"):
            return try scanPercent()
        default:
            break
        }
        let word = scanWord()
        if !word.isEmpty { return kind(of: word) }
        return .symbol(try scanSymbol())
    }

    private mutating func kind(of word: ArraySlice<UInt8>) -> PredicateToken.Kind {
        if let keyword = PredicateKeyword(spelledBy: word) { return .keyword(keyword) }
        var name = String(decoding: word, as: UTF8.self)
        // The name of a function has a colon for each argument if it has several: `modulus:by:(a, 2)`.
        while byte() == UInt8(ascii: ":") {
            position += 1
            name += ":" + String(decoding: scanWord(), as: UTF8.self)
        }
        return .identifier(name)
    }

    private mutating func scanName(after sign: String, expected: String) throws(FetchPredicateError) -> String
    {
        position += 1
        let word = scanWord()
        guard !word.isEmpty else {
            position -= 1
            throw failure(found: "\(sign) without a name", expected: expected)
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func scanSymbol() throws(FetchPredicateError) -> PredicateSymbol {
        let second = byte(1)
        switch byte() {
        case UInt8(ascii: "="):
            return switch second {
            case UInt8(ascii: "<"): take(.lessOrEqual, 2)
            case UInt8(ascii: ">"): take(.greaterOrEqual, 2)
            default: take(.equal, second == UInt8(ascii: "=") ? 2 : 1)
            }
        case UInt8(ascii: "<"):
            return switch second {
            case UInt8(ascii: "="): take(.lessOrEqual, 2)
            case UInt8(ascii: ">"): take(.notEqual, 2)
            case UInt8(ascii: "<"): take(.shiftLeft, 2)
            default: take(.less, 1)
            }
        case UInt8(ascii: ">"):
            return switch second {
            case UInt8(ascii: "="): take(.greaterOrEqual, 2)
            case UInt8(ascii: ">"): take(.shiftRight, 2)
            default: take(.greater, 1)
            }
        case UInt8(ascii: "!"): return second == UInt8(ascii: "=") ? take(.notEqual, 2) : take(.not, 1)
        case UInt8(ascii: "*"): return second == UInt8(ascii: "*") ? take(.power, 2) : take(.times, 1)
        case UInt8(ascii: "&"): return second == UInt8(ascii: "&") ? take(.and, 2) : take(.bitAnd, 1)
        case UInt8(ascii: "|"): return second == UInt8(ascii: "|") ? take(.or, 2) : take(.bitOr, 1)
        case UInt8(ascii: "^"): return take(.bitXor, 1)
        case UInt8(ascii: "~"): return take(.bitNot, 1)
        case UInt8(ascii: "+"): return take(.plus, 1)
        case UInt8(ascii: "-"): return take(.minus, 1)
        case UInt8(ascii: "/"): return take(.divide, 1)
        case UInt8(ascii: "("): return take(.openParenthesis, 1)
        case UInt8(ascii: ")"): return take(.closeParenthesis, 1)
        case UInt8(ascii: "{"): return take(.openBrace, 1)
        case UInt8(ascii: "}"): return take(.closeBrace, 1)
        case UInt8(ascii: "["): return take(.openBracket, 1)
        case UInt8(ascii: "]"): return take(.closeBracket, 1)
        case UInt8(ascii: ","): return take(.comma, 1)
        case UInt8(ascii: "."): return take(.dot, 1)
        default: throw strangeCharacter
        }
    }

    private mutating func take(_ symbol: PredicateSymbol, _ length: Int) -> PredicateSymbol {
        position += length
        return symbol
    }

    private var strangeCharacter: FetchPredicateError {
        guard let (value, length) = scalar() else {
            return failure(found: "the end of the format", expected: "an expression")
        }
        switch value {
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}":
            return failure(found: "the typographic quote \(value)", expected: "\" or ' around text")
        default:
            let shown = value.properties.isGraphemeExtend || value.value < 0x20 ? "" : " \"\(value)\""
            return failure(
                found: "the character U+" + hexadecimal(value) + shown,
                expected: "an expression, an operator or the end",
                hint: length > 1 ? "put text in quotes" : nil)
        }
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: - Substitutions

    /// Scans `%@`, `%K`, `%%`, or a C conversion such as `%ld`.
    ///
    /// Length modifiers are ignored, because an argument has its own type.
    private mutating func scanPercent() throws(FetchPredicateError) -> PredicateToken.Kind {
        var distance = 1
        while let size = byte(distance), "hlqLztj".utf8.contains(size) { distance += 1 }
        let kind: PredicateToken.Kind
        switch byte(distance) {
        case UInt8(ascii: "@") where distance == 1: kind = .substitution(.value)
        case UInt8(ascii: "K") where distance == 1: kind = .substitution(.keyPath)
        case UInt8(ascii: "%") where distance == 1: kind = .symbol(.percent)
        case let letter? where "diuxXoDUO".utf8.contains(letter): kind = .substitution(.integer)
        case let letter? where "feEgGaA".utf8.contains(letter): kind = .substitution(.double)
        default:
            let end = min(position + distance + 1, text.count)
            throw failure(
                found: "\"" + excerpt(position..<end) + "\"",
                expected: "%@, %K, %d, %f or another placeholder",
                hint: "text with a percent sign needs quotes")
        }
        position += distance + 1
        return kind
    }
}
