import CivilTime
import Reminders
import Testing

@testable import Alerts

/// Alerts that are delayed by a quiet period. They are sent together afterwards, and none is lost.
@Suite struct AlertLoopQuietTests {
    @Test func delayedAlertsAreSentTogether() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("missed", dueIn: 600)
        try fixture.add("due soon", dueIn: 3_700)
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 3_600)
        }
        #expect(fixture.ticks(59).isEmpty)
        fixture.clock.advance(60)
        let batch = try #require(fixture.batches().first)
        #expect(batch.alerts.map(\.name) == ["missed", "due soon"])
        #expect(batch.alerts.map(\.kind) == [.missed, .dueSoon])
        #expect(batch.delayedSince == ManualClock.start)
        try fixture.add("later", dueIn: 120)
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    /// Both are failures to record something, with one message ID.
    @Test func failureToRecordAlertsIsReportedBesideFailureToEndQuietPeriod() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 600)
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 3_600)
        }
        fixture.clock.advance(3_600)
        let blocker = try Blocker(path: fixture.path)
        #expect(fixture.tick() == ["x"])
        #expect(
            fixture.loop.failures.map { $0.prefix { $0 != ":" } } == [
                "Cannot record that alerts were sent", "Cannot record that the quiet period is over",
            ])
        blocker.release()
        #expect(fixture.tick() == [])
        #expect(fixture.loop.failures == [])
    }

    @Test func clockThatIsAheadForAWhileKeepsQuietPeriod() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 1_200)
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 3_600)
        }
        #expect(fixture.tick() == [])
        fixture.clock.advance(86_400)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(-86_400)
        try fixture.add("y", dueIn: 60)
        #expect(fixture.ticks(70) == ["60 y missed", "60 x missed"])
        // A change by the user in between is kept.
        let start = fixture.clock.now
        try fixture.changeDoNotDisturb { $0.begin(at: start, until: start + 3_600) }
        fixture.clock.advance(86_400)
        #expect(fixture.tick() == [])
        try fixture.changeDoNotDisturb { $0.end(at: fixture.clock.now, zone: .utc) }
        fixture.clock.advance(-86_400)
        #expect(fixture.tick() == [])
        #expect(fixture.loop.quietPeriod == nil)
    }

    @Test func quietHoursDelayAlertsEveryDay() throws {
        // It is 17:00.
        let hours = QuietHours(start: 17 * 3_600 + 600, end: 18 * 3_600)
        let fixture = try AlertLoopFixture(quietHours: hours)
        try fixture.add("x", dueIn: 1_200)
        #expect(fixture.ticks(70) == ["60 x missed"])
        fixture.clock.advance(86_400 - 70 * 60)
        try fixture.add("y", dueIn: 1_200)
        #expect(fixture.ticks(70) == ["60 y missed"])
    }

    /// It is 17:00, and quiet from 17:10 to 18:00. The daemon stops during that time or before it, or the machine is
    /// suspended.
    @Test(arguments: [(30, true), (5, true), (30, false), (5, false)])
    func quietHoursMissedByTheDaemonDelayAlertsTogether(minutes: Int, restarts: Bool) throws {
        let fixture = try AlertLoopFixture(quietHours: QuietHours(start: 17 * 3_600 + 600, end: 18 * 3_600))
        try fixture.add("x", dueIn: 1_200)
        try fixture.add("y", dueIn: 3_900)
        #expect(fixture.ticks(minutes).isEmpty)
        fixture.clock.advance(Double(90 - minutes) * 60)
        if restarts { try fixture.restart() }
        let batches = fixture.batches()
        #expect(batches.map { $0.alerts.map(\.name) } == [["x", "y"]])
        #expect(batches.map(\.delayedSince) == [ManualClock.start + 600])
        try fixture.add("later", dueIn: 120)
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    @Test func alertOutsideQuietHoursIsNotDelayed() throws {
        let fixture = try AlertLoopFixture(quietHours: QuietHours(start: 17 * 3_600 + 600, end: 18 * 3_600))
        try fixture.add("before", dueIn: 600)
        try fixture.add("after", dueIn: 4_500)
        fixture.clock.advance(5_400)
        try fixture.restart()
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    @Test func urgentItemsBreakThrough() throws {
        let fixture = try AlertLoopFixture(breakThrough: 2)
        for priority in 0...3 as ClosedRange<Int16> {
            try fixture.add("\(priority)", dueIn: 60) { $0.priority = priority }
        }
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 600)
        }
        let urgent = fixture.batches()
        #expect(urgent.flatMap(\.alerts).map(\.name) == ["1", "2"])
        #expect(urgent.map(\.delayedSince) == [nil])
        #expect(fixture.ticks(20) == ["10 0 missed", "10 3 missed"])
    }

    @Test func earlyEndSendsAlertsImmediately() throws {
        let fixture = try AlertLoopFixture()
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 600)
        }
        try fixture.add("x", dueIn: 60)
        #expect(fixture.tick().isEmpty)
        let now = fixture.clock.now
        try fixture.changeDoNotDisturb { $0.end(at: now, zone: .utc) }
        #expect(fixture.batches().map(\.delayedSince) == [ManualClock.start])
    }

    /// There was no alert to delay.
    @Test func alertLongAfterQuietPeriodIsNotDelayed() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 3_600)
        #expect(fixture.tick().isEmpty)
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 600)
        }
        #expect(fixture.ticks(15).isEmpty)
        fixture.clock.advance(2_400)
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    /// It is 17:00, and quiet from 16:00 to 17:10.
    @Test func itemAddedAfterQuietHoursIsNotDelayed() throws {
        let hours = QuietHours(start: 16 * 3_600, end: 17 * 3_600 + 600)
        let fixture = try AlertLoopFixture(quietHours: hours)
        #expect(fixture.ticks(12).isEmpty)
        try fixture.add("x", dueIn: 120)
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    /// It is 17:00, and would be quiet from 16:00 to 17:10.
    @Test func alertAfterEndedQuietHoursIsNotDelayed() throws {
        let hours = QuietHours(start: 16 * 3_600, end: 17 * 3_600 + 600)
        let fixture = try AlertLoopFixture(quietHours: hours)
        try fixture.changeDoNotDisturb { $0.end(at: ManualClock.start, zone: .utc) }
        try fixture.add("x", dueIn: 900)
        fixture.clock.advance(600)
        #expect(fixture.batches().map(\.delayedSince) == [nil])
    }

    /// It is 17:00. The user has set a quiet period until 17:30, and there are quiet hours from 17:20 to 18:00.
    @Test func consecutiveQuietPeriodsCountAsOne() throws {
        let hours = QuietHours(start: 17 * 3_600 + 1_200, end: 18 * 3_600)
        let fixture = try AlertLoopFixture(quietHours: hours)
        try fixture.add("x", dueIn: 900)
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 1_800)
        }
        #expect(fixture.ticks(59).isEmpty)
        fixture.clock.advance(60)
        #expect(fixture.batches().map(\.delayedSince) == [ManualClock.start])
    }
}
