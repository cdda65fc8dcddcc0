extension RFC3339 {
    /// A writer of moments on the clock of one time zone.
    ///
    /// It caches a few minutes and the last text. Successive items often have a due time or a creation time in the same
    /// minute, and an item often has equal creation and modification times.
    package struct Clock {
        private static let beyondAllYears = 3e11

        package let zone: TimeZoneRules
        private var kept = InlineArray<4, KeptMinute>(repeating: KeptMinute(number: -1))
        /// The index of the minute to replace next.
        private var oldest = 0
        private var last = Text.none

        /// A minute, and its number in UTC.
        private struct KeptMinute {
            var number: Int
            var minute = Minute.none
        }

        /// The text of a moment that is written without `isExact`.
        private struct Text {
            var moment: Double
            var bytes: SIMD32<UInt8>
            var count: Int

            static let none = Text(moment: .nan, bytes: SIMD32(), count: 0)
        }

        package init(_ zone: TimeZoneRules) { self.zone = zone }

        /// Writes a moment like `RFC3339.write` with `isExact` false.
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

        /// Returns the minute that the clock shows at a number of seconds after the origin, and the second of that
        /// minute.
        private mutating func minute(at second: Int) -> (Minute, second: Int)? {
            let (number, rest) = second.quotientAndRemainder(dividingBy: 60)
            for index in kept.indices where kept[index].number == number {
                return (kept[index].minute, rest)
            }
            let offset = offset(at: second)
            // At the ends of the calendar, the local year may be one that the format cannot write. Use UTC then.
            guard let minute = minute(number, offset: offset) ?? minute(number, offset: 0) else { return nil }
            // Do not cache a minute in which the offset changes. Historical changes can be at any second.
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

        /// Returns the text of a cached minute on the same day, which begins with the same date, or `nil`.
        private func date(ofMinute number: Int) -> SIMD16<UInt8>? {
            let day = number / Minute.minutesPerDay
            for index in kept.indices where kept[index].minute.day == day { return kept[index].minute.text }
            return nil
        }

        /// Returns the offset in whole minutes, because the format has no seconds in it.
        ///
        /// Historical offsets can have seconds.
        private func offset(at second: Int) -> Int {
            zone.offset(atSecond: second - Minute.secondsBefore1970) / 60 * 60
        }
    }
}
