public import FoundationEssentials
public import ObjectStore

// Conformances that make types of Foundation usable in properties and predicates. They are in a separate module, so
// that a program without Foundation does not link it.

extension Date: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.date] }

    public init?(attributeValue: AttributeValue) {
        guard case .date(let moment) = attributeValue else { return nil }
        self.init(timeIntervalSince1970: moment.secondsSince1970)
    }

    public var attributeValue: AttributeValue { .date(Timestamp(secondsSince1970: timeIntervalSince1970)) }
}

extension UUID: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.uuid] }

    public init?(attributeValue: AttributeValue) {
        guard case .uuid(let value) = attributeValue else { return nil }
        self = withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    public var attributeValue: AttributeValue {
        withUnsafeBytes(of: uuid) { bytes in
            let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            return .uuid(UUIDValue(high: high, low: low))
        }
    }
}

extension Data: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.binary] }

    public init?(attributeValue: AttributeValue) {
        guard case .binary(let bytes) = attributeValue else { return nil }
        self.init(bytes)
    }

    public var attributeValue: AttributeValue { .binary([UInt8](self)) }
}

extension URL: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.uri] }

    public init?(attributeValue: AttributeValue) {
        guard case .uri(let text) = attributeValue else { return nil }
        self.init(string: text)
    }

    public var attributeValue: AttributeValue { .uri(absoluteString) }
}

/// A decimal number of at most 38 digits.
///
/// A stored number with more digits cannot be read as a `Decimal`. `Decimal.nan` is refused when it is saved, with a
/// `ValidationError` that names the entity and the property.
extension Decimal: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.decimal] }

    public init?(attributeValue: AttributeValue) {
        // A value that was set and not saved yet.
        if attributeValue == .decimal("NaN") {
            self = .nan
            return
        }
        guard case .decimal(let text) = attributeValue, let number = Decimal(string: text),
            DecimalValue("\(number)")?.text == text
        else { return nil }
        self = number
    }

    public var attributeValue: AttributeValue {
        // "NaN" is no number, so no attribute admits it.
        .decimal(DecimalValue("\(self)")?.text ?? "NaN")
    }
}

extension Decimal: AttributeNumber {}
