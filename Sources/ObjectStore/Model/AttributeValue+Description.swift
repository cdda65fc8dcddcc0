extension AttributeValue: CustomStringConvertible {
    /// The value as text for people: `nil`, `474`, `Emma`, `2026-11-20T17:42:29Z`, `3 bytes`.
    public var description: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): value.description
        case .integer(let value): value.description
        case .double(let value): value.description
        case .decimal(let text), .string(let text), .uri(let text): text
        case .date(let moment): moment.iso8601 ?? "\(moment.secondsSince1970) s since 1970"
        case .binary(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        case .uuid(let value): value.description
        }
    }
}
