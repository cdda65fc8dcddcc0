/// The distance of the clocks of a place from UTC at any moment: past changes from a table, future ones by rule.
///
/// glibc keeps one zone per process in global state, which a daemon that answers clients in several zones
/// cannot use. This is a value, which is read once from the system's zone files.
package struct TimeZoneRules: Sendable {
    package static let utc = TimeZoneRules(
        name: "UTC", transitions: [], clocks: [], first: Clock(offset: 0, abbreviation: "UTC"), rule: nil)

    /// A way in which the clocks of a zone are set.
    struct Clock: Sendable {
        let offset: Int
        /// `CET`, or `+03` in a zone that has no letters for it.
        let abbreviation: String
    }

    /// The IANA name, or the POSIX text it was made from, or "" for the machine's zone if its name is unknown.
    package let name: String

    /// The moments at which the clocks are set, ascending, and how they are set from each one on.
    private let transitions: [Int]
    private let clocks: [Clock]
    /// The clocks before the first transition.
    private let first: Clock
    /// The rule that holds after the last transition.
    private let rule: PosixZone?

    init(name: String, transitions: [Int], clocks: [Clock], first: Clock, rule: PosixZone?) {
        self.name = name
        self.transitions = transitions
        self.clocks = clocks
        self.first = first
        self.rule = rule
    }

    /// A zone that is described by a POSIX text alone, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    init(name: String, rule: PosixZone) {
        self.init(name: name, transitions: [], clocks: [], first: rule.standard, rule: rule)
    }

    // MARK: - From a moment to the clock

    /// The seconds that local time is ahead of UTC at `moment`; negative west of Greenwich.
    package func offset(at moment: Timestamp) -> Int {
        offset(atSecond: moment.wholeSeconds)
    }

    /// The time that the clock on the wall shows at `moment`, in whole seconds, or `nil` outside the years 1 to 9999.
    package func civil(at moment: Timestamp) -> CivilDateTime? {
        let second = moment.wholeSeconds
        return CivilDateTime(secondsSince1970: second + offset(atSecond: second))
    }

    /// `CET`, as the command `date` prints it; `+03` in a zone that has no letters for it.
    package func abbreviation(at moment: Timestamp) -> String {
        clock(atSecond: moment.wholeSeconds).abbreviation
    }

    /// Whether the clocks of the zone ever had an abbreviation, in small letters.
    package func hasAbbreviation(_ lowercased: String) -> Bool {
        (clocks + [first]).contains { $0.abbreviation.lowercased() == lowercased }
    }

    /// The same at a second since 1970 that is whole.
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

    /// The moment at which the clock on the wall shows `civil`.
    ///
    /// A time that a clock change leaves out is counted from before the change: 02:30 on such a morning is the moment at which
    /// the clock shows 03:30. A time that comes twice is the first of the two.
    package func moment(of civil: CivilDateTime) -> Timestamp {
        let local = civil.secondsSince1970
        let candidates = moments(atLocalSecond: local)
        let before = offset(atSecond: local - CivilDateTime.secondsPerDay)
        return Timestamp(secondsSince1970: Double(candidates.min() ?? local - before))
    }

    /// The moments at which the clock on the wall shows `civil`: two in an hour that comes twice, none in one that a
    /// clock change leaves out.
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
