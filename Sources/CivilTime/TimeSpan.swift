/// A length of time as systemd writes it: `5min`, `1h 30min`, `2d`; whole microseconds, never negative.
package struct TimeSpan: Hashable, Sendable, Comparable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func seconds(_ count: Int) -> TimeSpan {
        TimeSpan(microseconds: Int64(count) * 1_000_000)
    }

    package static func minutes(_ count: Int) -> TimeSpan { .seconds(count * 60) }

    package static func days(_ count: Int) -> TimeSpan { .seconds(count * 86_400) }

    package var seconds: Double { Double(microseconds) / 1e6 }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }

    // MARK: - Text

    /// The names of a unit, the one to write first, and its microseconds; largest unit first.
    ///
    /// A month is 30.44 days and a year 365.25, as systemd counts them.
    private static let units: [(names: [String], microseconds: Int64)] = [
        (["y", "year", "years"], 31_557_600_000_000),
        (["month", "months", "M"], 2_629_800_000_000),
        (["w", "week", "weeks"], 604_800_000_000),
        (["d", "day", "days"], 86_400_000_000),
        (["h", "hr", "hour", "hours"], 3_600_000_000),
        (["min", "m", "minute", "minutes"], 60_000_000),
        (["s", "sec", "second", "seconds", ""], 1_000_000),
        (["ms", "msec"], 1_000),
        (["us", "usec"], 1),
    ]

    /// Reads one or more numbers, each with its unit, in any order: `1h30m`, `2 weeks 1.5 h`. A number alone means seconds.
    ///
    /// Returns `nil` if the text is anything else, or longer than 10,000 years.
    ///
    /// - Parameter needsUnits: whether a number that is not 0 must have its unit: people who type 5 may mean minutes.
    package init?(_ text: some StringProtocol, needsUnits: Bool = false) {
        var rest = Substring(text)
        var total = 0.0
        var sawPart = false
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
            guard let number = Double(digits), digits.first != ".", digits.last != "." else { return nil }
            rest = rest[digits.endIndex...].drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[name.endIndex...]
            if needsUnits, name.isEmpty, number != 0 { return nil }
            guard let unit = Self.units.first(where: { $0.names.contains(String(name)) }) else { return nil }
            total += number * Double(unit.microseconds)
            sawPart = true
        }
        guard sawPart, total <= 3.2e17 else { return nil }
        microseconds = Int64(total.rounded())
    }
}

extension TimeSpan: CustomStringConvertible {
    /// `1h 30min`; `0` for no time at all.
    package var description: String {
        var rest = microseconds
        var parts: [String] = []
        for unit in Self.units where rest >= unit.microseconds {
            parts.append("\(rest / unit.microseconds)\(unit.names[0])")
            rest %= unit.microseconds
        }
        return parts.isEmpty ? "0" : parts.joined(separator: " ")
    }
}
