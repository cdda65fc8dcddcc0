public import CivilTime
import Glibc

extension Timestamp {
    /// The seconds from 1970-01-01 to 2001-01-01, both at 00:00 UTC.
    private static let referenceDate = 978_307_200.0
    private static let secondsPerDay: Int64 = 86_400

    init(secondsSince2001 seconds: Double) {
        self.init(secondsSince1970: seconds + Self.referenceDate)
    }

    var secondsSince2001: Double { secondsSince1970 - Self.referenceDate }

    /// Parses `2026-11-20T17:42:29.5Z`, or a text with an offset such as `+01:00` instead of `Z`, the forms of ISO 8601
    /// that RFC 3339 allows. Returns `nil` for any other text.
    ///
    /// The zone is required, so that a predicate means the same time everywhere.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        let sign: Int64 = reader.take("-") ? -1 : 1
        if sign == 1 { _ = reader.take("+") }
        guard let year = reader.digits(4...12), reader.take("-"),
            let month = reader.digits(2...2), (1...12).contains(month), reader.take("-"),
            let day = reader.digits(2...2), (1...Self.days(in: month, of: sign * year)).contains(day),
            reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.digits(2...2), hour < 24, reader.take(":"),
            let minute = reader.digits(2...2), minute < 60, reader.take(":"),
            let second = reader.digits(2...2), second < 60,
            let fraction = reader.fraction(), let zone = reader.zone(), reader.isAtEnd
        else { return nil }
        let days = Self.dayNumber(year: sign * year, month: month, day: day)
        let seconds = days * Self.secondsPerDay + hour * 3600 + minute * 60 + second - zone
        self.init(secondsSince1970: Double(seconds) + fraction)
    }

    /// The time in UTC, or `nil` if it is at least 2^61 seconds away from 1970.
    ///
    /// Parsing the text gives exactly the same time, except in the last second before 1970.
    public var iso8601: String? {
        guard abs(secondsSince1970) < 0x1p61 else { return nil }
        let whole = secondsSince1970.rounded(.down)
        let seconds = Int64(whole)
        let rest = Self.remainder(seconds, dividingBy: Self.secondsPerDay)
        let date = Self.civilDate(dayNumber: (seconds - rest) / Self.secondsPerDay)
        let fields = [rest / 3600, rest / 60 % 60, rest % 60].map { Self.padded($0, 2) }
        let sign = date.year < 0 ? "-" : ""
        let day = [Self.padded(abs(date.year), 4), Self.padded(date.month, 2), Self.padded(date.day, 2)]
        return sign + day.joined(separator: "-") + "T" + fields.joined(separator: ":")
            + Self.decimals(secondsSince1970 - whole) + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns the point and the shortest digits that identify the fraction.
    private static func decimals(_ fraction: Double) -> String {
        guard fraction > 0 else { return "" }
        let parts = fraction.description.split(separator: "e-")
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return String(fraction.description.dropFirst())
        }
        return "." + String(repeating: "0", count: exponent - 1) + parts[0].filter { $0 != "." }
    }

    // MARK: - Calendar

    // The proleptic Gregorian calendar has cycles of 400 years with equal numbers of days. A year begins in March here,
    // so that the 29th of February is its last day.
    private static let daysPerCycle: Int64 = 146_097
    /// The number of days from the first of March of the year 0 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    private static func remainder(_ number: Int64, dividingBy divisor: Int64) -> Int64 {
        let rest = number % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a date.
    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month < 3 ? year - 1 : year
        let yearOfCycle = remainder(marchYear, dividingBy: 400)
        let cycle = (marchYear - yearOfCycle) / 400
        let monthsSinceMarch = remainder(month - 3, dividingBy: 12)
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * daysPerCycle + dayOfCycle - daysBefore1970
    }

    private static func civilDate(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = dayNumber + daysBefore1970
        let dayOfCycle = remainder(days, dividingBy: daysPerCycle)
        let cycle = (days - dayOfCycle) / daysPerCycle
        let leapDays = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthsSinceMarch = (5 * dayOfYear + 2) / 153
        let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
        let year = cycle * 400 + yearOfCycle + (month < 3 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1)
    }
}

/// A reader of digits and signs, from left to right.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads digits up to the upper bound of `count`. Returns `nil` if there are fewer than the lower bound.
    mutating func digits(_ count: ClosedRange<Int>) -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(
            count.upperBound)
        guard digits.count >= count.lowerBound else { return nil }
        rest = rest.dropFirst(digits.count)
        return Int64(String(Substring(digits)))
    }

    /// Reads the fraction of a second. Returns 0 if there is none, and `nil` if no digit follows the point.
    mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return Double("0." + String(Substring(digits)))
    }

    /// Reads the zone and returns its offset from UTC in seconds, or `nil` if there is none.
    mutating func zone() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = digits(2...2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = digits(2...2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
