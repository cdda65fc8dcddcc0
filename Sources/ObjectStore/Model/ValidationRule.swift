public import CivilTime

/// What a value of an attribute has to satisfy before it is saved. Nil satisfies every rule but `required`.
public enum ValidationRule: Hashable, Sendable {
    /// There is a value.
    case required
    /// How many characters a string, or how many bytes a binary value has; both bounds included.
    case length(minimum: Int, maximum: Int?)
    /// The bounds of a number, a date or a string, both included; `.null` where there is none. Those of a decimal may be
    /// integers.
    case range(lower: AttributeValue, upper: AttributeValue)
    /// The whole string matches the regular expression, in the language of `MATCHES`.
    case pattern(String)
    /// No other object of the entity has the same value, as `==` with these options compares it.
    case unique(FetchPredicate.StringOptions)

    /// No other object of the entity has the same value.
    public static let unique = ValidationRule.unique([])
    /// No other object of the entity has the same text, whatever its case.
    public static let uniqueIgnoringCase = ValidationRule.unique(.caseInsensitive)

    public static func length(_ bounds: ClosedRange<Int>) -> Self {
        .length(minimum: bounds.lowerBound, maximum: bounds.upperBound)
    }

    public static func length(_ bounds: PartialRangeThrough<Int>) -> Self {
        .length(minimum: 0, maximum: bounds.upperBound)
    }

    public static func length(_ bounds: PartialRangeFrom<Int>) -> Self {
        .length(minimum: bounds.lowerBound, maximum: nil)
    }

    public static func range(_ bounds: ClosedRange<Int>) -> Self {
        .range(lower: .integer(Int64(bounds.lowerBound)), upper: .integer(Int64(bounds.upperBound)))
    }

    public static func range(_ bounds: PartialRangeFrom<Int>) -> Self {
        .range(lower: .integer(Int64(bounds.lowerBound)), upper: .null)
    }

    public static func range(_ bounds: PartialRangeThrough<Int>) -> Self {
        .range(lower: .null, upper: .integer(Int64(bounds.upperBound)))
    }

    public static func range(_ bounds: ClosedRange<Double>) -> Self {
        .range(lower: .double(bounds.lowerBound), upper: .double(bounds.upperBound))
    }

    public static func range(_ bounds: ClosedRange<DecimalValue>) -> Self {
        .range(lower: .decimal(bounds.lowerBound.text), upper: .decimal(bounds.upperBound.text))
    }

    public static func range(_ bounds: ClosedRange<Timestamp>) -> Self {
        .range(lower: .date(bounds.lowerBound), upper: .date(bounds.upperBound))
    }

    /// The rule's name in messages.
    public var name: String {
        switch self {
        case .required: "required"
        case .length: "length"
        case .range: "range"
        case .pattern: "pattern"
        case .unique: "unique"
        }
    }
}
