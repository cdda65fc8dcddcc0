/// How far the clocks of a place are from UTC at any moment: past changes from a table, future ones by rule.
///
/// glibc keeps one zone per process in global state, which a daemon that answers clients in several zones
/// cannot use; this is a value, read once from the system's own zone files.
package struct TimeZoneRules: Sendable {
    package static let utc = TimeZoneRules(name: "UTC", transitions: [], offsets: [], first: 0, rule: nil)

    /// The IANA name, or the POSIX text it was made from; "" for the machine's own zone when its name is unknown.
    package let name: String

    /// The moments at which the offset changes, ascending, and the offset in force from each one on.
    private let transitions: [Int]
    private let offsets: [Int]
    /// What held before the first transition.
    private let first: Int
    /// What holds after the last transition.
    private let rule: PosixZone?

    init(name: String, transitions: [Int], offsets: [Int], first: Int, rule: PosixZone?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.first = first
        self.rule = rule
    }

    /// A zone that is described by a POSIX text alone, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    init(name: String, rule: PosixZone) {
        self.init(name: name, transitions: [], offsets: [], first: rule.standardOffset, rule: rule)
    }

    // MARK: - From a moment to the clock

    /// The seconds that local time is ahead of UTC at `moment`; negative west of Greenwich.
    package func offset(at moment: Timestamp) -> Int {
        offset(atSecond: moment.wholeSeconds)
    }

    /// What the clock on the wall shows at `moment`, whole seconds; nil outside the years 1 to 9999.
    package func civil(at moment: Timestamp) -> CivilDateTime? {
        let second = moment.wholeSeconds
        return CivilDateTime(secondsSince1970: second + offset(atSecond: second))
    }

    /// The same at a second since 1970 that is whole.
    func offset(atSecond second: Int) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let rule { return rule.offset(atSecond: second) }
        return low == 0 ? first : offsets[low - 1]
    }

    // MARK: - From the clock to a moment

    /// The moment at which the clock on the wall shows `civil`.
    ///
    /// An hour that a clock change leaves out counts on from before the change: 02:30 on such a morning is
    /// what would have been 02:30, and the clock then shows 03:30. Of an hour that comes twice it is the first.
    package func moment(of civil: CivilDateTime) -> Timestamp {
        let local = civil.secondsSince1970
        let before = offset(atSecond: local - CivilDateTime.secondsPerDay)
        let after = offset(atSecond: local + CivilDateTime.secondsPerDay)
        let candidates = [local - before, local - after].filter { offset(atSecond: $0) == local - $0 }
        return Timestamp(secondsSince1970: Double(candidates.min() ?? local - before))
    }
}
