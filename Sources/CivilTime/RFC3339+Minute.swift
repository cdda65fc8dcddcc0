extension RFC3339 {
    /// A minute as the clock of a zone shows it: all of a text but the seconds.
    struct Minute {
        /// More days than there are from the bound before 1970 on, so that no number is negative.
        private static let daysBefore1970 = 4_000_000
        static let secondsBefore1970 = daysBefore1970 * CivilDateTime.secondsPerDay
        static let minutesPerDay = CivilDateTime.secondsPerDay / 60

        /// The number of minutes from the bound to it.
        let day: Int
        /// `2026-11-21T09:00`
        let text: SIMD16<UInt8>
        /// `Z` or `+01:00`, and bytes that do not count.
        let offset: SIMD8<UInt8>
        let offsetCount: Int

        static let none = Minute(day: -1, text: SIMD16(), offset: SIMD8(), offsetCount: 0)

        private init(day: Int, text: SIMD16<UInt8>, offset: SIMD8<UInt8>, offsetCount: Int) {
            self.day = day
            self.text = text
            self.offset = offset
            self.offsetCount = offsetCount
        }

        /// - Parameters:
        ///   - number: the minutes since the bound on a clock that is `offset` seconds ahead of UTC.
        ///   - date: a text that begins with the same day, or `nil`. To compute the day takes longer than all the rest.
        init?(_ number: Int, offset: Int, date: SIMD16<UInt8>?) {
            let (day, minuteOfDay) = number.quotientAndRemainder(dividingBy: Self.minutesPerDay)
            var text = date ?? SIMD16()
            if date == nil {
                guard let date = CivilDate(daysSince1970: day - Self.daysBefore1970) else { return nil }
                text.write { $0.write(date) }
            }
            text.write(from: 10) { digits in
                digits.write("T")
                digits.write(twoDigits: minuteOfDay / 60)
                digits.write(":")
                digits.write(twoDigits: minuteOfDay % 60)
            }
            var end = SIMD8<UInt8>()
            let count = end.write { $0.write(offset: offset) }
            self.init(day: day, text: text, offset: end, offsetCount: count)
        }
    }
}

extension SIMD where Scalar == UInt8 {
    /// Puts digits into the bytes from `start` on, and returns the index after them.
    @discardableResult
    fileprivate mutating func write(from start: Int = 0, _ body: (inout RFC3339.DigitWriter) -> Void) -> Int {
        withUnsafeMutableBytes(of: &self) { bytes in
            var digits = RFC3339.DigitWriter(buffer: bytes.bindMemory(to: UInt8.self), count: start)
            body(&digits)
            return digits.count
        }
    }
}
