extension PredicateLexer {
    func isDigit(_ unit: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit)
    }

    /// Scans a number: `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `.5`, `1e-3`. Leading zeros change nothing.
    mutating func scanNumber() throws(FetchPredicateError) -> PredicateToken.Kind {
        let start = position
        if byte() == UInt8(ascii: "0"), let letter = byte(1), let radix = Self.radixes[letter | 0x20] {
            position += 2
            let first = position
            skipWordRemainder()
            guard let value = UInt64(String(decoding: text[first..<position], as: UTF8.self), radix: radix)
            else {
                throw numberFailure(from: start)
            }
            return .integer(value)
        }
        let kind = scanDecimal()
        let end = position
        skipWordRemainder()
        guard let kind, position == end else { throw numberFailure(from: start) }
        return kind
    }

    private mutating func scanDecimal() -> PredicateToken.Kind? {
        let start = position
        var isWhole = true
        skipDigits()
        if byte() == UInt8(ascii: "."), let digit = byte(1), isDigit(digit) {
            isWhole = false
            position += 1
            skipDigits()
        }
        if let letter = byte(), letter | 0x20 == UInt8(ascii: "e") {
            let sign = byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+")
            if let digit = byte(sign ? 2 : 1), isDigit(digit) {
                isWhole = false
                position += sign ? 2 : 1
                skipDigits()
            }
        }
        let digits = String(decoding: text[start..<position], as: UTF8.self)
        if isWhole { return UInt64(digits).map { .integer($0) } }
        return Double(digits.first == "." ? "0" + digits : digits).map { .double($0) }
    }

    private static let radixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]

    private mutating func skipDigits() {
        while let unit = byte(), isDigit(unit) { position += 1 }
    }

    private mutating func numberFailure(from start: Int) -> FetchPredicateError {
        let shown = excerpt(start..<position)
        position = start
        return failure(
            found: "\"\(shown)\"", expected: "a number of at most 64 bits",
            hint: "if it is text, put it in quotes")
    }
}
