extension RFC3339 {
    /// Writes one moment after the other as the clock of a zone shows it.
    ///
    /// It keeps the two days that it wrote last, and the last text. A list of items has many moments of the same few days,
    /// and to find out what day it is takes longer than all the rest; many an item was last changed when it was made.
    package struct Clock {
        private static let beyondAllYears = 3e11

        private let zone: TimeZoneRules
        private var days = (Day.none, Day.none)
        private var last = Text.none

        /// What was written for a moment, in as many bytes as there are without `isExact`.
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
            let (second, fraction) = isExact ? Fraction.exactParts(of: moment) : Fraction.parts(of: moment)
            let offset = zone.offset(atSecond: second)
            let local = second + offset + Day.secondsBefore1970
            let (number, secondOfDay) = local.quotientAndRemainder(dividingBy: CivilDateTime.secondsPerDay)
            guard let day = day(number) else { return nil }
            var digits = DigitWriter(buffer: buffer)
            digits.write(day)
            digits.write(secondOfDay: secondOfDay)
            if fraction.digits > 0 { digits.write(fraction) }
            digits.write(offset: offset)
            return digits.count
        }

        private mutating func day(_ number: Int) -> Day? {
            if days.0.number == number { return days.0 }
            if days.1.number == number { return days.1 }
            guard let day = Day(number) else { return nil }
            days = (day, days.0)
            return day
        }
    }
}
