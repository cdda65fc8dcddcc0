public import CivilTime

/// One attribute of an entity: its name, its type, and the rules for its values.
///
///     .string("title", .required, .length(1...200))
///     .boolean("inPrint", default: true)
///     .date("published")
///
/// An attribute is optional unless it has the rule `required` or a default. An attribute with a default and
/// `optional: true` is optional, too.
public struct AttributeDescription: Hashable, Sendable {
    /// The name of the attribute, and of its column in a database.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether an object may be saved without a value.
    public var isOptional: Bool
    /// The initial value in a new object, or `.null` if there is no default.
    public var defaultValue: AttributeValue
    /// The rules except `required`, which `isOptional` represents.
    public var rules: [ValidationRule]
    /// The name of the attribute in the previous model version, or `nil` if it was not renamed.
    public var renamedFrom: String?
    /// The type of the elements if the attribute is a list, or `nil`. The type of the attribute itself is then `string`.
    public var elementType: AttributeType?
    /// Whether the history of a store keeps the last value of a deleted object.
    public var isPreservedInHistory = false
    /// The expression of a derived attribute, or `nil` if the program sets the attribute.
    ///
    /// A save computes the value and stores it. See ``derived(from:)``.
    public var derivedFrom: String?
    /// Whether the values are stored in a table of their own and read when they are needed.
    public var isExternal = false
    /// The parts of a composite attribute, or `nil` for any other attribute.
    ///
    /// A model has the parts in place of the composite attribute, whose type does not matter. See
    /// ``composite(_:_:optional:renamedFrom:)``.
    public internal(set) var parts: [AttributeDescription]?
    /// The name of a part in the previous version of the type of its composite attribute, or `nil` if the type did not rename it.
    var formerPartName: String?
    /// The place of the attribute in a composite attribute of a model, or `nil` if it is in none.
    var part: Part?

    /// Creates an attribute. It is optional unless it is required or has a default.
    public init(
        _ name: String, _ type: AttributeType, optional: Bool? = nil,
        default defaultValue: AttributeValue = .null,
        rules: [ValidationRule] = [], renamedFrom: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = optional ?? (defaultValue.isNull && !rules.contains(.required))
        self.defaultValue = defaultValue
        self.rules = rules.filter { $0 != .required }
        self.renamedFrom = renamedFrom
    }

    /// Returns the attribute with its value preserved in the history of a store when an object is deleted.
    ///
    ///     .uuid("identifier", .required).preservedInHistory()
    public func preservedInHistory() -> Self {
        var copy = self
        copy.isPreservedInHistory = true
        return copy
    }

    /// Returns the attribute with a value that each save computes and stores.
    ///
    ///     .string("sortTitle").derived(from: "lowercase(title)")
    ///     .integer64("bookCount", default: 0).derived(from: "books.@count")
    ///     .string("authorName").derived(from: "author.name")
    ///
    /// The expression is written in the language of ``FetchPredicate``. It can use the attributes of the object and of objects
    /// to which one of its relationships leads, but not `now()`. An attribute that follows from a relationship is optional or
    /// has a default, and the attributes of the related objects do not follow from relationships themselves.
    ///
    /// If the value of the expression is nil and the attribute is not optional, the attribute has its default. A derived
    /// attribute has no rules except `required`, and the program cannot set it.
    public func derived(from expression: String) -> Self {
        var copy = self
        copy.derivedFrom = expression
        return copy
    }

    /// Returns the attribute with its values stored in a table of their own. The type is `string` or `binary`.
    ///
    ///     .binary("scan", .length(0...10_000_000)).external()
    public func external() -> Self {
        var copy = self
        copy.isExternal = true
        return copy
    }
}

extension AttributeDescription {
    /// Creates an attribute for a list of values, which are stored as JSON.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute.
    ///   - elementType: The type of the elements. It can be every type but `binary`.
    ///   - rules: The rules. Only `required` applies to lists.
    ///   - value: The initial value, or `nil` if there is none.
    ///   - optional: Whether an object may be saved without a list.
    ///   - renamedFrom: The name of the attribute in the previous model version, if it was renamed.
    public static func list(
        _ name: String, of elementType: AttributeType, _ rules: ValidationRule...,
        default value: [AttributeValue]? = nil, optional: Bool? = nil, renamedFrom: String? = nil
    ) -> Self {
        // An element without a place in JSON makes a default that the model refuses.
        let text = value.map { AttributeValue.string(ListValue.text($0) ?? "") }
        var attribute = Self(
            name, .string, optional: optional, default: text ?? .null, rules: rules, renamedFrom: renamedFrom)
        attribute.elementType = elementType
        return attribute
    }

    /// Creates an attribute for text.
    public static func string(
        _ name: String, _ rules: ValidationRule..., default value: String? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .string, optional: optional, default: value.map { .string($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for integers of 16 bits.
    public static func integer16(
        _ name: String, _ rules: ValidationRule..., default value: Int16? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer16, optional: optional, default: value.map { .integer(Int64($0)) } ?? .null,
            rules: rules, renamedFrom: renamedFrom)
    }

    /// Creates an attribute for integers of 32 bits.
    public static func integer32(
        _ name: String, _ rules: ValidationRule..., default value: Int32? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer32, optional: optional, default: value.map { .integer(Int64($0)) } ?? .null,
            rules: rules, renamedFrom: renamedFrom)
    }

    /// Creates an attribute for integers of 64 bits.
    public static func integer64(
        _ name: String, _ rules: ValidationRule..., default value: Int64? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer64, optional: optional, default: value.map { .integer($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for floating-point numbers of 64 bits.
    public static func double(
        _ name: String, _ rules: ValidationRule..., default value: Double? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .double, optional: optional, default: value.map { .double($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for decimal numbers, which are not rounded.
    public static func decimal(
        _ name: String, _ rules: ValidationRule..., default value: DecimalValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .decimal, optional: optional, default: value.map { .decimal($0.text) } ?? .null,
            rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for Boolean values.
    public static func boolean(
        _ name: String, _ rules: ValidationRule..., default value: Bool? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .boolean, optional: optional, default: value.map { .boolean($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for dates.
    public static func date(
        _ name: String, _ rules: ValidationRule..., default value: Timestamp? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .date, optional: optional, default: value.map { .date($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for bytes.
    public static func binary(
        _ name: String, _ rules: ValidationRule..., default value: [UInt8]? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .binary, optional: optional, default: value.map { .binary($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for universally unique identifiers.
    public static func uuid(
        _ name: String, _ rules: ValidationRule..., default value: UUIDValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .uuid, optional: optional, default: value.map { .uuid($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    /// Creates an attribute for URIs.
    public static func uri(
        _ name: String, _ rules: ValidationRule..., default value: URIValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .uri, optional: optional, default: value.map { .uri($0.text) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }
}
