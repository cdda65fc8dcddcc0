extension RFC3339 {
    /// The digits after the decimal point, such as `123456` with a `digitCount` of 6.
    struct Fraction {
        static let most = 15

        var digits: Int
        var digitCount: Int

        /// Returns ten to the power of `digitCount`, which is exact up to `most`.
        static func scale(_ digitCount: Int) -> Double {
            var scale = 1.0
            for _ in 0..<digitCount { scale *= 10 }
            return scale
        }

        var seconds: Double { Double(digits) / Self.scale(digitCount) }

        /// Returns the whole seconds, and the fraction in microseconds.
        static func parts(of moment: Timestamp) -> (whole: Int, Fraction) {
            let whole = moment.wholeSeconds
            // Rounding may carry into the next second: 0.9999999 s must not be written with seven digits.
            let microseconds = Int((moment.secondsSince1970 - Double(whole)) * 1e6 + 0.5)
            if microseconds == 1_000_000 { return (whole + 1, Fraction(digits: 0, digitCount: 6)) }
            return (whole, Fraction(digits: microseconds, digitCount: 6))
        }

        /// Returns the whole seconds and, if microseconds are not exact, a fraction with more digits.
        static func exactParts(of moment: Timestamp) -> (whole: Int, Fraction) {
            let whole = moment.wholeSeconds
            let rest = moment.secondsSince1970 - Double(whole)
            for digitCount in 6...most {
                let digits = Int((rest * scale(digitCount)).rounded())
                let fraction = Fraction(digits: digits, digitCount: digitCount)
                if fraction.seconds < 1, Double(whole) + fraction.seconds == moment.secondsSince1970 {
                    return (whole, fraction)
                }
            }
            return parts(of: moment)
        }
    }
}
