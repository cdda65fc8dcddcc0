import Glibc
import TestSupport
import Testing

@testable import CivilTime

@Suite(.serialized) struct TimeZoneRulesTests {
    static let zones = [
        "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca",
        "America/Santiago", "Pacific/Apia", "Asia/Tehran", "Europe/Dublin", "Antarctica/Troll", "UTC",
    ]

    /// Compares with glibc, which has one zone for the whole process. So the suite is serialized.
    @Test(arguments: zones) func offsetsAreThoseOfGlibc(name: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        setenv("TZ", name, 1)
        tzset()
        defer {
            unsetenv("TZ")
            tzset()
        }
        var generator = SplitMix(state: 42)
        for _ in 0..<4_000 {
            // 1900 to 2100, so that both the table and the closing rule are used.
            let second = Int.random(in: -2_208_988_800...4_102_444_800, using: &generator)
            var time = time_t(second)
            var parts = tm()
            localtime_r(&time, &parts)
            #expect(
                zone.offset(at: Timestamp(secondsSince1970: Double(second))) == parts.tm_gmtoff,
                "\(name) at \(second)")
        }
    }

    @Test func timeInGapMovesForwardAndRepeatedTimeIsTheFirst() throws {
        let madrid = try #require(TimeZoneRules(named: "Europe/Madrid"))
        // 02:30 on the last Sunday of March does not exist.
        #expect(text(madrid, 2026, 3, 29, 2, 30) == "2026-03-29T03:30:00+02:00")
        // 02:30 on the last Sunday of October occurs twice.
        #expect(text(madrid, 2026, 10, 25, 2, 30) == "2026-10-25T02:30:00+02:00")
        #expect(text(madrid, 2026, 10, 25, 3, 0) == "2026-10-25T03:00:00+01:00")
    }

    @Test func skippedDayMovesForward() throws {
        let apia = try #require(TimeZoneRules(named: "Pacific/Apia"))
        #expect(text(apia, 2011, 12, 30, 12, 0) == "2011-12-31T12:00:00+14:00")
    }

    @Test(arguments: zones) func everyLocalTimeOutsideGapsReadsBack(name: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        var generator = SplitMix(state: 7)
        for _ in 0..<4_000 {
            let second = Int.random(in: 0...4_102_444_800, using: &generator)
            let civil = try #require(CivilDateTime(secondsSince1970: second))
            let shown = try #require(zone.civil(at: zone.moment(of: civil)))
            // In a gap the clock shows a later time, never an earlier one.
            #expect(shown >= civil)
            if shown != civil { #expect(zone.moment(of: shown) == zone.moment(of: civil)) }
        }
    }

    @Test(arguments: [
        "", "Nowhere/Land", "../../etc/passwd", "/etc/localtime", "Europe", "CET-1CEST,M13.1.0,M10.5.0",
    ])
    func unknownZoneNamesAreRefused(name: String) {
        #expect(TimeZoneRules(named: name) == nil)
    }

    @Test func posixTextIsAccepted() throws {
        let zone = try #require(TimeZoneRules(named: "<+03>-3"))
        #expect(zone.offset(at: Timestamp(secondsSince1970: 0)) == 10_800)
        let european = try #require(TimeZoneRules(named: "CET-1CEST,M3.5.0,M10.5.0/3"))
        #expect(text(european, 2040, 7, 1, 12, 0) == "2040-07-01T12:00:00+02:00")
        #expect(text(european, 2040, 12, 1, 12, 0) == "2040-12-01T12:00:00+01:00")
    }

    private func text(
        _ zone: TimeZoneRules, _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
    ) -> String? {
        CivilDate(year: year, month: month, day: day)
            .flatMap { CivilDateTime($0, hour: hour, minute: minute) }
            .flatMap { RFC3339.text(zone.moment(of: $0), in: zone) }
    }
}
