/// An error that gives the position and the reason why a text is not valid JSON.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The offset of the first invalid byte, from 0.
    package let offset: Int
    package let reason: String

    package var description: String { "\(reason) at byte \(offset)" }
}

/// A strict parser of one JSON text (RFC 8259). It requires valid UTF-8 and rejects repeated names, lone
/// surrogates and trailing text.
package struct JSONParser {
    /// The nesting limit, which allows every valid message and prevents a stack overflow.
    package static let nestingLimit = 64

    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int

    package static func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSON {
        let parse = { (buffer: UnsafeBufferPointer<UInt8>) -> Result<JSON, JSONError> in
            var parser = JSONParser(bytes: buffer)
            do throws(JSONError) { return .success(try parser.document()) } catch { return .failure(error) }
        }
        let result =
            bytes.withContiguousStorageIfAvailable(parse)
            ?? ContiguousArray(bytes).withUnsafeBufferPointer(parse)
        return try result.get()
    }

    init(bytes: UnsafeBufferPointer<UInt8>, position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        if position < bytes.count { throw failure("text after the value") }
        return value
    }

    // MARK: - Values

    mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard position < bytes.count else { throw failure("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default: throw failure("not a JSON value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        try checkDepth(depth)
        position += 1
        var members: [(name: String, value: JSON)] = []
        // A set is used only if there are too many members for a linear search.
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(JSONObject()) }
        members.reserveCapacity(4)
        while true {
            skipSpace()
            let start = position
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("expected a member name")
            }
            let name = try string()
            let isNew = members.count < 16 ? !members.contains { $0.name == name } : !names.contains(name)
            guard isNew else { throw JSONError(offset: start, reason: "a member name occurs twice") }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
            members.append((name, try value(depth: depth)))
            if members.count == 16 { names = Set(members.map(\.name)) }
            if members.count > 16 { names.insert(name) }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(JSONObject(members)) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}'") }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        try checkDepth(depth)
        position += 1
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']'") }
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONError) {
        if depth > Self.nestingLimit { throw failure("nested more than \(Self.nestingLimit) deep") }
    }

    private mutating func word(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[position..<end].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { throw failure("not a JSON value") }
        position = end
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        var isInteger = true
        _ = take(UInt8(ascii: "-"))
        guard let first = peek(), isDigit(first) else { throw failure("expected a digit") }
        position += 1
        if first == UInt8(ascii: "0"), let next = peek(), isDigit(next) {
            throw failure("a number does not begin with 0")
        }
        skipDigits()
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try requireDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try requireDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else {
            throw JSONError(offset: start, reason: "a number too large to hold")
        }
        return .number(double)
    }

    private mutating func requireDigits() throws(JSONError) {
        guard let next = peek(), isDigit(next) else { throw failure("expected a digit") }
        skipDigits()
    }

    private mutating func skipDigits() {
        while let next = peek(), isDigit(next) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: - Strings

    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        var bits: UInt8 = 0
        while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            bits |= byte
            position += 1
        }
        if peek() == UInt8(ascii: "\"") {
            let range = start..<position
            // ASCII needs no validation, and nearly all names are ASCII.
            let text = bits < 0x80 ? String(decoding: plain(range), as: UTF8.self) : try utf8(range)
            position += 1
            return text
        }
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = try utf8(start..<position)
        while true {
            guard let byte = peek() else { throw failure("the text ends inside a string") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                text.unicodeScalars.append(try escape())
            case 0..<0x20:
                throw failure("a control character in a string must be escaped")
            default:
                let start = position
                while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
                {
                    position += 1
                }
                text += try utf8(start..<position)
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = peek() else { throw failure("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            position -= 1
            throw failure("unknown escape sequence")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position - 2
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
        guard UTF16.isLeadSurrogate(unit), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw JSONError(offset: start, reason: "half of a surrogate pair")
        }
        let trail = try hexadecimal()
        guard UTF16.isTrailSurrogate(trail),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
        else { throw JSONError(offset: start, reason: "half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    private func plain(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }

    private func utf8(_ range: Range<Int>) throws(JSONError) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw JSONError(offset: range.lowerBound, reason: "a string that is not UTF-8")
        }
        return text
    }

    // MARK: - Bytes

    func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    func failure(_ reason: String) -> JSONError {
        JSONError(offset: position, reason: reason)
    }
}
