extension RFC3339 {
    /// A day as it stands at the beginning of a text.
    struct Day {
        /// More than there are from the bound before 1970 on, so that no number is negative.
        private static let daysBefore1970 = 4_000_000
        static let secondsBefore1970 = daysBefore1970 * CivilDateTime.secondsPerDay

        let number: Int
        /// `2026-11-21T`, and five bytes that others take the place of.
        let text: SIMD16<UInt8>

        static let length = 11
        static let none = Day(number: -1, text: SIMD16())

        private init(number: Int, text: SIMD16<UInt8>) {
            self.number = number
            self.text = text
        }

        init?(_ number: Int) {
            guard let date = CivilDate(daysSince1970: number - Self.daysBefore1970) else { return nil }
            var text = SIMD16<UInt8>()
            withUnsafeMutableBytes(of: &text) { bytes in
                var digits = DigitWriter(buffer: bytes.bindMemory(to: UInt8.self))
                digits.write(twoDigits: date.year / 100)
                digits.write(twoDigits: date.year % 100)
                digits.write("-")
                digits.write(twoDigits: date.month)
                digits.write("-")
                digits.write(twoDigits: date.day)
                digits.write("T")
            }
            self.init(number: number, text: text)
        }
    }
}
