import CivilTime
import ObjectStore
import Testing

@testable import Reminders

/// The alerts of alarms after the due time, before and after the start, and at moments.
@Suite struct AlarmTests {
    private static let now = Timestamp(secondsSince1970: 1_795_701_600)

    private struct Fixture {
        let context: ManagedObjectContext
        let alertTimes: AlertTimes
        let rule = AlertRule()

        init(at now: Timestamp = AlarmTests.now, in coordinator: PersistentStoreCoordinator? = nil) throws {
            let coordinator = try coordinator ?? AlarmTests.coordinator()
            context = ManagedObjectContext(coordinator: coordinator)
            alertTimes = AlertTimes(
                context: context, planner: AlertPlanner(), zone: LocalZone(.utc), now: { now })
        }

        /// - Parameters:
        ///   - due: the seconds from `now` to the due time.
        ///   - start: the seconds from `now` to the start.
        func item(
            due: Double?, start: Double? = nil, leads: [Int32] = [], alerts: [AlarmTime] = []
        ) throws -> ToDo {
            let item = try context.insertToDo(at: AlarmTests.now - 1e6)
            item.name = "x"
            item.dueDate = due.map { AlarmTests.now + $0 }
            item.startDate = start.map { AlarmTests.now + $0 }
            try item.setLeads(leads)
            try item.setAlarmTimes(alerts)
            try context.save()
            return item
        }

        func next(_ item: ToDo) -> Double? { item.nextAlertDate.map { $0 - AlarmTests.now } }

        /// Makes a check, records its alerts as sent, and returns their kinds.
        func check(at seconds: Double) throws -> [Alert.Kind] {
            let moment = AlarmTests.now + seconds
            let entries = try AlertFetches(rule, alertTimes.rows).entries(
                at: moment, alertTimes.planner.settings)
            var kinds: [Alert.Kind] = []
            for entry in entries {
                switch alertTimes.planner.action(for: entry.state, at: moment) {
                case .wait: continue
                case .send(let kind): kinds.append(kind)
                case .skip, .giveUp: break
                }
                try alertTimes.record([entry], at: moment) { entry in
                    alertTimes.planner.state(
                        entry.state, afterAlertsUpTo: moment, due: entry.state.due, isSent: true)
                }
            }
            return kinds
        }
    }

    private static func coordinator() throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        return coordinator
    }

    @Test func alarmsAreSentInTheirOrderAndOnce() throws {
        let fixture = try Fixture()
        let item = try fixture.item(
            due: 7_200, start: 3_600, leads: [0, -1_800],
            alerts: [.moment(Self.now + 600), .beforeStart(900), .beforeStart(-300)])
        let expected: [(Double, Alert.Kind)] = [
            (600, .reminder), (2_700, .reminder), (3_900, .reminder), (7_200, .dueSoon), (9_000, .overdue),
        ]
        for (seconds, kind) in expected {
            #expect(fixture.next(item) == seconds)
            #expect(try fixture.check(at: seconds - 1).isEmpty)
            #expect(try fixture.check(at: seconds) == [kind])
            #expect(try fixture.check(at: seconds + 400).isEmpty)
        }
        #expect(fixture.next(item) == nil)
    }

    @Test func alarmsOfAnItemWithoutADueTimeAreSent() throws {
        let fixture = try Fixture()
        let item = try fixture.item(
            due: nil, start: 3_600, alerts: [.beforeStart(0), .moment(Self.now + 60)])
        #expect(fixture.next(item) == 60)
        #expect(try fixture.check(at: 100) == [.reminder])
        #expect(fixture.next(item) == 3_600)
        #expect(try fixture.check(at: 3_600) == [.reminder])
        #expect(fixture.next(item) == nil)
    }

    @Test func otherAlarmsDoNotReplaceTheDefaultLeadTimes() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: 7_200, alerts: [.moment(Self.now + 600)])
        #expect(try fixture.check(at: 600) == [.reminder])
        #expect(fixture.next(item) == 6_900)
        #expect(try fixture.check(at: 6_900) == [.dueSoon])
        #expect(fixture.next(item) == 7_200)
    }

    @Test func quietTimeDelaysAlarmAfterTheDueTime() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: 600, leads: [0, -60])
        #expect(try fixture.check(at: 600) == [.dueSoon])
        #expect(fixture.next(item) == 901)
        #expect(try fixture.check(at: 900).isEmpty)
        #expect(try fixture.check(at: 901) == [.overdue])
    }

    @Test func alarmMissedWhileTheMachineWasOffIsSentUntilTheCatchUpTimeEnds() throws {
        let days = AlertSettings().catchUp.seconds
        for (late, expected) in [(days - 60, [Alert.Kind.reminder]), (days + 60, [])] {
            let fixture = try Fixture()
            _ = try fixture.item(due: nil, alerts: [.moment(Self.now + 600)])
            #expect(try fixture.check(at: 600 + late) == expected)
        }
    }

    /// The due time is too long ago for an alert, and the moment of the alarm is not.
    @Test func alarmLongAfterTheDueTimeIsSent() throws {
        let fixture = try Fixture()
        let day = 86_400.0
        _ = try fixture.item(due: day, alerts: [.moment(Self.now + 60 * day)])
        #expect(try fixture.check(at: 60 * day) == [.reminder])
    }

    @Test func changedAlarmKeepsTheRecordsOfTheOthers() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: 1_200, leads: [1_200], alerts: [.moment(Self.now)])
        #expect(try fixture.check(at: 0) == [.dueSoon])
        try item.setAlarmTimes([.moment(Self.now), .moment(Self.now + 600)])
        try fixture.context.save()
        #expect(fixture.next(item) == 600)
    }

    @Test func startAlarmMovesWithTheStart() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: nil, start: 3_600, alerts: [.beforeStart(600)])
        #expect(try fixture.check(at: 3_000) == [.reminder])
        item.startDate = Self.now + 90_000
        try fixture.context.save()
        #expect(fixture.next(item) == 89_400)
        item.startDate = nil
        try fixture.context.save()
        #expect(fixture.next(item) == nil)
    }

    @Test func alarmOfAStartInThePastIsOver() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: nil, start: -3_600, alerts: [.beforeStart(0), .beforeStart(-7_200)])
        #expect(fixture.next(item) == 3_600)
        let late = try fixture.item(due: nil, start: 60, alerts: [.beforeStart(600)])
        #expect(fixture.next(late) == -540)
        #expect(try fixture.check(at: 0) == [.reminder])
    }

    @Test func startOnADateCountsFromTheTimeOfDates() throws {
        let fixture = try Fixture()
        let item = try fixture.context.insertToDo(at: Self.now)
        item.name = "x"
        item.schedule.start = CalendarTime("2026-11-28")
        try item.setAlarmTimes([.beforeStart(3_600)])
        try fixture.context.save()
        #expect(item.nextAlertDate.flatMap { RFC3339.text($0) } == "2026-11-28T08:00:00Z")
    }

    @Test func snoozeReplacesAlarmsUpToItsEnd() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: nil, alerts: [.moment(Self.now + 600), .moment(Self.now + 5_000)])
        item.snoozedUntil = Self.now + 1_200
        try fixture.context.save()
        #expect(try fixture.check(at: 600).isEmpty)
        #expect(try fixture.check(at: 1_200) == [.snoozed])
        #expect(fixture.next(item) == 5_000)
    }

    @Test func reopenedItemHasNoAlertForPastAlarms() throws {
        let fixture = try Fixture()
        let item = try fixture.item(due: nil, alerts: [.moment(Self.now - 7_200), .moment(Self.now + 600)])
        item.completed = true
        try fixture.context.save()
        #expect(fixture.next(item) == nil)
        item.completed = false
        try fixture.context.save()
        #expect(fixture.next(item) == 600)
    }

    /// The clock was two hours fast when the alert was sent.
    @Test func clockSetBackSendsAlarmAgain() throws {
        let coordinator = try Self.coordinator()
        let fixture = try Fixture(in: coordinator)
        _ = try fixture.item(due: nil, alerts: [.moment(Self.now + 3_600)])
        #expect(try fixture.check(at: 7_200) == [.reminder])
        #expect(try fixture.alertTimes.wasClockAhead(at: Self.now))
        var sentEarly: [AlertRows.Entry] = []
        #expect(try fixture.alertTimes.refresh(after: 0) { sentEarly += $0 } == nil)
        #expect(sentEarly.count == 1)
        #expect(try fixture.check(at: 3_600) == [.reminder])
    }

    @Test(
        arguments: [
            (AlarmTime.beforeStart(0), "at start"), (.beforeStart(900), "15min before start"),
            (.beforeStart(-5_400), "1h 30min after start"),
            (.moment(AlarmTests.now), "2026-11-26T14:00:00Z"), (.beforeStart(Int32.max), nil),
        ] as [(AlarmTime, String?)])
    func timeIsReadFromItsText(time: AlarmTime, text: String?) {
        if let text { #expect(time.text == text) }
        #expect(AlarmTime(time.text) == time)
    }

    @Test(arguments: ["", "start", "before start", "5 before start", "month before start", "at due", "soon"])
    func otherTextIsNoTime(text: String) {
        #expect(AlarmTime(text) == (text == "start" ? .beforeStart(0) : nil))
    }
}
