/// A date and a time of day without a time zone, as a calendar and a wall clock show them.
package struct CivilDateTime: Hashable, Sendable, Comparable {
    package static let secondsPerDay = 86_400

    package let date: CivilDate
    private let storedSecond: Int32

    package var secondOfDay: Int { Int(storedSecond) }

    /// Creates a time of a day, or returns `nil` if the day has no such time.
    ///
    /// 24:00 and leap seconds are not valid.
    package init?(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        self.init(date, secondOfDay: hour * 3_600 + minute * 60 + second)
    }

    package init(_ date: CivilDate, secondOfDay: Int) {
        precondition((0..<Self.secondsPerDay).contains(secondOfDay), "a time outside its day")
        self.date = date
        storedSecond = Int32(secondOfDay)
    }

    /// The text in the form `2026-11-21 09:00`.
    package var text: String {
        func digits(_ number: Int, width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return
            "\(digits(date.year, width: 4))-\(digits(date.month))-\(digits(date.day)) \(digits(hour)):\(digits(minute))"
    }

    package var hour: Int { secondOfDay / 3_600 }
    package var minute: Int { secondOfDay / 60 % 60 }
    package var second: Int { secondOfDay % 60 }

    /// The seconds since 1970-01-01T00:00:00 on the same clock.
    package var secondsSince1970: Int {
        date.daysSince1970 * Self.secondsPerDay + secondOfDay
    }

    /// Creates a time from the seconds since 1970-01-01T00:00:00, or returns `nil` outside the years 1 to 9999.
    package init?(secondsSince1970 seconds: Int) {
        var (days, rest) = seconds.quotientAndRemainder(dividingBy: Self.secondsPerDay)
        if rest < 0 {
            rest += Self.secondsPerDay
            days -= 1
        }
        guard let date = CivilDate(daysSince1970: days) else { return nil }
        self.init(date, secondOfDay: rest)
    }

    package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
    }
}
