import CivilTime
import Testing

@testable import TodoClient

@Suite struct PastMomentTests {
    /// Friday 2026-11-20 16:57 in Madrid.
    private let now = RFC3339.moment("2026-11-20T16:57:00+01:00") ?? Timestamp(secondsSince1970: 0)
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc

    @Test(arguments: [
        ("2h", "2026-11-20T14:57:00+01:00"), ("1h 30min", "2026-11-20T15:27:00+01:00"),
        ("3 days ago", "2026-11-17T16:57:00+01:00"), ("today", "2026-11-20T00:00:00+01:00"),
        ("yesterday", "2026-11-19T00:00:00+01:00"), ("2026-10-01", "2026-10-01T00:00:00+02:00"),
        ("2026-11-20 9:05", "2026-11-20T09:05:00+01:00"), ("16:00", "2026-11-20T16:00:00+01:00"),
        ("16:00:30", "2026-11-20T16:00:30+01:00"), ("2026-11-20T10:00:00Z", "2026-11-20T11:00:00+01:00"),
    ])
    func reads(text: String, moment: String) {
        let read = PastMoment.moment(text, now: now, zone: madrid)
        #expect(read.flatMap { RFC3339.text($0, in: madrid) } == moment)
    }

    @Test(arguments: ["", "soon", "5", "2026-02-30", "25:00", "9:5", "2026-11-20 noon", "a b c", "-2h"])
    func refuses(text: String) {
        #expect(PastMoment.moment(text, now: now, zone: madrid) == nil)
    }
}
