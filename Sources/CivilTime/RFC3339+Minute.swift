extension RFC3339 {
    /// A minute in the clock of a zone: the text of a moment except its seconds.
    struct Minute {
        /// The number of days from the origin to 1970.
        ///
        /// All moments that can be written are after the origin, so no number is negative.
        private static let daysBefore1970 = 4_000_000
        static let secondsBefore1970 = daysBefore1970 * CivilDateTime.secondsPerDay
        static let minutesPerDay = CivilDateTime.secondsPerDay / 60

        /// The number of days from the origin to the day of this minute.
        let day: Int
        /// The beginning of the text, such as `2026-11-21T09:00`.
        let text: SIMD16<UInt8>
        /// The end of the text, such as `Z` or `+01:00`. Only the first `offsetCount` bytes are part of it.
        let offset: SIMD8<UInt8>
        let offsetCount: Int

        static let none = Minute(day: -1, text: SIMD16(), offset: SIMD8(), offsetCount: 0)

        private init(day: Int, text: SIMD16<UInt8>, offset: SIMD8<UInt8>, offsetCount: Int) {
            self.day = day
            self.text = text
            self.offset = offset
            self.offsetCount = offsetCount
        }

        /// Creates a minute, or returns `nil` if the year is outside 1 to 9999.
        ///
        /// - Parameters:
        ///   - number: the minutes since the origin on a clock that is `offset` seconds ahead of UTC.
        ///   - date: a text that begins with the same date, or `nil`. Computing the date takes longer than all other
        ///     steps.
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
    /// Writes digits from byte `start` on, and returns the index after them.
    @discardableResult
    fileprivate mutating func write(from start: Int = 0, _ body: (inout RFC3339.DigitWriter) -> Void) -> Int {
        withUnsafeMutableBytes(of: &self) { bytes in
            var digits = RFC3339.DigitWriter(buffer: bytes.bindMemory(to: UInt8.self), count: start)
            body(&digits)
            return digits.count
        }
    }
}
