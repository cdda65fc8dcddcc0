/// A decimal number with any number of digits, kept without rounding.
///
/// The text is normalized, so equal numbers have equal texts. It has no plus sign, no exponent, no leading zeros
/// and no trailing zeros after the point. `+01.50` becomes `1.5`.
public struct DecimalValue: Hashable, Sendable, LosslessStringConvertible {
    /// The digits of the number, in its only form.
    public let text: String

    /// Parses an optional sign, digits, and optionally a point and digits. Returns `nil` for any other text.
    public init?(_ written: String) {
        var written = written
        let text = written.withUTF8 { DecimalDigits(utf8: $0)?.text }
        guard let text else { return nil }
        self.text = text
    }

    public var description: String { text }
}

extension DecimalValue {
    /// Creates the shortest decimal number that converts back to `number`, or `nil` if `number` is not finite.
    init?(shortest number: Double) {
        let parts = number.description.split(separator: "e")
        guard parts.count == 2, let power = Int(parts[1]) else {
            self.init(number.description)
            return
        }
        // In 1.5e-05 the digits are 15. The point is after the first digit, moved five places to the left.
        let digits = parts[0].filter(\.isNumber)
        let point = power + 1
        let zeros = { String(repeating: "0", count: max(0, $0)) }
        let whole = zeros(1 - point) + digits.prefix(max(0, point)) + zeros(point - digits.count)
        let fraction = point < 0 ? zeros(-point) + digits : String(digits.dropFirst(point))
        self.init((number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction))
    }
}

extension DecimalValue: Comparable {
    /// Compares the numbers and not their texts: 9.5 is less than 10.
    public static func < (left: Self, right: Self) -> Bool {
        // Every DecimalValue has a rank, so this never fails.
        guard let left = DecimalRank(left.text), let right = DecimalRank(right.text) else { return false }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension DecimalValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) {
        text = String(value)
    }
}

extension AttributeValue {
    /// The value with a decimal number in its only form. Other values, and texts that are no number, do not change.
    var withNormalizedDecimal: AttributeValue {
        guard case .decimal(let written) = self, let number = DecimalValue(written) else { return self }
        return .decimal(number.text)
    }
}
