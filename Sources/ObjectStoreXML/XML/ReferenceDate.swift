internal import CivilTime

/// Times as Core Data writes them: decimal seconds since 2001-01-01 00:00:00 UTC.
///
/// The conversion is exact in both directions. Binary addition would lose the last bits of times near 1970.
/// Therefore the seconds between 1970 and 2001 are added to the decimal digits.
enum ReferenceDate {
    /// The seconds from the beginning of 1970 to the beginning of 2001, UTC.
    private static let offset: Int128 = 978_307_200
    /// The magnitude at which a double becomes so coarse that the offset does not change it.
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

    /// Returns the time that the text represents, or `nil` if the text is not a number.
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

    /// Returns the fewest decimal digits after the point that identify the fraction.
    private static func digits(ofFraction fraction: Double) -> [UInt8] {
        guard fraction > 0 else { return [] }
        let parts = fraction.description.split(separator: "e-")
        let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
        guard parts.count == 2, let exponent = Int(parts[1]) else { return Array(digits.dropFirst()) }
        let significant =
            digits.count > 1 && digits.last == UInt8(ascii: "0") ? digits.dropLast() : digits[...]
        return Array(repeating: UInt8(ascii: "0"), count: exponent - 1) + significant
    }

    /// A decimal number: the largest whole number that is not above it, and the digits of the fraction that is added.
    private struct Decimal {
        var whole: Int128
        private var digits: [UInt8]

        init(whole: Int128, digits: [UInt8]) {
            self.whole = whole
            self.digits = digits
        }

        /// Reads an optional minus sign, digits, and optionally a point and more digits. Returns `nil` for
        /// anything else, and for 36 or more digits before the point.
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

        /// Turns -2 and .3, meant as -2.3, into -3 and .7, which are the same number.
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

        /// Returns the digits of one minus the fraction.
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
