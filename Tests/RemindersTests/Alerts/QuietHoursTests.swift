import CivilTime
import Reminders
import TestSupport
import Testing

/// Quiet hours at any times, in nights in which the clocks change.
@Suite struct QuietHoursTests {
    /// A zone, and noon of the day before its clocks change: forward or back, by an hour or by half an hour.
    struct Change: Sendable {
        let zone: String
        let eve: String
    }

    @Test(arguments: [
        Change(zone: "Europe/Madrid", eve: "2026-03-28T12:00:00Z"),
        Change(zone: "Europe/Madrid", eve: "2026-10-24T12:00:00Z"),
        Change(zone: "Australia/Lord_Howe", eve: "2026-04-04T02:00:00Z"),
        Change(zone: "Australia/Lord_Howe", eve: "2026-10-03T02:00:00Z"),
        Change(zone: "America/Santiago", eve: "2026-04-04T15:00:00Z"),
        Change(zone: "Asia/Kolkata", eve: "2026-04-04T06:00:00Z"),
    ])
    func quietPeriodContainsEveryMomentThatFindsIt(_ change: Change) throws {
        let zone = try #require(TimeZoneRules(named: change.zone))
        let eve = try #require(RFC3339.moment(change.eve))
        var random = SplitMix(state: 3)
        for _ in 0..<60 {
            let start = 900 * Int.random(in: 0..<96, using: &random)
            let length = 900 * Int.random(in: 1..<96, using: &random)
            let end = (start + length) % CivilDateTime.secondsPerDay
            let hours = try #require(QuietHours(start: start, end: end))
            for quarter in 0..<144 {
                let moment = eve + Double(quarter * 900)
                guard let period = hours.period(at: moment, zone: zone) else { continue }
                #expect(period.since <= moment && moment < period.until)
                #expect(hours.period(at: period.since, zone: zone) == period)
                #expect(hours.period(at: period.until - 1, zone: zone) == period)
                // At the end of the period, the clock shows the end of the quiet hours, for the last time in
                // that night.
                let clock = zone.civil(at: period.until)?.secondOfDay
                let jump = zone.offset(at: period.until) - zone.offset(at: period.until - 7_200)
                #expect(
                    clock == end || jump > 0, "\(start) to \(end), from \(period.since) to \(period.until)")
            }
        }
    }

    @Test func repeatedEndIsTheSecondOne() throws {
        let zone = try #require(TimeZoneRules(named: "Europe/Madrid"))
        let hours = try #require(QuietHours(start: 3_600, end: 9_000))
        let second = try #require(RFC3339.moment("2026-10-25T02:10:00+01:00"))
        let end = try #require(RFC3339.moment("2026-10-25T02:30:00+01:00"))
        #expect(hours.period(at: second, zone: zone)?.until == end)
    }
}
