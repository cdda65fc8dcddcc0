import CivilTime
import ObjectStore
import TestSupport
import Testing

@testable import Reminders

/// The alerts of items that are due on a date, and the moments of local times when the zone changes.
@Suite struct DateAlertTests {
    private static let berlin = "Europe/Berlin"

    private struct Fixture {
        let context: ManagedObjectContext
        let alertTimes: AlertTimes
        let zone: TimeZoneRules

        init(
            now text: String, zone name: String = DateAlertTests.berlin,
            in coordinator: PersistentStoreCoordinator? = nil
        )
            throws
        {
            let now = try #require(RFC3339.moment(text))
            zone = try #require(TimeZoneRules(named: name))
            let coordinator = try coordinator ?? DateAlertTests.coordinator()
            context = ManagedObjectContext(coordinator: coordinator)
            alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(zone)) { now }
        }

        func item(due: String) throws -> ToDo {
            let item = try context.insertToDo(at: Timestamp(secondsSince1970: 0))
            item.name = "x"
            item.schedule.setDue(CalendarTime(due), in: zone)
            return item
        }

        func next(_ item: ToDo) -> String? { item.nextAlertDate.flatMap { RFC3339.text($0, in: zone) } }
    }

    private static func coordinator() throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        return coordinator
    }

    /// The first date is a day on which the clocks go back.
    @Test(arguments: ["2026-10-25T09:00:00+01:00", "2026-11-27T09:00:00+01:00"])
    func dateHasOneAlertAtTheTimeOfDates(alert: String) throws {
        let fixture = try Fixture(now: "2026-10-20T12:00:00+02:00")
        let item = try fixture.item(due: String(alert.prefix(10)))
        try fixture.context.save()
        #expect(fixture.next(item) == alert)
        let state = item.alertState(fixture.alertTimes.planner.settings)
        let sent = fixture.alertTimes.planner.state(
            state, afterAlertsUpTo: try #require(item.nextAlertDate), due: item.dueDate, isSent: true)
        #expect(sent.next == nil)
        #expect(
            fixture.alertTimes.planner.action(for: state, at: try #require(RFC3339.moment(alert)))
                == .send(.dueSoon))
    }

    @Test func leadTimesOfDateAreCountedFromTheTimeOfDates() throws {
        let fixture = try Fixture(now: "2026-11-20T12:00:00+01:00")
        let item = try fixture.item(due: "2026-11-27")
        try item.setLeads([86_400, 0])
        try fixture.context.save()
        #expect(fixture.next(item) == "2026-11-26T09:00:00+01:00")
    }

    @Test func alertTimeThatHasPassedWhenDateIsSetIsOver() throws {
        let fixture = try Fixture(now: "2026-11-27T15:00:00+01:00")
        let item = try fixture.item(due: "2026-11-27")
        try fixture.context.save()
        #expect(fixture.next(item) == nil && item.alertedUpTo != nil)
    }

    @Test func otherTimeOfDatesMovesAlerts() throws {
        let fixture = try Fixture(now: "2026-11-20T12:00:00+01:00")
        let item = try fixture.item(due: "2026-11-27")
        try fixture.context.save()
        var settings = AlertSettings()
        settings.timeOfDates = 7 * 3_600
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: 0) == nil)
        #expect(fixture.next(item) == "2026-11-27T07:00:00+01:00")
    }

    @Test func otherZoneMovesLocalTimesOfOpenItems() throws {
        let coordinator = try Self.coordinator()
        let home = try Fixture(now: "2026-11-20T12:00:00+01:00", in: coordinator)
        let date = try home.item(due: "2026-11-27")
        let floating = try home.item(due: "2026-11-27T20:00:00")
        let moment = try home.item(due: "2026-11-27T20:00:00+01:00")
        let done = try home.item(due: "2026-11-27")
        done.completed = true
        try home.context.save()
        let formerEnd = done.dueDate

        let away = try Fixture(now: "2026-11-20T12:00:00+01:00", zone: "Asia/Tokyo", in: coordinator)
        #expect(try !away.alertTimes.refreshLocalTimes())
        let find = { (item: ToDo) in try #require(try away.context.object(of: ToDo.self, id: item.id)) }
        #expect(away.next(try find(date)) == "2026-11-27T09:00:00+09:00")
        #expect(away.next(try find(floating)) == "2026-11-27T19:55:00+09:00")
        #expect(try find(floating).modifiedDate == floating.modifiedDate)
        #expect(home.next(try find(moment)) == "2026-11-27T19:55:00+01:00")
        #expect(try find(done).dueDate == formerEnd)
        #expect(try !away.alertTimes.refreshLocalTimes() && !away.context.hasChanges)
    }

    /// A journey neither loses an alert that was not sent, nor repeats one that was, nor ends a snooze.
    @Test func otherZoneMovesRecordsOfAlerts() throws {
        let coordinator = try Self.coordinator()
        let home = try Fixture(now: "2026-11-27T08:00:00+01:00", in: coordinator)
        let unsent = try home.item(due: "2026-11-27")
        let early = try home.item(due: "2026-11-28")
        try early.setLeads([3 * 86_400])
        let snoozed = try home.item(due: "2026-11-28")
        try home.context.save()
        let lead = try #require(early.alarms.first)
        lead.alertedDueDate = early.dueDate
        let sent = try home.item(due: "2026-11-28")
        sent.alertedUpTo = RFC3339.moment("2026-11-28T09:00:00+01:00")
        snoozed.snoozedUntil = RFC3339.moment("2026-11-27T10:00:00+01:00")
        try home.context.save()
        sent.alertedUpTo = RFC3339.moment("2026-11-28T09:00:00+01:00")
        try home.context.save()

        let away = try Fixture(now: "2026-11-27T16:00:00+09:00", zone: "Asia/Tokyo", in: coordinator)
        #expect(try !away.alertTimes.refreshLocalTimes())
        let find = { (item: ToDo) in try #require(try away.context.object(of: ToDo.self, id: item.id)) }
        #expect(away.next(try find(unsent)) == "2026-11-27T09:00:00+09:00")
        #expect(away.next(try find(early)) == nil)
        #expect(away.next(try find(sent)) == nil)
        #expect(try find(snoozed).snoozedUntil == snoozed.snoozedUntil)
    }

    @Test func laterTimeOfDatesRepeatsNoAlert() throws {
        let fixture = try Fixture(now: "2026-11-27T12:00:00+01:00")
        let item = try fixture.item(due: "2026-11-27")
        try fixture.context.save()
        #expect(item.alertedUpTo != nil)
        var settings = AlertSettings()
        settings.timeOfDates = 17 * 3_600
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: 0) == nil)
        #expect(fixture.next(item) == nil)
    }

    /// A change to undo has the moment of another zone.
    @Test func savedItemHasTheMomentOfTheCurrentZone() throws {
        let fixture = try Fixture(now: "2026-11-20T12:00:00+01:00")
        let item = try fixture.item(due: "2026-11-27")
        item.dueDate = RFC3339.moment("2026-11-27T23:59:59Z")
        try fixture.context.save()
        #expect(item.dueDate == RFC3339.moment("2026-11-27T23:59:59+01:00"))
    }
}
