/// Decimal numbers in PostgreSQL's binary format: a head of four 16-bit numbers, and digits in base 10,000.
///
///     12.5     2 digits, weight 0, positive, 1 digit after the point: 0012 5000
///     -0.001   1 digit, weight -1, negative, 3 digits after the point: 0010
enum PostgreSQLNumeric {
    private static let base = 10_000
    private static let positive: UInt16 = 0
    private static let negative: UInt16 = 0x4000
    /// The limits of the server.
    private static let mostDigitsBeforePoint = 131_072
    private static let mostDigitsAfterPoint = 16_383

    /// Appends the binary form of a decimal number, written as an optional sign, digits, and optionally a point and digits.
    static func append(_ text: String, to bytes: inout [UInt8]) throws(PostgreSQLError) {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
        let whole = Array(digits[..<point])
        let fraction = Array(digits[point...].dropFirst())
        guard !whole.isEmpty, (whole + fraction).allSatisfy({ isDigit($0) }) else {
            throw PostgreSQLError(.invalidValue, "a text is not a decimal number; correct it")
        }
        guard whole.count <= mostDigitsBeforePoint, fraction.count <= mostDigitsAfterPoint else {
            throw PostgreSQLError(
                .invalidValue,
                "a decimal number has too many digits; PostgreSQL keeps \(mostDigitsBeforePoint) before the point "
                    + "and \(mostDigitsAfterPoint) after it")
        }
        let padding = (4 - whole.count % 4) % 4
        let zero = UInt8(ascii: "0")
        let padded =
            Array(repeating: zero, count: padding) + whole + fraction
            + Array(repeating: zero, count: (4 - fraction.count % 4) % 4)
        var groups = stride(from: 0, to: padded.count, by: 4).map { start in
            padded[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1 - zero) }
        }
        var weight = (padding + whole.count) / 4 - 1
        while groups.last == 0 { groups.removeLast() }
        let leading = groups.prefix { $0 == 0 }.count
        groups.removeFirst(leading)
        weight = groups.isEmpty ? 0 : weight - leading
        append(UInt16(truncatingIfNeeded: groups.count), to: &bytes)
        append(UInt16(truncatingIfNeeded: weight), to: &bytes)
        append(isNegative && !groups.isEmpty ? negative : positive, to: &bytes)
        append(UInt16(truncatingIfNeeded: fraction.count), to: &bytes)
        for group in groups { append(group, to: &bytes) }
    }

    /// Returns the text of a number, with as many digits after the point as the server keeps, or `nil` if it is infinite or
    /// not a number.
    static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8 else { return nil }
        let count = Int(number(bytes, at: 0))
        let weight = Int(Int16(bitPattern: number(bytes, at: 2)))
        let sign = number(bytes, at: 4)
        let scale = Int(number(bytes, at: 6))
        guard sign == positive || sign == negative, bytes.count >= 8 + 2 * count else { return nil }
        func group(_ position: Int) -> Int {
            position >= 0 && position < count ? Int(number(bytes, at: 8 + 2 * position)) : 0
        }
        func digits(_ group: Int) -> String {
            let text = String(group)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        var text = sign == negative ? "-" : ""
        text += weight < 0 ? "0" : String(group(0))
        if weight > 0 { for position in 1...weight { text += digits(group(position)) } }
        guard scale > 0 else { return text }
        var fraction = ""
        var position = weight + 1
        while fraction.utf8.count < scale {
            fraction += digits(group(position))
            position += 1
        }
        return text + "." + fraction.prefix(scale)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16 {
        UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
    }
}
