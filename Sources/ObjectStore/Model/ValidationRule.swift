public import CivilTime

/// A condition that an attribute's value has to satisfy to be saved. `.null` satisfies every rule except `required`.
public enum ValidationRule: Hashable, Sendable {
    /// The value is not `.null`.
    case required
    /// The number of characters in a string or URI, or of bytes in a binary value. Both bounds are inclusive.
    case length(minimum: Int, maximum: Int?)
    /// The bounds of a number, a date or a string, both inclusive.
    ///
    /// `.null` means no bound. The bounds of a decimal may be integers.
    case range(lower: AttributeValue, upper: AttributeValue)
    /// The whole string matches the regular expression, which has the syntax of `MATCHES`.
    case pattern(String)
    /// No other object of the entity has an equal value, compared as `==` does with these options.
    case unique(StringOptions)

    /// No other object of the entity has the same value.
    public static let unique = ValidationRule.unique([])
    /// No other object of the entity has the same text, ignoring case.
    public static let uniqueIgnoringCase = ValidationRule.unique(.caseInsensitive)

    /// Returns a rule for the length of a text, a URI or bytes.
    public static func length(_ bounds: ClosedRange<Int>) -> Self {
        .length(minimum: bounds.lowerBound, maximum: bounds.upperBound)
    }

    /// Returns a rule for the greatest length of a text, a URI or bytes.
    public static func length(_ bounds: PartialRangeThrough<Int>) -> Self {
        .length(minimum: 0, maximum: bounds.upperBound)
    }

    /// Returns a rule for the least length of a text, a URI or bytes.
    public static func length(_ bounds: PartialRangeFrom<Int>) -> Self {
        .length(minimum: bounds.lowerBound, maximum: nil)
    }

    /// Returns a rule for the least and the greatest integer.
    public static func range(_ bounds: ClosedRange<Int>) -> Self {
        .range(lower: .integer(Int64(bounds.lowerBound)), upper: .integer(Int64(bounds.upperBound)))
    }

    /// Returns a rule for the least integer.
    public static func range(_ bounds: PartialRangeFrom<Int>) -> Self {
        .range(lower: .integer(Int64(bounds.lowerBound)), upper: .null)
    }

    /// Returns a rule for the greatest integer.
    public static func range(_ bounds: PartialRangeThrough<Int>) -> Self {
        .range(lower: .null, upper: .integer(Int64(bounds.upperBound)))
    }

    /// Returns a rule for the least and the greatest floating-point number.
    public static func range(_ bounds: ClosedRange<Double>) -> Self {
        .range(lower: .double(bounds.lowerBound), upper: .double(bounds.upperBound))
    }

    /// Returns a rule for the least floating-point number.
    public static func range(_ bounds: PartialRangeFrom<Double>) -> Self {
        .range(lower: .double(bounds.lowerBound), upper: .null)
    }

    /// Returns a rule for the greatest floating-point number.
    public static func range(_ bounds: PartialRangeThrough<Double>) -> Self {
        .range(lower: .null, upper: .double(bounds.upperBound))
    }

    /// Returns a rule for the least and the greatest decimal number.
    public static func range(_ bounds: ClosedRange<DecimalValue>) -> Self {
        .range(lower: .decimal(bounds.lowerBound.text), upper: .decimal(bounds.upperBound.text))
    }

    /// Returns a rule for the least decimal number.
    public static func range(_ bounds: PartialRangeFrom<DecimalValue>) -> Self {
        .range(lower: .decimal(bounds.lowerBound.text), upper: .null)
    }

    /// Returns a rule for the greatest decimal number.
    public static func range(_ bounds: PartialRangeThrough<DecimalValue>) -> Self {
        .range(lower: .null, upper: .decimal(bounds.upperBound.text))
    }

    /// Returns a rule for the earliest and the latest date.
    public static func range(_ bounds: ClosedRange<Timestamp>) -> Self {
        .range(lower: .date(bounds.lowerBound), upper: .date(bounds.upperBound))
    }

    /// Returns a rule for the earliest date.
    public static func range(_ bounds: PartialRangeFrom<Timestamp>) -> Self {
        .range(lower: .date(bounds.lowerBound), upper: .null)
    }

    /// Returns a rule for the latest date.
    public static func range(_ bounds: PartialRangeThrough<Timestamp>) -> Self {
        .range(lower: .null, upper: .date(bounds.upperBound))
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
