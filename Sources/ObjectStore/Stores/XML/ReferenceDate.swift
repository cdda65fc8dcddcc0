internal import CivilTime

/// Moments as Core Data writes them: decimal seconds since the first moment of 2001, UTC.
///
/// The text is exact, and so is the way back. Adding and subtracting in binary would lose the last bits of
/// moments near 1970, so the seconds between the two years are added to the digits.
enum ReferenceDate {
    /// From the first moment of 1970 to that of 2001.
    private static let offset: Int128 = 978_307_200
    /// From here on a double is so coarse that the offset does not change it.
    private static let coarse = 0x1p100

    static func text(of moment: Timestamp) -> String {
        let seconds = moment.secondsSince1970
        if let whole = Int32(exactly: seconds) { return String(Int64(whole) - Int64(offset)) }
        guard abs(seconds) < coarse else { return seconds.description }
        let whole = seconds.rounded(.towardZero)
        var number = Decimal(whole: Int128(whole), digits: digits(ofFraction: abs(seconds - whole)))
        if seconds < 0 { number.makeFloor() }
        number.whole -= offset
        return number.text
    }

    /// Nil when the text is no number.
    static func moment(of text: String) -> Timestamp? {
        if let whole = Int32(text) {
            return Timestamp(secondsSince1970: Double(Int64(whole) + Int64(offset)))
        }
        if let number = Decimal(text) {
            var number = number
            number.whole += offset
            return Double(number.text).map { Timestamp(secondsSince1970: $0) }
        }
        // A number with an exponent.
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        return Timestamp(secondsSince1970: seconds + (abs(seconds) < coarse ? Double(offset) : 0))
    }

    /// The shortest digits behind the point that are this fraction and no other.
    private static func digits(ofFraction fraction: Double) -> [UInt8] {
        guard fraction > 0 else { return [] }
        let parts = fraction.description.split(separator: "e-")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        guard parts.count == 2, let exponent = Int(parts[1]) else { return Array(digits.dropFirst()) }
        let significant =
            digits.count > 1 && digits.last == UInt8(ascii: "0") ? digits.dropLast() : digits[...]
        return Array(repeating: UInt8(ascii: "0"), count: exponent - 1) + significant
    }

    /// A decimal number as the whole number below it, and the digits of what is above that.
    private struct Decimal {
        var whole: Int128
        private var digits: [UInt8]

        init(whole: Int128, digits: [UInt8]) {
            self.whole = whole
            self.digits = digits
        }

        /// Reads an optional sign, digits, and optionally a point and digits; nil for anything else, and for
        /// more digits than can be counted with.
        init?(_ text: String) {
            let isNegative = text.utf8.first == UInt8(ascii: "-")
            let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
                .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
            let isNumber = parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
            guard isNumber, let first = parts.first, first.count < 36,
                let whole = Int128(String(Substring(first)))
            else { return nil }
            self.init(whole: isNegative ? -whole : whole, digits: parts.count == 2 ? Array(parts[1]) : [])
            if isNegative { makeFloor() }
        }

        /// Makes -2 and .3, meant as -2.3, the same number as -3 and .7.
        mutating func makeFloor() {
            guard digits.contains(where: { $0 != UInt8(ascii: "0") }) else { return }
            whole -= 1
            digits = Self.complement(digits)
        }

        var text: String {
            let hasFraction = digits.contains { $0 != UInt8(ascii: "0") }
            guard hasFraction else { return whole.description }
            guard whole < 0 else { return "\(whole).\(String(decoding: digits, as: UTF8.self))" }
            let fraction = String(decoding: Self.complement(digits), as: UTF8.self)
            return "-\(-(whole + 1)).\(fraction)"
        }

        /// The digits of 1 less the fraction.
        private static func complement(_ digits: [UInt8]) -> [UInt8] {
            var result = digits.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
            for position in result.indices.reversed() {
                if result[position] < UInt8(ascii: "9") {
                    result[position] += 1
                    break
                }
                result[position] = UInt8(ascii: "0")
            }
            return result
        }
    }
}
