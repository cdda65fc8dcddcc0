extension AttributeType {
    /// Whether every value of this type converts to a distinct value of the other type.
    func converts(to other: AttributeType) -> Bool {
        if self == other { return true }
        return switch (self, other) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): true
        case (.integer16, .double), (.integer32, .double): true
        case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): true
        case (.integer16, .string), (.integer32, .string), (.integer64, .string): true
        case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): true
        case (.uuid, .string), (.uri, .string), (.decimal, .string): true
        default: false
        }
    }
}

extension AttributeValue {
    /// Returns the value converted to another type, or `nil` if the conversion would change the value.
    func converted(to type: AttributeType) -> AttributeValue? {
        let value: AttributeValue? =
            switch (self, type) {
            case (.integer(let number), .double): Double(exactly: number).map { .double($0) }
            case (.integer(let number), .decimal): .decimal(String(number))
            case (.integer(let number), .string): .string(String(number))
            case (.boolean(let flag), .integer16), (.boolean(let flag), .integer32),
                (.boolean(let flag), .integer64):
                .integer(flag ? 1 : 0)
            case (.double(let number), .integer16), (.double(let number), .integer32),
                (.double(let number), .integer64):
                Int64(exactly: number).map { .integer($0) }
            case (.uuid(let identifier), .string): .string(identifier.description)
            case (.uri(let text), .string), (.decimal(let text), .string): .string(text)
            case (.string(let text), .uri): .uri(text)
            default: self
            }
        guard let value, value.isNull || type.admits(value) else { return nil }
        return value
    }
}
