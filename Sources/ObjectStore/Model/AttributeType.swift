/// The types an attribute can have.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
    /// Text, in Unicode normalization form NFC.
    case string
    /// An integer from -32768 to 32767.
    case integer16
    /// An integer of 32 bits.
    case integer32
    /// An integer of 64 bits.
    case integer64
    /// A floating-point number of 64 bits, but not NaN.
    case double
    /// A decimal number with any number of digits, stored as text.
    case decimal
    /// True or false.
    case boolean
    /// A point in time, as seconds since 1970.
    case date
    /// Bytes.
    case binary
    /// A universally unique identifier.
    case uuid
    /// The text of a URI.
    case uri

    /// Whether values of the type have an order that a `range` rule and a sort can use.
    var isOrdered: Bool {
        switch self {
        case .binary: false
        default: true
        }
    }

    /// Whether `value` has this type and is in its range. False for `.null`.
    public func admits(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .boolean), (.binary, .binary),
            (.uuid, .uuid), (.uri, .uri), (.integer64, .integer):
            true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        // Only the normalized text of a number is admitted, so that equal numbers have equal texts.
        case (.decimal, .decimal(let text)): DecimalValue(text)?.text == text
        // SQLite stores NaN as NULL, so the value would be read back as `.null`.
        case (.double, .double(let number)): !number.isNaN
        case (.date, .date(let moment)): moment.secondsSince1970.isFinite
        default: false
        }
    }

    /// Returns the reason why the type does not admit `value`, without the value itself, which may be private.
    func misfit(of value: AttributeValue) -> String {
        switch (self, value) {
        // A value that cannot be encoded, such as one of a `JSONAttribute`, is NaN.
        case (_, .double(let number)) where self != .double && number.isNaN: "the value cannot be encoded"
        case (.double, .double): "the double value is not a number"
        case (.date, .date): "the date value is infinite or not a number"
        case (.decimal, .decimal): "the decimal value is not the text of a DecimalValue"
        default: "the \(value.typeName) value does not fit \(rawValue)"
        }
    }
}

extension AttributeValue {
    /// The name of the value's type, for messages that must not contain the value itself.
    public var typeName: String {
        switch self {
        case .null: "nil"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .decimal: "decimal"
        case .string: "string"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        }
    }

    /// Whether the value is `.null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
