internal import CivilTime
internal import ObjectStore

/// The text of values in an XML store.
enum XMLValue {
    /// Returns the text of a value, or `nil` for null. A null attribute is left out of the document.
    static func text(of value: AttributeValue) -> String? {
        switch value {
        case .null: nil
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): number.description
        case .decimal(let text): text
        case .string(let text), .uri(let text): XMLText.escaped(text)
        case .date(let moment): ReferenceDate.text(of: moment)
        case .binary(let bytes): Base64.text(of: bytes)
        case .uuid(let identifier): identifier.description
        }
    }

    /// Reads a value of a type, or returns `nil` if the text is not a value that the type admits.
    static func read(_ text: String, as type: AttributeType) -> AttributeValue? {
        let value: AttributeValue? =
            switch type {
            case .string: .string(XMLText.unescaped(text).normalized)
            case .uri: .uri(XMLText.unescaped(text).normalized)
            default: read(word: text.spaceTrimmed, as: type)
            }
        return value.flatMap { type.admits($0) ? $0 : nil }
    }

    private static func read(word: String, as type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64: Int64(word).map { .integer($0) }
        case .double: Double(word).map { .double($0) }
        case .decimal: DecimalValue(word).map { .decimal($0.text) }
        case .boolean: boolean(word).map { .boolean($0) }
        case .date: ReferenceDate.moment(of: word).map { .date($0) }
        case .binary: Base64.bytes(of: word).map { .binary($0) }
        case .uuid: UUIDValue(word).map { .uuid($0) }
        case .string, .uri: nil
        }
    }

    private static func boolean(_ word: String) -> Bool? {
        switch word {
        case "1": true
        case "0": false
        default: nil
        }
    }
}
