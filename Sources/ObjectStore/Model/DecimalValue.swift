/// A decimal number, exactly as written: any number of digits, compared for equality only.
///
/// The text is kept in one spelling, so that equal numbers are equal texts: no plus sign, no exponent,
/// no zeros in front or after the last digit that counts. `+01.50` becomes `1.5`.
public struct DecimalValue: Hashable, Sendable, LosslessStringConvertible {
    public let text: String

    /// Reads an optional sign, digits, and optionally a point and digits; nil for anything else.
    public init?(_ written: String) {
        var digits = written.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isNumber, let whole = parts.first else { return nil }
        let zero = UInt8(ascii: "0")
        var text = String(Substring(whole.drop { $0 == zero }))
        if text.isEmpty { text = "0" }
        if parts.count == 2, let lastDigit = parts[1].lastIndex(where: { $0 != zero }) {
            text += "." + String(Substring(parts[1][...lastDigit]))
        }
        self.text = isNegative && text != "0" ? "-" + text : text
    }

    public var description: String { text }
}
