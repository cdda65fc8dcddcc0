/// The rules of a time zone: its offset from UTC at any moment, from a table for the past and a rule for the future.
///
/// glibc keeps one zone per process in global state, but a daemon answers clients in several zones. This type is a
/// value that is read once from the system's zone files.
package struct TimeZoneRules: Sendable {
    package static let utc = TimeZoneRules(
        name: "UTC", transitions: [], clocks: [], first: Clock(offset: 0, abbreviation: "UTC"), rule: nil)

    /// A setting of the clocks in a zone.
    struct Clock: Sendable {
        let offset: Int
        /// An abbreviation such as `CET`, or `+03` in a zone that has no letters for it.
        let abbreviation: String
    }

    /// The IANA name or the POSIX text. It is empty for the zone of the machine if its name is unknown.
    package let name: String

    /// The moments at which the clocks change, in ascending order. `clocks` has their setting after each one.
    private let transitions: [Int]
    private let clocks: [Clock]
    /// The setting before the first transition.
    private let first: Clock
    /// The rule for moments after the last transition.
    private let rule: PosixZone?

    init(name: String, transitions: [Int], clocks: [Clock], first: Clock, rule: PosixZone?) {
        self.name = name
        self.transitions = transitions
        self.clocks = clocks
        self.first = first
        self.rule = rule
    }

    /// Creates a zone from a POSIX text alone, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    init(name: String, rule: PosixZone) {
        self.init(name: name, transitions: [], clocks: [], first: rule.standard, rule: rule)
    }

    // MARK: - From a moment to the clock

    /// Returns the seconds by which local time is ahead of UTC at `moment`, negative west of Greenwich.
    package func offset(at moment: Timestamp) -> Int {
        offset(atSecond: moment.wholeSeconds)
    }

    /// Returns the local time at `moment` in whole seconds, or `nil` if the year is outside 1 to 9999.
    package func civil(at moment: Timestamp) -> CivilDateTime? {
        let second = moment.wholeSeconds
        return CivilDateTime(secondsSince1970: second + offset(atSecond: second))
    }

    /// Returns the abbreviation that the command `date` prints, such as `CET`, or `+03` in a zone that has no letters
    /// for it.
    package func abbreviation(at moment: Timestamp) -> String {
        clock(atSecond: moment.wholeSeconds).abbreviation
    }

    /// Whether the zone has ever had this abbreviation, given in lowercase.
    package func hasAbbreviation(_ lowercased: String) -> Bool {
        (clocks + [first]).contains { $0.abbreviation.lowercased() == lowercased }
    }

    /// Returns the offset at a whole second since 1970.
    func offset(atSecond second: Int) -> Int { clock(atSecond: second).offset }

    private func clock(atSecond second: Int) -> Clock {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let rule { return rule.clock(atSecond: second) }
        return low == 0 ? first : clocks[low - 1]
    }

    // MARK: - From the clock to a moment

    /// Returns the moment at which a clock in the zone shows `civil`.
    ///
    /// If a clock change skips this time, the offset before the change is used: 02:30 on such a morning is the moment
    /// at which the clock shows 03:30. If the time is repeated, the first of the two moments is returned.
    package func moment(of civil: CivilDateTime) -> Timestamp {
        let local = civil.secondsSince1970
        let candidates = moments(atLocalSecond: local)
        let before = offset(atSecond: local - CivilDateTime.secondsPerDay)
        return Timestamp(secondsSince1970: Double(candidates.min() ?? local - before))
    }

    /// Returns the moments at which a clock in the zone shows `civil`: two in a repeated hour, none in a skipped one.
    package func moments(of civil: CivilDateTime) -> [Timestamp] {
        Set(moments(atLocalSecond: civil.secondsSince1970)).sorted().map {
            Timestamp(secondsSince1970: Double($0))
        }
    }

    private func moments(atLocalSecond local: Int) -> [Int] {
        let before = offset(atSecond: local - CivilDateTime.secondsPerDay)
        let after = offset(atSecond: local + CivilDateTime.secondsPerDay)
        return [local - before, local - after].filter { offset(atSecond: $0) == local - $0 }
    }
}
