/// Moments as the API writes them: `2026-11-21T09:00:00+01:00`.
package enum RFC3339 {
    /// The text for `moment` on the clock of `zone`; a fraction is written to the microsecond and only if there is one.
    ///
    /// Nil outside the years 1 to 9999, which the format cannot write.
    ///
    /// - Parameter isExact: the fraction has as many digits as it takes to read the same moment again.
    package static func text(
        _ moment: Timestamp, in zone: TimeZoneRules = .utc, isExact: Bool = false
    ) -> String? {
        var isWritten = true
        // A list has several moments an item, so the text is made in one piece.
        let text = String(unsafeUninitializedCapacity: mostBytes) { buffer in
            let count = write(moment, in: zone, isExact: isExact, to: buffer)
            isWritten = count != nil
            return count ?? 0
        }
        return isWritten ? text : nil
    }

    /// `2026-11-21T09:00:00.123456789012345+01:00`
    package static let mostBytes = 41

    private static let beyondAllYears = 3e11

    /// Puts the bytes of the text into `buffer`, which has room for `mostBytes`, and returns how many they are.
    package static func write(
        _ moment: Timestamp, in zone: TimeZoneRules, isExact: Bool = false,
        to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var clock = Clock(zone)
        return clock.write(moment, isExact: isExact, to: buffer)
    }

    /// Writes one moment after the other as the clock of a zone shows it.
    ///
    /// It keeps the two days that it wrote last. A list of items has many moments of the same few days, and to find out
    /// what day it is takes longer than all the rest.
    package struct Clock {
        private let zone: TimeZoneRules
        private var days = (Day.none, Day.none)

        package init(_ zone: TimeZoneRules) { self.zone = zone }

        /// The same as `RFC3339.write`.
        package mutating func write(
            _ moment: Timestamp, isExact: Bool = false, to buffer: UnsafeMutableBufferPointer<UInt8>
        ) -> Int? {
            guard abs(moment.secondsSince1970) < beyondAllYears else { return nil }
            let (second, fraction) = isExact ? exactParts(of: moment) : parts(of: moment)
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

    /// A day as it stands at the beginning of a text.
    private struct Day {
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

    /// The moment that `text` names: a date, `T` or a space, a time with optional seconds and fraction, and `Z` or an offset.
    ///
    /// Nil when it is anything else, also when there is no such day or time.
    package static func moment(_ text: some StringProtocol) -> Timestamp? {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
            scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2)
        else { return nil }
        var second = 0
        var fraction = 0.0
        if scanner.take(":") {
            guard let value = scanner.digits(2) else { return nil }
            second = value
            if scanner.take(".") {
                guard let value = scanner.fraction() else { return nil }
                fraction = value
            }
        }
        guard let offset = scanner.offset(), scanner.atEnd,
            let date = CivilDate(year: year, month: month, day: day),
            let civil = CivilDateTime(date, hour: hour, minute: minute, second: second)
        else { return nil }
        return Timestamp(secondsSince1970: Double(civil.secondsSince1970 - offset) + fraction)
    }

    /// What stands behind the point: `123456` with `digitCount` 6.
    private struct Fraction {
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
    }

    /// The whole seconds and the microseconds.
    private static func parts(of moment: Timestamp) -> (whole: Int, Fraction) {
        let whole = moment.wholeSeconds
        // Rounded, it may carry into the second: 0.9999999 s must not print as seven digits.
        let microseconds = Int((moment.secondsSince1970 - Double(whole)) * 1e6 + 0.5)
        if microseconds == 1_000_000 { return (whole + 1, Fraction(digits: 0, digitCount: 6)) }
        return (whole, Fraction(digits: microseconds, digitCount: 6))
    }

    /// The same with more digits, where the microseconds are not all of the moment.
    private static func exactParts(of moment: Timestamp) -> (whole: Int, Fraction) {
        let whole = moment.wholeSeconds
        let rest = moment.secondsSince1970 - Double(whole)
        for digitCount in 6...Fraction.most {
            let digits = Int((rest * Fraction.scale(digitCount)).rounded())
            let fraction = Fraction(digits: digits, digitCount: digitCount)
            if fraction.seconds < 1, Double(whole) + fraction.seconds == moment.secondsSince1970 {
                return (whole, fraction)
            }
        }
        return parts(of: moment)
    }

    /// Puts numbers of a fixed width into the bytes of a text.
    private struct DigitWriter {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(buffer: UnsafeMutableBufferPointer<UInt8>) {
            self.buffer = buffer
        }

        mutating func write(_ day: Day) {
            UnsafeMutableRawBufferPointer(buffer).storeBytes(of: day.text, as: SIMD16<UInt8>.self)
            count += Day.length
        }

        mutating func write(_ character: Unicode.Scalar) {
            buffer[count] = UInt8(ascii: character)
            count += 1
        }

        mutating func write(twoDigits number: Int) {
            put(number, at: count)
            count += 2
        }

        private func put(_ number: Int, at position: Int) {
            let number = UInt32(truncatingIfNeeded: number)
            let tens = number / 10
            let digits = UInt16(truncatingIfNeeded: tens | (number &- tens &* 10) << 8) | 0x3030
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: digits.littleEndian, toByteOffset: position, as: UInt16.self)
        }

        /// `09:00:00`
        mutating func write(secondOfDay: Int) {
            let minutes = secondOfDay / 60
            let hours = minutes / 60
            put(hours, at: count)
            buffer[count + 2] = UInt8(ascii: ":")
            put(minutes - hours * 60, at: count + 3)
            buffer[count + 5] = UInt8(ascii: ":")
            put(secondOfDay - minutes * 60, at: count + 6)
            count += 8
        }

        /// `Z`, `+01:00`
        mutating func write(offset: Int) {
            if offset == 0 { return write("Z") }
            write(offset < 0 ? "-" : "+")
            write(twoDigits: abs(offset) / 3_600)
            write(":")
            write(twoDigits: abs(offset) / 60 % 60)
        }

        /// Without the zeros at the end.
        mutating func write(_ fraction: Fraction) {
            write(".")
            let rest = fraction.digits
            if fraction.digitCount == 6 {
                write(twoDigits: rest / 10_000)
                write(twoDigits: rest / 100 % 100)
                write(twoDigits: rest % 100)
            } else {
                write(rest, digitCount: fraction.digitCount)
            }
            while buffer[count - 1] == UInt8(ascii: "0") { count -= 1 }
        }

        private mutating func write(_ number: Int, digitCount: Int) {
            var rest = number
            for place in (0..<digitCount).reversed() {
                buffer[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count += digitCount
        }
    }

    private struct DigitScanner {
        private let bytes: [UInt8]
        private var position = 0

        init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

        var atEnd: Bool { position == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
            position += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard bytes.count - position >= count else { return nil }
            var value = 0
            for byte in bytes[position..<position + count] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            position += count
            return value
        }

        /// Digits that are too small to count are passed over.
        mutating func fraction() -> Double? {
            var fraction = Fraction(digits: 0, digitCount: 0)
            let start = position
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                if fraction.digitCount < Fraction.most {
                    fraction.digits = fraction.digits * 10 + Int(bytes[position] - 0x30)
                    fraction.digitCount += 1
                }
                position += 1
            }
            return position > start ? fraction.seconds : nil
        }

        /// `Z`, `+01:00`, and as ISO 8601 has it too `+0100` and `+01`.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign: Int
            if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
            guard let hours = digits(2), hours < 24 else { return nil }
            if atEnd { return sign * hours * 3_600 }
            _ = take(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }
}
