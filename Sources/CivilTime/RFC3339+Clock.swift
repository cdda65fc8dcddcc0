extension RFC3339 {
    /// Writes one moment after the other as the clock of a zone shows it.
    ///
    /// It keeps the two days that it wrote last. A list of items has many moments of the same few days, and to find out
    /// what day it is takes longer than all the rest.
    package struct Clock {
        private static let beyondAllYears = 3e11

        private let zone: TimeZoneRules
        private var days = (Day.none, Day.none)

        package init(_ zone: TimeZoneRules) { self.zone = zone }

        /// The same as `RFC3339.write`.
        package mutating func write(
            _ moment: Timestamp, isExact: Bool = false, to buffer: UnsafeMutableBufferPointer<UInt8>
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
