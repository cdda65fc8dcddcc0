/// A time span in whole microseconds, which is never negative.
///
/// Its text has the form of systemd: `5min`, `1h 30min`, `2d`.
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

    /// About 10,000 years.
    package static let longest = TimeSpan.days(3_652_425)

    // MARK: - Text

    /// The units of the text, from the largest to the smallest.
    private static let units: [(name: String, microseconds: Int64)] = [
        ("w", 604_800_000_000), ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000),
        ("s", 1_000_000), ("ms", 1_000), ("us", 1),
    ]
}

extension TimeSpan: CustomStringConvertible {
    /// The text, such as `1h 30min`, or `0` for an empty span.
    package var description: String {
        var rest = microseconds
        var parts: [String] = []
        for unit in Self.units where rest >= unit.microseconds {
            parts.append("\(rest / unit.microseconds)\(unit.name)")
            rest %= unit.microseconds
        }
        return parts.isEmpty ? "0" : parts.joined(separator: " ")
    }
}
