internal import FoundationEssentials
public import ObjectStore

/// A `Codable` type that can be the type of an attribute. It is stored as JSON text.
///
///     struct Address: JSONAttribute { var street: String; var city: String }
///
///     final class Person: ManagedObject {
///         @Attribute var address: Address?
///     }
///
/// Equal values have equal texts, because keys are sorted. A stored text that the type cannot decode cannot be read, as
/// with any type of attribute: keys that are added later must be optional.
public protocol JSONAttribute: Codable, AttributeValueConvertible {}

extension JSONAttribute {
    public static var attributeTypes: [AttributeType] { [.string] }

    /// Decodes the JSON text that is stored, or returns `nil` if the type cannot decode it.
    public init?(attributeValue: AttributeValue) {
        guard case .string(let text) = attributeValue,
            let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }

    /// The JSON text to store.
    ///
    /// A value that cannot be encoded, such as a number that is infinite, is refused when it is saved, with a
    /// `ValidationError` that names the entity and the property.
    public var attributeValue: AttributeValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No attribute of texts admits a number.
        guard let data = try? encoder.encode(self) else { return .double(.nan) }
        return .string(String(decoding: data, as: UTF8.self))
    }
}
