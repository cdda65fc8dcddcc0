public import CivilTime

/// A Swift type whose arrays can be the type of a property of a managed object: `@Attribute var tags: [String] = []`.
///
/// The types of attributes conform, and an enumeration with such a raw value only has to declare the conformance. An array
/// of `UInt8` is not a list but bytes.
public protocol AttributeListElement: PredicateArgument {
    /// The types of the attributes for which a property can be an array of this type.
    static var arrayAttributeTypes: [AttributeType] { get }
    /// The type of the elements, or `nil` if the array is not a list.
    static var arrayElementType: AttributeType? { get }
    /// Creates an array from the stored value, or returns `nil` if it is not a list of this type.
    static func array(from value: AttributeValue) -> [Self]?
    /// Returns the stored value of an array.
    static func attributeValue(of array: [Self]) -> AttributeValue
}

extension AttributeListElement where Self: AttributeValueConvertible {
    public static var arrayAttributeTypes: [AttributeType] { [.string] }
    public static var arrayElementType: AttributeType? { attributeTypes.last }

    public static func array(from value: AttributeValue) -> [Self]? {
        guard case .string(let text) = value, let type = arrayElementType,
            let elements = ListValue.elements(of: text, type)
        else { return nil }
        var array: [Self] = []
        for element in elements {
            guard let element = Self(attributeValue: element) else { return nil }
            array.append(element)
        }
        return array
    }

    /// The JSON text of the list. It is empty, and cannot be saved, if an element has no place in JSON.
    public static func attributeValue(of array: [Self]) -> AttributeValue {
        .string(ListValue.text(array.map(\.attributeValue)) ?? "")
    }
}

extension Bool: AttributeListElement {}
extension Int: AttributeListElement {}
extension Int16: AttributeListElement {}
extension Int32: AttributeListElement {}
extension Int64: AttributeListElement {}
extension Double: AttributeListElement {}
extension String: AttributeListElement {}
extension Timestamp: AttributeListElement {}
extension UUIDValue: AttributeListElement {}
extension DecimalValue: AttributeListElement {}
extension URIValue: AttributeListElement {}

extension UInt8: AttributeListElement {
    public static var arrayAttributeTypes: [AttributeType] { [.binary] }
    public static var arrayElementType: AttributeType? { nil }

    @inlinable public static func array(from value: AttributeValue) -> [UInt8]? {
        if case .binary(let bytes) = value { bytes } else { nil }
    }

    @inlinable public static func attributeValue(of array: [UInt8]) -> AttributeValue { .binary(array) }
}

extension Array: AttributeValueConvertible where Element: AttributeListElement {
    public static var attributeTypes: [AttributeType] { Element.arrayAttributeTypes }
    public static var elementType: AttributeType? { Element.arrayElementType }

    @inlinable public init?(attributeValue: AttributeValue) {
        guard let array = Element.array(from: attributeValue) else { return nil }
        self = array
    }

    @inlinable public var attributeValue: AttributeValue { Element.attributeValue(of: self) }
}
