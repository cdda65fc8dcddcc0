/// A date without a time of day, or a time without a time zone.
///
/// Each is a different moment in each time zone.
package enum LocalTime: Hashable, Sendable {
    /// A whole day, such as "by Friday".
    case date(CivilDate)
    /// The same time of day wherever the clock is.
    case floating(CivilDateTime)

    /// The lengths of the text.
    package static let lengths = dateLength...dateLength + 9
    private static let dateLength = 10

    /// The text in the form `2026-11-27` or `2026-11-27T20:00:00`.
    package var text: String {
        switch self {
        case .date(let date): CivilDateTime(date, secondOfDay: 0).text.prefix(Self.dateLength).description
        case .floating(let time):
            time.text.replacing(" ", with: "T") + ":" + (time.second < 10 ? "0" : "") + String(time.second)
        }
    }

    /// Reads the text of a date or a time, or returns `nil` for any other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let date = Self.date(bytes.prefix(Self.dateLength)) else { return nil }
        if bytes.count == Self.dateLength {
            self = .date(date)
            return
        }
        let rest = Array(bytes.dropFirst(Self.dateLength))
        guard rest.count == 9, rest[0] == UInt8(ascii: "T"), rest[3] == UInt8(ascii: ":"),
            rest[6] == UInt8(ascii: ":"), let hour = Self.number(rest[1...2]),
            let minute = Self.number(rest[4...5]), let second = Self.number(rest[7...8]),
            let time = CivilDateTime(date, hour: hour, minute: minute, second: second)
        else { return nil }
        self = .floating(time)
    }

    /// The day.
    package var date: CivilDate {
        switch self {
        case .date(let date): date
        case .floating(let time): time.date
        }
    }

    /// Returns the moment in a time zone. For a date, this is the last second of the day, so that an item that is due on
    /// a date is not late before the day ends.
    package func moment(in zone: TimeZoneRules) -> Timestamp {
        switch self {
        case .date(let date):
            // If the clocks go back at midnight, the last hour occurs twice.
            zone.moments(of: Self.end(of: date)).last ?? zone.moment(of: Self.end(of: date))
        case .floating(let time): zone.moment(of: time)
        }
    }

    private static func end(of date: CivilDate) -> CivilDateTime {
        CivilDateTime(date, secondOfDay: CivilDateTime.secondsPerDay - 1)
    }

    /// Returns the first moment in a time zone. For a date, this is the beginning of the day.
    package func firstMoment(in zone: TimeZoneRules) -> Timestamp {
        switch self {
        case .date(let date): zone.moment(of: CivilDateTime(date, secondOfDay: 0))
        case .floating(let time): zone.moment(of: time)
        }
    }

    /// The moment at which a clock in UTC shows this time, and the last second of the day for a date.
    ///
    /// Repeating local times are counted with these moments, so that they do not depend on a time zone.
    package var momentInUTC: Timestamp { moment(in: .utc) }

    /// Whether this is a date without a time.
    package var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// Returns a time of the same kind, with the day and the time of `civil`.
    package func moved(to civil: CivilDateTime) -> LocalTime {
        isDate ? .date(civil.date) : .floating(civil)
    }

    private static func date(_ bytes: ArraySlice<UInt8>) -> CivilDate? {
        let bytes = Array(bytes)
        guard bytes.count == dateLength, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0...3]), let month = number(bytes[5...6]), let day = number(bytes[8...9])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
