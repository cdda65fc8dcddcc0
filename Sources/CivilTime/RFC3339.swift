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

    private static let beyondAllYears = 1e12

    /// Puts the bytes of the text into `buffer`, which has room for `mostBytes`, and returns how many they are.
    package static func write(
        _ moment: Timestamp, in zone: TimeZoneRules, isExact: Bool = false,
        to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard abs(moment.secondsSince1970) < beyondAllYears else { return nil }
        let (whole, fraction) = isExact ? exactParts(of: moment) : parts(of: moment)
        let offset = zone.offset(at: Timestamp(secondsSince1970: whole))
        guard let local = Int(exactly: whole + Double(offset)),
            let civil = CivilDateTime(secondsSince1970: local)
        else { return nil }
        var digits = DigitWriter(buffer: buffer)
        digits.write(text: "0000-00-00T00:00:00")
        digits.put(civil.date.year / 100, at: 0)
        digits.put(civil.date.year % 100, at: 2)
        digits.put(civil.date.month, at: 5)
        digits.put(civil.date.day, at: 8)
        digits.put(civil.hour, at: 11)
        digits.put(civil.minute, at: 14)
        digits.put(civil.second, at: 17)
        digits.write(fraction)
        if offset == 0 {
            digits.write("Z")
        } else {
            digits.write(offset < 0 ? "-" : "+")
            digits.write(twoDigits: abs(offset) / 3_600)
            digits.write(":")
            digits.write(twoDigits: abs(offset) / 60 % 60)
        }
        return digits.count
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
    private static func parts(of moment: Timestamp) -> (whole: Double, Fraction) {
        // Most moments that people set have none.
        if moment.secondsSince1970 == moment.secondsSince1970.rounded(.towardZero) {
            return (moment.secondsSince1970, Fraction(digits: 0, digitCount: 0))
        }
        // Rounded first: 0.9999999 s must carry into the second, not print as seven digits.
        let rounded = (moment.secondsSince1970 * 1e6).rounded() / 1e6
        let whole = rounded.rounded(.down)
        return (whole, Fraction(digits: Int(((rounded - whole) * 1e6).rounded()), digitCount: 6))
    }

    /// The same with more digits, where the microseconds are not all of the moment.
    private static func exactParts(of moment: Timestamp) -> (whole: Double, Fraction) {
        let whole = moment.secondsSince1970.rounded(.down)
        let rest = moment.secondsSince1970 - whole
        for digitCount in 6...Fraction.most {
            let digits = Int((rest * Fraction.scale(digitCount)).rounded())
            let fraction = Fraction(digits: digits, digitCount: digitCount)
            if fraction.seconds < 1, whole + fraction.seconds == moment.secondsSince1970 {
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

        mutating func write(text: StaticString) {
            let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: bytes)
            count += bytes.count
        }

        /// Puts two digits in the place of others.
        func put(_ number: Int, at position: Int) {
            let tens = UInt8(truncatingIfNeeded: number / 10)
            buffer[position] = UInt8(ascii: "0") &+ tens
            buffer[position + 1] = UInt8(ascii: "0") &+ (UInt8(truncatingIfNeeded: number) &- tens &* 10)
        }

        mutating func write(_ character: Unicode.Scalar) {
            buffer[count] = UInt8(ascii: character)
            count += 1
        }

        mutating func write(twoDigits number: Int) {
            put(number, at: count)
            count += 2
        }

        /// Without the zeros at the end; nothing when there are no other digits.
        mutating func write(_ fraction: Fraction) {
            guard fraction.digits > 0 else { return }
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
