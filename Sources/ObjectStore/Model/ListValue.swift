internal import CivilTime

/// The stored form of a list attribute: a JSON array in a text.
///
///     ["red","green"]     [1,2,3]     [true]     [1795196549.25]
///
/// Decimals, UUIDs and URIs are JSON strings, and dates are numbers of seconds since 1970. No element is null.
enum ListValue {
    /// Whether lists can have elements of a type.
    static func admits(elementsOf type: AttributeType) -> Bool { type != .binary }

    /// Returns the JSON text of a list, or `nil` if an element has no place in it: nil, bytes, an infinite number, or a
    /// text with a NUL character.
    ///
    /// - Parameter admitsNUL: Whether texts may have NUL characters, as in a column with the values of related objects.
    static func text(_ elements: [AttributeValue], admitsNUL: Bool = false) -> String? {
        var text = "["
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            switch element {
            case .boolean(let flag): text += flag ? "true" : "false"
            case .integer(let number): text += String(number)
            case .double(let number):
                guard number.isFinite else { return nil }
                text += "\(number)"
            case .date(let moment):
                guard moment.secondsSince1970.isFinite else { return nil }
                text += "\(moment.secondsSince1970)"
            case .string(let string), .decimal(let string), .uri(let string):
                guard admitsNUL || !string.utf8.contains(0) else { return nil }
                text += JSONText.quoted(string.normalized)
            case .uuid(let identifier): text += "\"\(identifier)\""
            case .null, .binary: return nil
            }
        }
        return text + "]"
    }

    /// Returns the elements of a list, or `nil` if the text is not a list of this type.
    ///
    /// - Parameter admitsNUL: Whether texts may have NUL characters.
    static func elements(
        of text: String, _ type: AttributeType, admitsNUL: Bool = false
    ) -> [AttributeValue]? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = ListReader(bytes: bytes, admitsNUL: admitsNUL)
            return reader.elements(type)
        }
    }
}

/// A reader of JSON arrays of one type.
private struct ListReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let admitsNUL: Bool
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>, admitsNUL: Bool) {
        self.bytes = bytes
        self.admitsNUL = admitsNUL
    }

    mutating func elements(_ type: AttributeType) -> [AttributeValue]? {
        guard take("[") else { return nil }
        var elements: [AttributeValue] = []
        if !take("]") {
            repeat {
                guard let element = element(type), type.admits(element) else { return nil }
                elements.append(element)
            } while take(",")
            guard take("]") else { return nil }
        }
        skipSpace()
        return position == bytes.count ? elements : nil
    }

    private mutating func element(_ type: AttributeType) -> AttributeValue? {
        skipSpace()
        switch type {
        case .string: return string().map { .string($0) }
        case .decimal: return string().map { .decimal($0) }
        case .uri: return string().map { .uri($0) }
        case .uuid: return string().flatMap { UUIDValue($0) }.map { .uuid($0) }
        case .boolean:
            if take(word: "true") { return .boolean(true) }
            return take(word: "false") ? .boolean(false) : nil
        case .integer16, .integer32, .integer64: return Int64(number()).map { .integer($0) }
        case .double: return real().map { .double($0) }
        case .date: return real().map { .date(Timestamp(secondsSince1970: $0)) }
        case .binary: return nil
        }
    }

    // MARK: - Tokens

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count,
            (0..<count).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
        else { return false }
        position += count
        return true
    }

    private mutating func real() -> Double? {
        Double(number()).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Reads the characters of a number. The result is no number if they are missing.
    private mutating func number() -> String {
        let start = position
        while position < bytes.count, "0123456789+-.eE".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text += Array(String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Reads the rest of an escape sequence.
    private mutating func escape() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        position += 1
        switch bytes[position - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(), unit != 0 || admitsNUL else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard take(word: "\\u"), let second = codeUnit(), UTF16.isTrailSurrogate(second) else {
                return nil
            }
            return UTF16.decode(UTF16.EncodedScalar([unit, second]))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt16? {
        guard bytes.count - position >= 4 else { return nil }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        position += 4
        return UInt16(digits, radix: 16)
    }
}
