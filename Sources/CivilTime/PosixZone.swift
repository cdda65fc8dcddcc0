/// The rule in a POSIX `TZ` text, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Every zone file ends with such a text.
struct PosixZone: Sendable {
    let standard: TimeZoneRules.Clock
    private let daylight: Daylight?

    private struct Daylight: Sendable {
        let clock: TimeZoneRules.Clock
        let begins: Change
        let ends: Change
    }

    /// A day of each year, and the second of that day on the clock before the change.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// `Mm.w.d`: weekday `d` of week `w` in month `m`. Week 5 is the last one, and weekday 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
            /// `Jn`: a day from 1 to 365. 29 February is never counted.
            case julian(Int)
            /// `n`: a day from 0 to 365. 29 February is counted.
            case ordinal(Int)
        }

        let day: Day
        let second: Int

        func secondsSince1970(in year: Int) -> Int {
            guard let newYear = CivilDate(year: year, month: 1, day: 1) else { return 0 }
            let start = newYear.daysSince1970
            let days: Int
            switch day {
            case .julian(let number):
                days = start + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .ordinal(let number):
                days = start + number
            case .weekday(let month, let week, let weekday):
                guard let first = CivilDate(year: year, month: month, day: 1) else { return 0 }
                let firstWeekday = (first.weekday.rawValue + 1) % 7
                var offset = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                while offset >= CivilDate.days(inMonth: month, of: year) { offset -= 7 }
                days = first.daysSince1970 + offset
            }
            return days * CivilDateTime.secondsPerDay + second
        }
    }

    func clock(atSecond second: Int) -> TimeZoneRules.Clock {
        guard let daylight,
            let year = CivilDateTime(secondsSince1970: second + standard.offset)?.date.year
        else { return standard }
        let begins = daylight.begins.secondsSince1970(in: year) - standard.offset
        let ends = daylight.ends.secondsSince1970(in: year) - daylight.clock.offset
        // In the southern hemisphere, daylight saving time includes the turn of the year.
        let isDaylight =
            begins < ends ? (begins..<ends).contains(second) : !(ends..<begins).contains(second)
        return isDaylight ? daylight.clock : standard
    }

    // MARK: - Reading

    init?(_ text: some StringProtocol) {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard let name = scanner.name(), let west = scanner.time(hours: 24) else { return nil }
        standard = TimeZoneRules.Clock(offset: -west, abbreviation: name)
        guard !scanner.atEnd else {
            daylight = nil
            return
        }
        guard let daylightName = scanner.name() else { return nil }
        var daylightOffset = standard.offset + 3_600
        if !scanner.atEnd, !scanner.next(is: ",") {
            guard let west = scanner.time(hours: 24) else { return nil }
            daylightOffset = -west
        }
        guard scanner.take(","), let begins = scanner.change(),
            scanner.take(","), let ends = scanner.change(), scanner.atEnd
        else { return nil }
        daylight = Daylight(
            clock: TimeZoneRules.Clock(offset: daylightOffset, abbreviation: daylightName), begins: begins,
            ends: ends)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var atEnd: Bool { position == bytes.count }

        func next(is character: Unicode.Scalar) -> Bool {
            position < bytes.count && UInt32(bytes[position]) == character.value
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard next(is: character) else { return false }
            position += 1
            return true
        }

        /// Reads an abbreviation such as `CEST` or `<+03>`.
        mutating func name() -> String? {
            let isQuoted = take("<")
            let start = position
            while !atEnd, isQuoted ? !next(is: ">") : isLetter(bytes[position]) { position += 1 }
            let name = String(decoding: bytes[start..<position], as: UTF8.self)
            return isQuoted ? take(">") ? name : nil : name.utf8.count >= 3 ? name : nil
        }

        private func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }

        mutating func number() -> Int? {
            var value: Int?
            while position < bytes.count, (0x30...0x39).contains(bytes[position]), (value ?? 0) < 10_000 {
                value = (value ?? 0) * 10 + Int(bytes[position] - 0x30)
                position += 1
            }
            return value
        }

        /// Reads `[+-]hh[:mm[:ss]]`, and returns the seconds.
        mutating func time(hours limit: Int) -> Int? {
            let sign = take("-") ? -1 : 1
            if sign == 1 { _ = take("+") }
            guard let hours = number(), hours <= limit else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] where take(":") {
                guard let value = number(), value < 60 else { return nil }
                seconds += value * unit
            }
            return sign * seconds
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if take("M") {
                guard let month = number(), take("."), let week = number(), take("."), let weekday = number(),
                    (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else if take("J") {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), (0...365).contains(number) else { return nil }
                day = .ordinal(number)
            }
            guard take("/") else { return Change(day: day, second: 2 * 3_600) }
            // RFC 8536 allows hours from -167 to 167.
            guard let second = time(hours: 167) else { return nil }
            return Change(day: day, second: second)
        }
    }
}
