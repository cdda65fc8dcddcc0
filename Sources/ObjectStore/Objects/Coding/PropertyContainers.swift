internal import CivilTime

extension KeyedEncodingContainer<PropertyCodingKey> {
    /// Encodes a value of an attribute, or the ID in a to-one relationship.
    mutating func encodeStored(_ value: AttributeValue, of column: Entity.Column, forKey key: Key) throws {
        if let type = column.elementType, case .string(let text) = value,
            let elements = ListValue.elements(of: text, type)
        {
            try encode(elements.map(EncodedValue.init), forKey: key)
        } else if value.isNull {
            try encodeNil(forKey: key)
        } else {
            try encode(EncodedValue(value: value), forKey: key)
        }
    }
}

/// A value of an attribute, or an element of a list.
private struct EncodedValue: Encodable {
    let value: AttributeValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let text), .string(let text), .uri(let text): try container.encode(text)
        case .uuid(let value): try container.encode(value.description)
        case .binary(let bytes): try container.encode(bytes)
        case .date(let moment):
            if let text = moment.iso8601 {
                try container.encode(text)
            } else {
                try container.encode(moment.secondsSince1970)
            }
        }
    }
}

extension KeyedDecodingContainer<PropertyCodingKey> {
    /// Returns a value for a column, or `nil` if the text for it has another form.
    func decodeValue(of column: Entity.Column, forKey key: Key) throws -> AttributeValue? {
        guard let type = column.elementType else {
            return try Self.value(of: column.type, in: superDecoder(forKey: key).singleValueContainer())
        }
        var list = try nestedUnkeyedContainer(forKey: key)
        var elements: [AttributeValue] = []
        while !list.isAtEnd {
            guard let element = try Self.value(of: type, in: list.superDecoder().singleValueContainer())
            else {
                return nil
            }
            elements.append(element)
        }
        guard let text = ListValue.text(elements), ListValue.elements(of: text, type) != nil else {
            return nil
        }
        return .string(text)
    }

    private static func value(
        of type: AttributeType, in container: any SingleValueDecodingContainer
    ) throws -> AttributeValue? {
        switch type {
        case .string: return .string(try container.decode(String.self))
        case .uri: return .uri(try container.decode(String.self))
        case .uuid: return UUIDValue(try container.decode(String.self)).map { .uuid($0) }
        case .decimal: return DecimalValue(try container.decode(String.self)).map { .decimal($0.text) }
        case .integer16, .integer32, .integer64: return .integer(try container.decode(Int64.self))
        case .double: return .double(try container.decode(Double.self))
        case .boolean: return .boolean(try container.decode(Bool.self))
        case .binary: return .binary(try container.decode([UInt8].self))
        case .date:
            if let seconds = try? container.decode(Double.self) {
                return .date(Timestamp(secondsSince1970: seconds))
            }
            return Timestamp(iso8601: try container.decode(String.self)).map { .date($0) }
        }
    }
}
