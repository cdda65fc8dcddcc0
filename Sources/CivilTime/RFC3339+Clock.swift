extension RFC3339 {
    /// Writes one moment after the other as the clock of a zone shows it.
    ///
    /// It keeps a few minutes that it wrote, and the last text. Items that follow one another are often due, and were often
    /// made, in the same minute, and many an item was last changed when it was made.
    package struct Clock {
        private static let beyondAllYears = 3e11

        package let zone: TimeZoneRules
        private var kept = InlineArray<4, KeptMinute>(repeating: KeptMinute(number: -1))
        /// The index of the minute that the next one replaces.
        private var oldest = 0
        private var last = Text.none

        /// A minute, and its number counted in UTC.
        private struct KeptMinute {
            var number: Int
            var minute = Minute.none
        }

        /// The text of a moment, in as many bytes as one has without `isExact`.
        private struct Text {
            var moment: Double
            var bytes: SIMD32<UInt8>
            var count: Int

            static let none = Text(moment: .nan, bytes: SIMD32(), count: 0)
        }

        package init(_ zone: TimeZoneRules) { self.zone = zone }

        /// The same as `RFC3339.write`, of moments that need not be exact.
        package mutating func write(
            _ moment: Timestamp, to buffer: UnsafeMutableBufferPointer<UInt8>
        ) -> Int? {
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            if moment.secondsSince1970 == last.moment {
                bytes.storeBytes(of: last.bytes, as: SIMD32<UInt8>.self)
                return last.count
            }
            guard let count = write(moment, isExact: false, to: buffer) else { return nil }
            last = Text(
                moment: moment.secondsSince1970, bytes: bytes.loadUnaligned(as: SIMD32<UInt8>.self),
                count: count)
            return count
        }

        mutating func write(
            _ moment: Timestamp, isExact: Bool, to buffer: UnsafeMutableBufferPointer<UInt8>
        ) -> Int? {
            guard abs(moment.secondsSince1970) < Self.beyondAllYears else { return nil }
            let (whole, fraction) = isExact ? Fraction.exactParts(of: moment) : Fraction.parts(of: moment)
            guard let (minute, second) = minute(at: whole + Minute.secondsBefore1970) else { return nil }
            var digits = DigitWriter(buffer: buffer)
            digits.write(minute.text)
            digits.write(":")
            digits.write(twoDigits: second)
            if fraction.digits > 0 { digits.write(fraction) }
            digits.write(minute.offset, count: minute.offsetCount)
            return digits.count
        }

        /// The minute that the clock shows so many seconds after the bound, and the second of that minute.
        private mutating func minute(at second: Int) -> (Minute, second: Int)? {
            let (number, rest) = second.quotientAndRemainder(dividingBy: 60)
            for index in kept.indices where kept[index].number == number {
                return (kept[index].minute, rest)
            }
            let offset = offset(at: second)
            // At the ends of the calendar, the clock of the zone may show a year that the format cannot write.
            guard let minute = minute(number, offset: offset) ?? minute(number, offset: 0) else { return nil }
            // Long ago clocks changed at any second.
            if self.offset(at: number * 60) == offset, self.offset(at: number * 60 + 59) == offset {
                kept[oldest] = KeptMinute(number: number, minute: minute)
                oldest = (oldest + 1) % kept.count
            }
            return (minute, rest)
        }

        private func minute(_ number: Int, offset: Int) -> Minute? {
            let shown = number + offset / 60
            return Minute(shown, offset: offset, date: date(ofMinute: shown))
        }

        /// The text of a kept minute of the same day, whose date is good for this one.
        private func date(ofMinute number: Int) -> SIMD16<UInt8>? {
            let day = number / Minute.minutesPerDay
            for index in kept.indices where kept[index].minute.day == day { return kept[index].minute.text }
            return nil
        }

        /// In whole minutes, because the format has no seconds of an offset. Long ago clocks were ahead of others by seconds.
        private func offset(at second: Int) -> Int {
            zone.offset(atSecond: second - Minute.secondsBefore1970) / 60 * 60
        }
    }
}
