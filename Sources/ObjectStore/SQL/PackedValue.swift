/// An encoding of many values as one JSON text, so that a list of any length is a single binding.
///
/// SQLite's JSON cannot hold exact doubles, bytes, or text with a NUL character. If a list contains such a
/// value, every value is packed as a letter for its type followed by hexadecimal digits.
enum PackedValue {
    /// Returns JSON such as `[1,"a"]`, or packed JSON such as `["d4000000000000000"]`. Each element of packed
    /// JSON must be unpacked.
    static func json(_ values: [AttributeValue]) -> (text: String, isPacked: Bool) {
        let isPacked = !values.allSatisfy(\.hasPlaceInJSON)
        let elements = values.map { value in
            if isPacked { return "\"" + pack(value) + "\"" }
            if case .text(let text) = SQLForm(value) { return JSONText.quoted(text) }
            if case .integer(let number) = SQLForm(value) { return String(number) }
            return "null"
        }
        return ("[" + elements.joined(separator: ",") + "]", isPacked)
    }

    /// Whether a list of values of this type is packed, unless it is empty.
    static func isPacked(_ type: AttributeType) -> Bool { type == .double || type == .date }

    static func unpack(_ text: String) -> AttributeValue? {
        let digits = String(text.dropFirst())
        switch text.first {
        case "i": return Int64(digits, radix: 16).map { .integer($0) }
        case "d": return UInt64(digits, radix: 16).map { .double(Double(bitPattern: $0)) }
        case "t": return [UInt8](hexadecimal: digits).map { .string(String(decoding: $0, as: UTF8.self)) }
        case "b": return [UInt8](hexadecimal: digits).map { .binary($0) }
        default: return nil
        }
    }

    private static func pack(_ value: AttributeValue) -> String {
        switch SQLForm(value) {
        case .null: "n"
        case .integer(let number): "i" + String(number, radix: 16)
        case .real(let number): "d" + String(number.bitPattern, radix: 16)
        case .text(let text): "t" + Array(text.utf8).hexadecimal
        case .blob(let bytes): "b" + bytes.hexadecimal
        }
    }
}

extension AttributeValue {
    fileprivate var hasPlaceInJSON: Bool {
        switch SQLForm(self) {
        case .integer: true
        case .text(let text): !text.utf8.contains(0)
        default: false
        }
    }
}

/// The form in which SQLite stores a value.
private enum SQLForm {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    init(_ value: AttributeValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .date(let moment): self = .real(moment.secondsSince1970)
        case .string(let text), .decimal(let text), .uri(let text): self = .text(text)
        case .uuid(let identifier): self = .text(identifier.description)
        case .binary(let bytes): self = .blob(bytes)
        }
    }
}
