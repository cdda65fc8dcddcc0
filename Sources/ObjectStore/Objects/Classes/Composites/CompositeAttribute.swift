/// A type for a composite attribute: a structure whose stored properties are attributes themselves.
///
///     struct Address: CompositeAttribute {
///         var street = ""
///         var city: String?
///
///         static var partRules: [CompositePart<Address>] { [.part(\.city, .length(1...80))] }
///     }
///
///     final class Person: ManagedObject {
///         @Composite var home: Address
///         @Composite var work: Address?
///     }
///
/// The stored properties are the parts. Each of them is a variable whose type is that of an attribute, or another composite
/// attribute. Its initial value is its default. A part is optional if its type is. The parts are found by reflection, when
/// the model is built.
public protocol CompositeAttribute: CompositeValue where Composed == Self {
    /// Creates a value whose parts have their initial values.
    init()

    /// The rules, types and former names of parts. There are none by default.
    static var partRules: [CompositePart<Self>] { get }
}

extension CompositeAttribute {
    public static var partRules: [CompositePart<Self>] { [] }
}

/// A ``CompositeAttribute`` or an optional one: the type of a property with `@Composite`. A model refuses other types.
public protocol CompositeValue: Sendable {
    /// The type without `nil`: `Address` for `Address` and for `Address?`.
    associatedtype Composed: CompositeAttribute
}

extension Optional: CompositeValue where Wrapped: CompositeAttribute {
    public typealias Composed = Wrapped
}

extension CompositeValue {
    /// Whether the type has a place for `nil`.
    static var admitsNil: Bool { Self.self != Composed.self }

    /// A mistake in the type, or `nil` if it is a composite attribute or an optional one.
    static var mistake: String? {
        if Self.self == Composed.self || Self.self == Composed?.self { return nil }
        return "its type \(Self.self) is neither a composite attribute nor an optional one"
    }

    // The two types are compared first, so the bits are those of a value of the type. A cast takes much longer.

    /// Creates a value, which is `nil` or has its initial value if there is none.
    init(composed: Composed?) {
        if Self.self == Composed.self {
            self = unsafeBitCast(composed ?? Composed(), to: Self.self)
        } else if Self.self == Composed?.self {
            self = unsafeBitCast(composed, to: Self.self)
        } else {
            preconditionFailure("a model with a composite attribute of the type \(Self.self)")
        }
    }

    /// The value, or `nil`.
    var composed: Composed? {
        if Self.self == Composed.self { return unsafeBitCast(self, to: Composed.self) }
        return Self.self == Composed?.self ? unsafeBitCast(self, to: Composed?.self) : nil
    }
}

/// The rules of one part of a composite attribute. See ``CompositeAttribute/partRules``.
///
///     .part(\.city, .required, .length(1...80))
///     .part(\.zip, renamedFrom: "postalCode")
public struct CompositePart<Composed: CompositeAttribute> {
    let key: PartialKeyPath<Composed>
    let rules: [ValidationRule]
    let type: AttributeType?
    let renamedFrom: String?
    let isPreservedInHistory: Bool

    /// Declares the rules of a part.
    ///
    /// The part of an optional composite attribute that is `.required` needs a value if another part has one.
    ///
    /// - Parameters:
    ///   - key: The part. It may be a part of a part: `\.place.latitude`.
    ///   - rules: The rules for the values. With `.required`, the initial value of the part is not its default.
    ///   - type: The type of the attribute, if it is not the widest one that the part can hold.
    ///   - renamedFrom: The name of the part in the previous model version. In `@Composite(partRules:)`, it may also be the name of
    ///     the attribute of the entity that became the part. In ``CompositeAttribute/partRules``, which apply to all properties of
    ///     the type, it is never that of an attribute.
    ///   - preservedInHistory: Whether the history of a store keeps the last value of a deleted object.
    public static func part(
        _ key: PartialKeyPath<Composed>, _ rules: ValidationRule..., type: AttributeType? = nil,
        renamedFrom: String? = nil, preservedInHistory: Bool = false
    ) -> Self {
        Self(
            key: key, rules: rules, type: type, renamedFrom: renamedFrom,
            isPreservedInHistory: preservedInHistory)
    }
}
