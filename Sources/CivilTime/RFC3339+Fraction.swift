extension RFC3339 {
    /// The digits after the point: `123456` with `digitCount` 6.
    struct Fraction {
        static let most = 15

        var digits: Int
        var digitCount: Int

        /// Ten to the power of a count of digits; exact, as all of them up to `most` are.
        static func scale(_ digitCount: Int) -> Double {
            var scale = 1.0
            for _ in 0..<digitCount { scale *= 10 }
            return scale
        }

        var seconds: Double { Double(digits) / Self.scale(digitCount) }

        /// The whole seconds and the microseconds.
        static func parts(of moment: Timestamp) -> (whole: Int, Fraction) {
            let whole = moment.wholeSeconds
            // Rounded, it may carry into the second: 0.9999999 s must not print as seven digits.
            let microseconds = Int((moment.secondsSince1970 - Double(whole)) * 1e6 + 0.5)
            if microseconds == 1_000_000 { return (whole + 1, Fraction(digits: 0, digitCount: 6)) }
            return (whole, Fraction(digits: microseconds, digitCount: 6))
        }

        /// The same with more digits, if the microseconds are not the whole fraction.
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
