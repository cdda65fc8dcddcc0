/// A decimal number, exactly as written, of any number of digits.
///
/// The text is kept in one spelling, so that equal numbers are equal texts: no plus sign, no exponent,
/// no zeros in front or after the last digit that counts. `+01.50` becomes `1.5`.
public struct DecimalValue: Hashable, Sendable, LosslessStringConvertible {
    public let text: String

    /// Reads an optional sign, digits, and optionally a point and digits; nil for anything else.
    public init?(_ written: String) {
        var written = written
        let text = written.withUTF8 { DecimalDigits(utf8: $0)?.text }
        guard let text else { return nil }
        self.text = text
    }

    public var description: String { text }
}

extension DecimalValue {
    /// The one with the fewest digits that reads back as the double; nil of one that is not finite.
    init?(shortest number: Double) {
        let parts = number.description.split(separator: "e")
        guard parts.count == 2, let power = Int(parts[1]) else {
            self.init(number.description)
            return
        }
        // Of 1.5e-05 the digits are 15, and the point stands one place behind the first, and five before that.
        let digits = parts[0].filter(\.isNumber)
        let point = power + 1
        let zeros = { String(repeating: "0", count: max(0, $0)) }
        let whole = zeros(1 - point) + digits.prefix(max(0, point)) + zeros(point - digits.count)
        let fraction = point < 0 ? zeros(-point) + digits : String(digits.dropFirst(point))
        self.init((number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction))
    }
}

extension DecimalValue: Comparable {
    /// The order of the numbers, not of their texts: 9.5 comes before 10.
    public static func < (left: Self, right: Self) -> Bool {
        // A text that is a DecimalValue has a rank.
        guard let left = DecimalRank(left.text), let right = DecimalRank(right.text) else { return false }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension DecimalValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) {
        text = String(value)
    }
}
