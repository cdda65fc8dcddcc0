public import CivilTime

/// A Swift type that can be the type of a property of a managed object.
///
/// `Bool`, `Int`, `Int16`, `Int32`, `Int64`, `Double`, `String`, `Timestamp`, `[UInt8]`, `UUIDValue`, `DecimalValue`
/// and `URIValue` conform, and so do their optionals and arrays of them. An enumeration with such a raw value only has to declare the
/// conformance. Any other type defines how it is stored:
///
///     struct Tags: AttributeValueConvertible {
///         static var attributeTypes: [AttributeType] { [.string] }
///         init?(attributeValue: AttributeValue) { … }
///         var attributeValue: AttributeValue { .string(words.joined(separator: ",")) }
///     }
public protocol AttributeValueConvertible: PredicateArgument {
    /// The type without `nil`: `Int` for `Int` and for `Int?`. It needs no declaration.
    associatedtype NonOptional: AttributeValueConvertible = Self
    /// The types of the attributes for which a property can have this Swift type.
    static var attributeTypes: [AttributeType] { get }
    /// Whether the type can represent `.null`.
    static var admitsNull: Bool { get }
    /// The type of the elements if the type is a list, or `nil`.
    static var elementType: AttributeType? { get }

    /// Creates a value from the stored value, or `nil` if it has another type or this type cannot represent it.
    ///
    /// If this returns `nil`, a property is `nil` or has the default of its attribute, and the next save throws. A property
    /// that has neither ends the program. An enumeration that may get more cases in a later version should therefore
    /// convert unknown values to a case for them.
    init?(attributeValue: AttributeValue)
    /// The stored value.
    var attributeValue: AttributeValue { get }
}

extension AttributeValueConvertible {
    public static var admitsNull: Bool { false }
    public static var elementType: AttributeType? { nil }
}

extension Bool: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.boolean] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .boolean(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .boolean(self) }
}

extension Int: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.integer16, .integer32, .integer64] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .integer(let value) = attributeValue else { return nil }
        self.init(exactly: value)
    }

    @inlinable public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int16: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.integer16] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .integer(let value) = attributeValue else { return nil }
        self.init(exactly: value)
    }

    @inlinable public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int32: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.integer16, .integer32] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .integer(let value) = attributeValue else { return nil }
        self.init(exactly: value)
    }

    @inlinable public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int64: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.integer16, .integer32, .integer64] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .integer(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .integer(self) }
}

extension Double: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.double] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .double(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .double(self) }
}

extension String: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.string] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .string(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .string(self) }
}

extension Timestamp: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.date] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .date(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .date(self) }
}

extension UUIDValue: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.uuid] }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard case .uuid(let value) = attributeValue else { return nil }
        self = value
    }

    @inlinable public var attributeValue: AttributeValue { .uuid(self) }
}

extension DecimalValue: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.decimal] }

    public init?(attributeValue: AttributeValue) {
        guard case .decimal(let text) = attributeValue else { return nil }
        self.init(text)
    }

    public var attributeValue: AttributeValue { .decimal(text) }
}

extension URIValue: AttributeValueConvertible {
    public static var attributeTypes: [AttributeType] { [.uri] }

    public init?(attributeValue: AttributeValue) {
        guard case .uri(let text) = attributeValue else { return nil }
        self.init(text)
    }

    public var attributeValue: AttributeValue { .uri(text) }
}

extension Optional: AttributeValueConvertible where Wrapped: AttributeValueConvertible {
    public typealias NonOptional = Wrapped.NonOptional

    public static var attributeTypes: [AttributeType] { Wrapped.attributeTypes }
    public static var admitsNull: Bool { true }
    public static var elementType: AttributeType? { Wrapped.elementType }

    @inlinable public init?(attributeValue: AttributeValue) {
        if case .null = attributeValue {
            self = .none
        } else {
            guard let value = Wrapped(attributeValue: attributeValue) else { return nil }
            self = .some(value)
        }
    }

    @inlinable public var attributeValue: AttributeValue {
        self?.attributeValue ?? .null
    }
}

extension RawRepresentable where RawValue: AttributeValueConvertible {
    /// The types of the raw value.
    public static var attributeTypes: [AttributeType] { RawValue.attributeTypes }

    /// Creates the case with the raw value that is stored, or returns `nil` if there is none.
    public init?(attributeValue: AttributeValue) {
        guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value as it is stored.
    public var attributeValue: AttributeValue { rawValue.attributeValue }
}
