import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Testing

@testable import Alerts

/// Clocks that are set, or that stop during a suspend. Alerts are neither repeated nor lost.
@Suite struct AlertLoopClockTests {
    private static let berlin = TimeZoneRules(named: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
    private static let tenToSeven = QuietHours(start: 22 * 3_600, end: 7 * 3_600)

    /// A night from ten in the evening to seven in the morning.
    struct Night: Sendable {
        let evening: String
        let minutes: Int
    }

    static let nights = [
        Night(evening: "2026-03-28T22:00:00+01:00", minutes: 8 * 60),
        Night(evening: "2026-10-24T22:00:00+02:00", minutes: 10 * 60),
    ]

    @Test(arguments: [10, 3_600, 86_400, 20 * 86_400] as [Double])
    func jumpForwardSendsPassedAlertsOnce(seconds: Double) throws {
        let fixture = try AlertLoopFixture()
        for minutes in 1...3 { try fixture.add("\(minutes)", dueIn: Double(minutes) * 600) }
        try fixture.add("far", dueIn: 30 * 86_400)
        fixture.clock.advance(seconds)
        let passed = fixture.tick()
        #expect(passed == (seconds > 1_800 ? ["1", "2", "3"] : []))
        #expect(fixture.ticks(40).count == 3 - passed.count)
    }

    @Test(arguments: [10, 3_600, 86_400, 400 * 86_400] as [Double])
    func jumpBackNeitherRepeatsNorLosesAlerts(seconds: Double) throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("sent", dueIn: 60)
        try fixture.add("open", dueIn: 900)
        #expect(fixture.tick() == ["sent"])
        fixture.clock.advance(-seconds)
        #expect(fixture.ticks(5).isEmpty)
        fixture.clock.advance(seconds)
        #expect(fixture.ticks(10) == ["5 open due-soon"])
    }

    @Test func alertsOfAWrongClockAreSentAgainAtTheirTime() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("soon", dueIn: 900) { try $0.setLeads([300, 60]) }
        // The clock is a day ahead for one check, and then right again.
        fixture.clock.advance(86_400)
        #expect(fixture.tick() == ["soon"])
        fixture.clock.advance(-86_400)
        try fixture.add("new", dueIn: 1_200)
        // Alerts that were sent too early are sent again at their time.
        #expect(fixture.ticks(30) == ["10 soon due-soon", "14 soon due-soon", "15 new due-soon"])
    }

    /// A clock that is ahead when the daemon starts, possibly by more than the catch-up time.
    struct ClockAhead: Sendable {
        let seconds: Double
        let isMuted: Bool
        /// Whether the clock is set back while the daemon does not run.
        let isSetBackWhileOff: Bool
    }

    static let clocksAhead = [3_600, 86_400, 400 * 86_400].flatMap { seconds in
        [false, true].flatMap { isMuted in
            [false, true].map { ClockAhead(seconds: seconds, isMuted: isMuted, isSetBackWhileOff: $0) }
        }
    }

    @Test(arguments: clocksAhead)
    func alertsOfAClockThatWasAheadAreSentAtTheirTime(_ ahead: ClockAhead) throws {
        let (seconds, isMuted) = (ahead.seconds, ahead.isMuted)
        let fixture = try AlertLoopFixture()
        let category = try fixture.context.insertCategory(at: fixture.clock.now)
        category.name = "Home"
        category.doNotAlert = isMuted
        try fixture.add("default", dueIn: 900) { $0.category = category }
        try fixture.add("own", dueIn: 1_200) {
            $0.category = category
            try $0.setLeads([60])
        }
        try fixture.add("past", dueIn: -30) { $0.category = category }
        fixture.clock.advance(seconds)
        try fixture.restart()
        let early = fixture.tick()
        #expect(early == (isMuted || seconds > 30 * 86_400 ? [] : ["past", "default", "own"]))
        fixture.clock.advance(-seconds)
        if ahead.isSetBackWhileOff { try fixture.restart() }
        #expect(fixture.tick() == [])
        category.doNotAlert = false
        try fixture.context.save()
        #expect(fixture.ticks(30) == ["10 default due-soon", "19 own due-soon"])
    }

    /// An alert that was sent at its time is not sent again, although the due time is in the future.
    @Test func startWithARightClockRepeatsNothing() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("default", dueIn: 240)
        try fixture.add("own", dueIn: 7_200) { try $0.setLeads([7_200, 60]) }
        #expect(fixture.tick() == ["default", "own"])
        fixture.clock.advance(-30)
        try fixture.restart()
        #expect(fixture.ticks(120) == ["120 own due-soon"])
    }

    /// The clock is ahead while a user reopens an item, so todod assumes that the user knows the item to be overdue.
    @Test func alertOfItemReopenedWhileClockIsAheadIsSentAfterARestart() throws {
        let fixture = try AlertLoopFixture()
        #expect(fixture.tick().isEmpty)
        let item = try fixture.add("x", dueIn: 900)
        fixture.clock.advance(86_400)
        for isDone in [true, false] {
            item.completed = isDone
            try fixture.context.save()
        }
        fixture.clock.advance(-86_400)
        try fixture.restart()
        #expect(fixture.ticks(30) == ["10 x due-soon"])
    }

    /// An import can contain the records of a store with a clock that was ahead.
    @Test func alertImportedFromAClockAheadIsSentAfterARestart() throws {
        let fixture = try AlertLoopFixture()
        #expect(fixture.tick().isEmpty)
        let due = fixture.clock.now + 900
        try fixture.add("x", dueIn: 900) {
            $0.isRestored = true
            $0.lastAlertDate = due - 300
            $0.alertedUpTo = due - 300
        }
        try fixture.restart()
        #expect(fixture.ticks(30) == ["10 x due-soon"])
    }

    /// If the clock was right, a start does not read the items, which would take long if there are many.
    @Test func startAfterARightClockKeepsTheRecords() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("first", dueIn: 60)
        #expect(fixture.tick() == ["first"])
        let due = fixture.clock.now + 900
        let item = try fixture.add("x", dueIn: 900)
        // The update bypasses the observers of the context, so nothing about its time is recorded.
        try fixture.context.updateAll(
            FetchRequest<ToDo>(matching: try FetchPredicate("id == %@", item.id)),
            setting: ["toldForDue": due - 300, "nextAlertDate": Timestamp?.none])
        try fixture.restart()
        #expect(fixture.ticks(30) == [])
    }

    @Test func quietPeriodEndedByAClockAheadContinuesAfterARestart() throws {
        let fixture = try AlertLoopFixture()
        let now = fixture.clock.now
        try fixture.changeDoNotDisturb { $0.begin(at: now, until: now + 1_800) }
        fixture.clock.advance(86_400)
        #expect(fixture.tick().isEmpty)
        fixture.clock.advance(-86_400)
        try fixture.restart()
        try fixture.add("x", dueIn: 600)
        #expect(fixture.ticks(40) == ["30 x missed"])
    }

    /// The clock was right, wrong for a while, and is right again. Alerts sent before the change stay sent.
    @Test func clockThatWasBehindForAWhileRepeatsNoAlert() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("sent", dueIn: 60)
        try fixture.add("moved", dueIn: 60)
        try fixture.add("again", dueIn: 60)
        #expect(fixture.tick() == ["sent", "moved", "again"])
        fixture.clock.advance(-3_600)
        #expect(fixture.tick() == [])
        let moved = try #require(try fixture.context.object(of: ToDo.self, matching: "name", equals: "moved"))
        moved.dueDate = fixture.clock.now + 600
        let again = try #require(try fixture.context.object(of: ToDo.self, matching: "name", equals: "again"))
        again.dueDate = fixture.clock.now + 6_000
        try fixture.context.save()
        #expect(fixture.ticks(8) == ["5 moved due-soon"])
        fixture.clock.advance(3_600)
        #expect(fixture.ticks(60) == ["27 again due-soon"])
    }

    @Test func clockSetBackBeforeRecordingSendsAlertAgain() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 900)
        fixture.clock.advance(86_400)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        fixture.clock.advance(-86_400)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        #expect(fixture.sink.sentNames == ["x"])
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.ticks(20) == ["10 x due-soon"])
    }

    @Test func nagsContinueAfterTheClockIsSetBack() throws {
        var settings = AlertSettings.oneLead
        settings.nag = .minutes(10)
        let fixture = try AlertLoopFixture(settings)
        try fixture.add("x", dueIn: 0)
        #expect(fixture.ticks(20) == ["1 x due-soon", "10 x overdue", "20 x overdue"])
        fixture.clock.advance(86_400)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(-86_400)
        #expect(fixture.ticks(20) == ["10 x overdue", "20 x overdue"])
    }

    /// Alert times do not depend on the local time, because they are absolute.
    @Test(arguments: [
        "2026-03-29T01:30:00+01:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00",
        "2026-12-31T23:58:00+01:00",
    ])
    func timeChangeDoesNotMoveAlerts(text: String) throws {
        let fixture = try AlertLoopFixture()
        let due = try #require(RFC3339.moment(text))
        fixture.clock.advance(due - 3_600 - ManualClock.start)
        try fixture.add("x", dueIn: 3_600)
        #expect(fixture.ticks(180) == ["55 x due-soon"])
    }

    /// Half an hour before a time change, the clock jumps past it, and is set right an hour later.
    @Test(
        arguments: ["2026-03-29T01:30:00+01:00", "2026-10-25T02:30:00+02:00"],
        [30, 1_800, 3_600, 7_200, 86_400] as [Double])
    func jumpPastTimeChangeSendsPassedAlertsOnce(text: String, seconds: Double) throws {
        let fixture = try AlertLoopFixture(zone: Self.berlin)
        fixture.clock.advance(try #require(RFC3339.moment(text)) - ManualClock.start)
        try fixture.add("near", dueIn: 2_400)
        try fixture.add("far", dueIn: 30 * 3_600)
        fixture.clock.advance(seconds)
        let passed = fixture.ticks(60).map { $0.split(separator: " ")[1] }
        #expect(passed == ["near"])
        fixture.clock.advance(-seconds)
        #expect(fixture.ticks(30 * 60) == ["1735 far due-soon"])
    }

    /// A night with a time change is an hour shorter or longer, and its quiet hours end at their local time.
    @Test(arguments: nights) func quietHoursEndAtLocalTimeDespiteTimeChange(night: Night) throws {
        let fixture = try AlertLoopFixture(quietHours: Self.tenToSeven, zone: Self.berlin)
        let evening = try #require(RFC3339.moment(night.evening))
        fixture.clock.advance(evening - 60 - ManualClock.start)
        try fixture.add("x", dueIn: 6 * 3_600)
        #expect(fixture.ticks(night.minutes + 60) == ["\(night.minutes + 1) x missed"])
    }

    @Test(arguments: nights) func quietHoursEndAtLocalTimeAfterSuspend(night: Night) throws {
        let fixture = try AlertLoopFixture(quietHours: Self.tenToSeven, zone: Self.berlin)
        let evening = try #require(RFC3339.moment(night.evening))
        fixture.clock.advance(evening - 60 - ManualClock.start)
        try fixture.add("x", dueIn: 6 * 3_600)
        #expect(fixture.tick().isEmpty)
        fixture.clock.advance(Double(night.minutes) * 60)
        #expect(fixture.tick().isEmpty, "it is 06:59")
        fixture.clock.advance(60)
        let batches = fixture.batches()
        #expect(batches.map { $0.alerts.map(\.name) } == [["x"]])
        #expect(batches.map(\.delayedSince) == [evening])
    }

    @Test(arguments: [(0, 60), (1, 60), (59, 60), (60, 120), (1_795_194_000, 1_795_194_060)])
    func checksAreAlignedToTheMinute(now: Int, next: Int) {
        let moment = Timestamp(secondsSince1970: Double(now) + 0.5)
        #expect(AlertSchedule.minutes.next(after: moment) == Timestamp(secondsSince1970: Double(next)))
    }
}
