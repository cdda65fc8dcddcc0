extension RFC3339 {
    /// Returns the moment that `text` names, or `nil` if the text is not valid or there is no such date or time.
    ///
    /// The text has a date, `T` or a space, a time with optional seconds and an optional fraction, and `Z` or an
    /// offset.
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

        /// Reads the digits of a fraction, and skips those too small to matter.
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

        /// Reads `Z`, `+01:00` or, as ISO 8601 allows, `+0100` or `+01`.
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
