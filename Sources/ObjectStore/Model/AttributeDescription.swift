public import CivilTime

/// One attribute of an entity: its name, its type, and what its values have to satisfy.
///
///     .string("title", .required, .length(1...200))
///     .boolean("inPrint", default: true)
///     .date("published")
///
/// An attribute is optional unless it is `required` or has a default; `optional: true` beside a default
/// makes it both.
public struct AttributeDescription: Hashable, Sendable {
    public var name: String
    public var type: AttributeType
    public var isOptional: Bool
    /// What a new object begins with; `.null` where there is none.
    public var defaultValue: AttributeValue
    /// Every rule but `required`, which `isOptional` tells.
    public var rules: [ValidationRule]
    /// The name that the attribute had in the version before, when it was renamed.
    public var renamedFrom: String?

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
}

extension AttributeDescription {
    public static func string(
        _ name: String, _ rules: ValidationRule..., default value: String? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .string, optional: optional, default: value.map { .string($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func integer16(
        _ name: String, _ rules: ValidationRule..., default value: Int16? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer16, optional: optional, default: value.map { .integer(Int64($0)) } ?? .null,
            rules: rules, renamedFrom: renamedFrom)
    }

    public static func integer32(
        _ name: String, _ rules: ValidationRule..., default value: Int32? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer32, optional: optional, default: value.map { .integer(Int64($0)) } ?? .null,
            rules: rules, renamedFrom: renamedFrom)
    }

    public static func integer64(
        _ name: String, _ rules: ValidationRule..., default value: Int64? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .integer64, optional: optional, default: value.map { .integer($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func double(
        _ name: String, _ rules: ValidationRule..., default value: Double? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .double, optional: optional, default: value.map { .double($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func decimal(
        _ name: String, _ rules: ValidationRule..., default value: DecimalValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .decimal, optional: optional, default: value.map { .decimal($0.text) } ?? .null,
            rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func boolean(
        _ name: String, _ rules: ValidationRule..., default value: Bool? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .boolean, optional: optional, default: value.map { .boolean($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func date(
        _ name: String, _ rules: ValidationRule..., default value: Timestamp? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .date, optional: optional, default: value.map { .date($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func binary(
        _ name: String, _ rules: ValidationRule..., default value: [UInt8]? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .binary, optional: optional, default: value.map { .binary($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func uuid(
        _ name: String, _ rules: ValidationRule..., default value: UUIDValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .uuid, optional: optional, default: value.map { .uuid($0) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }

    public static func uri(
        _ name: String, _ rules: ValidationRule..., default value: URIValue? = nil, optional: Bool? = nil,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name, .uri, optional: optional, default: value.map { .uri($0.text) } ?? .null, rules: rules,
            renamedFrom: renamedFrom)
    }
}
