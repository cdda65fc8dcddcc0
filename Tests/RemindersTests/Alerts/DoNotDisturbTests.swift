import CivilTime
import ObjectStore
import Reminders
import Testing

@Suite struct DoNotDisturbTests {
    private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    struct Night: Sendable {
        let start: Int
        let end: Int
        let now: String
        var period: [String] = []
    }

    @Test(arguments: [
        // Over midnight, before and after it.
        Night(start: 22, end: 7, now: "2026-11-20T21:59:59+01:00"),
        Night(
            start: 22, end: 7, now: "2026-11-20T22:00:00+01:00",
            period: ["2026-11-20T22:00:00+01:00", "2026-11-21T07:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-11-21T06:59:59+01:00",
            period: ["2026-11-20T22:00:00+01:00", "2026-11-21T07:00:00+01:00"]),
        Night(start: 22, end: 7, now: "2026-11-21T07:00:00+01:00"),
        // Within a day.
        Night(
            start: 12, end: 13, now: "2026-11-20T12:30:00+01:00",
            period: ["2026-11-20T12:00:00+01:00", "2026-11-20T13:00:00+01:00"]),
        // The night in which the clocks go back is an hour longer, and the one in which they go forward is an
        // hour shorter.
        Night(
            start: 22, end: 7, now: "2026-10-25T02:30:00+02:00",
            period: ["2026-10-24T22:00:00+02:00", "2026-10-25T07:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-10-25T02:30:00+01:00",
            period: ["2026-10-24T22:00:00+02:00", "2026-10-25T07:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-03-29T03:30:00+02:00",
            period: ["2026-03-28T22:00:00+01:00", "2026-03-29T07:00:00+02:00"]),
    ])
    func quietHoursContainTime(_ night: Night) throws {
        let zone = try #require(TimeZoneRules(named: Self.berlin))
        let hours = try #require(QuietHours(start: night.start * 3_600, end: night.end * 3_600))
        let period = hours.period(at: try moment(night.now), zone: zone)
        let expected = try night.period.map(moment)
        #expect((period.map { [$0.since, $0.until] } ?? []) == expected)
    }

    @Test(arguments: [
        Night(
            start: 22, end: 7, now: "2026-11-21T07:00:00+01:00",
            period: ["2026-11-20T22:00:00+01:00", "2026-11-21T07:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-11-20T23:00:00+01:00",
            period: ["2026-11-19T22:00:00+01:00", "2026-11-20T07:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-11-21T03:00:00+01:00",
            period: ["2026-11-19T22:00:00+01:00", "2026-11-20T07:00:00+01:00"]),
        Night(
            start: 12, end: 13, now: "2026-11-20T12:59:59+01:00",
            period: ["2026-11-19T12:00:00+01:00", "2026-11-19T13:00:00+01:00"]),
        Night(
            start: 22, end: 7, now: "2026-03-29T07:00:00+02:00",
            period: ["2026-03-28T22:00:00+01:00", "2026-03-29T07:00:00+02:00"]),
    ])
    func lastQuietHoursAreThoseBeforeTime(_ night: Night) throws {
        let zone = try #require(TimeZoneRules(named: Self.berlin))
        let hours = try #require(QuietHours(start: night.start * 3_600, end: night.end * 3_600))
        let period = hours.lastPeriod(before: try moment(night.now), zone: zone)
        let expected = try night.period.map(moment)
        #expect(period.map { [$0.since, $0.until] } == expected)
    }

    @Test func invalidQuietHoursAreRefused() {
        #expect(QuietHours(start: 60, end: 60) == nil)
        #expect(QuietHours(start: -1, end: 60) == nil)
        #expect(QuietHours(start: 0, end: 86_400) == nil)
    }

    @Test func requestedEndOverridesQuietHours() throws {
        let now = try moment("2026-11-20T23:00:00Z")
        var quiet = DoNotDisturb(hours: QuietHours(start: 22 * 3_600, end: 7 * 3_600))
        #expect(quiet.period(at: now, zone: .utc) != nil)
        quiet.end(at: now, zone: .utc)
        #expect(quiet.period(at: now, zone: .utc) == nil)
        // The next night is quiet again.
        #expect(quiet.period(at: now + 86_400, zone: .utc) != nil)
    }

    @Test func extendedQuietPeriodKeepsItsBeginning() throws {
        let now = try moment("2026-11-20T12:00:00Z")
        var quiet = DoNotDisturb()
        quiet.begin(at: now, until: now + 600)
        quiet.begin(at: now + 300, until: now + 3_600)
        #expect(quiet.period(at: now + 900, zone: .utc) == QuietPeriod(since: now, until: now + 3_600))
        #expect(quiet.period(at: now + 3_600, zone: .utc) == nil)
        quiet.end(at: now + 900, zone: .utc)
        #expect(quiet.period(at: now + 900, zone: .utc) == nil)
    }

    @Test func quietPeriodAfterEndedOneHasItsOwnBeginning() throws {
        let now = try moment("2026-11-20T12:00:00Z")
        var quiet = DoNotDisturb()
        quiet.begin(at: now, until: now + 600)
        quiet.begin(at: now + 600, until: now + 900)
        #expect(quiet.period(at: now + 600, zone: .utc)?.since == now + 600)
    }

    @Test func earlyEndOfQuietHoursIsStored() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        let now = try moment("2026-11-20T23:00:00Z")
        let hours = QuietHours(start: 22 * 3_600, end: 7 * 3_600)
        var quiet = DoNotDisturb(hours: hours)
        quiet.end(at: now, zone: .utc)
        try quiet.write(to: coordinator.store)
        var later = DoNotDisturb(hours: hours)
        later.read(from: coordinator.store)
        #expect(later == quiet)
        #expect(later.period(at: now, zone: .utc) == nil)
    }

    @Test func requestedQuietPeriodIsStored() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        let now = try moment("2026-11-20T12:00:00.25Z")
        var quiet = DoNotDisturb()
        quiet.begin(at: now, until: now + 600)
        try quiet.write(to: coordinator.store)
        var later = DoNotDisturb()
        later.read(from: coordinator.store)
        #expect(later == quiet)
        later.endPastRequest(at: now + 600)
        try later.write(to: coordinator.store)
        quiet = DoNotDisturb()
        quiet.read(from: coordinator.store)
        #expect(quiet == later && quiet.period(at: now, zone: .utc) == nil)
        #expect(quiet.hasEndedRequest(after: now) && !quiet.hasEndedRequest(after: now + 600))
        quiet.restoreEndedRequest(at: now)
        #expect(quiet.period(at: now, zone: .utc)?.until == now + 600)
    }
}
