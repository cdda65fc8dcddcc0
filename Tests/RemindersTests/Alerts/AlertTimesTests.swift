import CivilTime
import ObjectStore
import TestSupport
import Testing

@testable import Reminders

/// A save writes the next alert time of an item, after every kind of change that affects it.
@Suite struct AlertTimesTests {
    static let start = Timestamp(secondsSince1970: 1_795_194_000)

    struct Fixture {
        let context: ManagedObjectContext
        let alertTimes: AlertTimes

        init() throws {
            let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
            try coordinator.addStore(.memory)
            context = ManagedObjectContext(coordinator: coordinator)
            alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
                AlertTimesTests.start
            }
        }

        func item(dueIn minutes: Double?) throws -> ToDo {
            let item = try context.insertToDo(at: AlertTimesTests.start)
            item.name = "x"
            item.dueDate = minutes.map { AlertTimesTests.start + $0 * 60 }
            return item
        }
    }

    /// S7: the alert times depend on the item of a changed lead time, which has to be read.
    @Test func saveFailsIfTheItemOfAnAlarmCannotBeRead() throws {
        let model = try ReminderModel.current()
        let store = BrokenStore(MemoryStore(model: model))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        let writer = ManagedObjectContext(coordinator: coordinator)
        let item = try writer.insertToDo(at: Self.start)
        item.name = "x"
        item.dueDate = Self.start + 3_600
        let lead = try writer.insert(Alarm.self)
        lead.offset = 300
        lead.toDo = item
        try writer.save()

        let context = ManagedObjectContext(coordinator: coordinator)
        let alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
            Self.start
        }
        let alarm = try #require(try context.objects(of: Alarm.self).first)
        alarm.offset = 600
        store.failsToRead = true
        #expect(throws: BrokenStore.Failure.self) { try context.save() }
        #expect(context.hasChanges)
        store.failsToRead = false
        try context.save()
        withExtendedLifetime(alertTimes) {
            #expect(alarm.toDo?.nextAlertDate == Self.start + 3_000)
        }
    }

    /// The next alert time in minutes from now.
    private func next(_ item: ToDo) -> Double? {
        item.nextAlertDate.map { ($0 - Self.start) / 60 }
    }

    struct NewItem: Sendable {
        let due: Double?
        let point: Double?
    }

    @Test(arguments: [
        NewItem(due: nil, point: nil), NewItem(due: 60, point: 55), NewItem(due: 3, point: -2),
        NewItem(due: 0, point: -5), NewItem(due: -1, point: -6), NewItem(due: -2, point: nil),
        NewItem(due: -10_000, point: nil),
    ])
    func newItemHasAlertTime(_ example: NewItem) throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: example.due)
        try fixture.context.save()
        #expect(next(item) == example.point)
    }

    @Test func everyChangeUpdatesAlertTime() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 60)
        try fixture.context.save()
        func expect(_ point: Double?, _ change: () throws -> Void) throws {
            try change()
            try fixture.context.save()
            #expect(next(item) == point)
        }
        try expect(95) { item.dueDate = Self.start + 6_000 }
        try expect(40) { try item.setLeads([300, 3_600]) }
        try expect(70) { item.alarms.first { $0.offset == 3_600 }?.offset = 1_800 }
        try expect(90) { item.snoozedUntil = Self.start + 5_400 }
        try expect(70) { item.snoozedUntil = nil }
        try expect(30) { item.snoozedUntil = Self.start + 1_800 }
        try expect(25) { item.dueDate = Self.start + 3_300 }
        try expect(nil) { item.doNotAlert = true }
        try expect(25) { item.doNotAlert = false }
        try expect(nil) { item.completed = true }
        try expect(25) { item.completed = false }
        try expect(50) { try item.setLeads([]) }
        try expect(50) { item.name = "y" }
        try expect(nil) { item.dueDate = nil }
        #expect(try fixture.context.count(FetchRequest<Alarm>()) == 0)
    }

    @Test func nextOccurrenceHasItsOwnAlerts() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 60)
        item.schedule.rule = try RecurrenceRule("FREQ=DAILY")
        try item.setLeads([1_800, 60])
        try fixture.context.save()
        for alarm in item.alarms { alarm.alertedDueDate = item.dueDate }
        item.snoozedUntil = Self.start + 600
        try fixture.context.save()
        #expect(next(item) == 10)
        item.move(to: try #require(item.schedule.done(at: Self.start, in: .utc)))
        #expect(item.snoozedUntil == nil)
        try fixture.context.save()
        #expect(item.snoozedUntil == nil && next(item) == 24 * 60 + 30)
    }

    @Test func deletedAlarmUpdatesAlertTimeOfItem() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 60)
        try item.setLeads([1_800, 60])
        try fixture.context.save()
        #expect(next(item) == 30)
        let alarm = try #require(item.alarms.first { $0.offset == 1_800 })
        try fixture.context.delete(alarm)
        try fixture.context.save()
        #expect(next(item) == 59)
        try fixture.context.delete(item)
        try fixture.context.save()
        #expect(try fixture.context.count(FetchRequest<Alarm>()) == 0)
    }

    @Test func reopenedItemSendsItsAlertsAgain() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 3)
        item.alertedUpTo = Self.start - 120
        try fixture.context.save()
        #expect(next(item) == 3)
        item.completed = true
        try fixture.context.save()
        item.completed = false
        try fixture.context.save()
        #expect(next(item) == -2)
    }

    /// An imported item has its next alert time. A nag that was not sent yet is not skipped.
    @Test(arguments: [(-30.0, -30.0), (-17, 30)])
    func importedAlertTimeIsKeptIfValid(point: Double, expected: Double) throws {
        let fixture = try Fixture()
        var settings = AlertSettings()
        settings.nag = .minutes(60)
        _ = fixture.alertTimes.apply(settings)
        let item = try fixture.item(dueIn: -90)
        item.isRestored = true
        item.alertedUpTo = item.dueDate
        item.nextAlertDate = Self.start + point * 60
        try fixture.context.save()
        #expect(next(item) == expected)
    }

    @Test func undoUpdatesAlertTime() throws {
        let fixture = try Fixture()
        fixture.context.undoLevels = 10
        let item = try fixture.item(dueIn: 60)
        try fixture.context.save()
        item.completed = true
        try fixture.context.save()
        fixture.context.undo()
        try fixture.context.save()
        #expect(next(item) == 55)
    }

    @Test func newDefaultLeadTimeUpdatesItemsThatUseIt() throws {
        let fixture = try Fixture()
        let usual = try fixture.item(dueIn: 60)
        let own = try fixture.item(dueIn: 60)
        try own.setLeads([600])
        let sent = try fixture.item(dueIn: 3)
        sent.alertedUpTo = sent.dueDate
        let past = try fixture.item(dueIn: -60)
        let done = try fixture.item(dueIn: 60)
        done.completed = true
        try fixture.context.save()
        var settings = AlertSettings()
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: 0) == nil)
        #expect(!fixture.alertTimes.apply(settings))
        settings.leads = [.minutes(30)]
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: 0) == nil)
        #expect([usual, own, sent, past, done].map(next) == [30, 50, nil, nil, nil])
        settings.nag = .minutes(45)
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: 0) == nil)
        #expect([usual, own, sent, past, done].map(next) == [30, 50, 48, 30, nil])
        settings.catchUp = .days(1)
        #expect(!fixture.alertTimes.apply(settings))
    }

    /// A1: The due time is compared with the last alert time, which may belong to another due time.
    @Test func newDueTimeSendsNewAlertsEvenIfAlertTimesPassed() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 5)
        try fixture.context.save()
        item.alertedUpTo = Self.start
        item.nextAlertDate = Self.start + 300
        try fixture.context.save()
        #expect(next(item) == 5)
        // Its alert times are five minutes ago and now.
        item.dueDate = Self.start
        try fixture.context.save()
        #expect(item.alertedUpTo == nil && next(item) == -5)
    }

    /// A1: An older todod had one default lead time. It recorded the alert five minutes before the due time as
    /// the alert at the due time.
    @Test func alertRecordedByOlderVersionIsNotThatAtDueTime() throws {
        let fixture = try Fixture()
        let item = try fixture.item(dueIn: 3)
        try fixture.context.save()
        item.alertedUpTo = item.dueDate
        try fixture.context.save()
        #expect(next(item) == nil)
        let store = try #require(fixture.context.coordinator.store)
        try store.setMetadataEntries(["alertPoints": "lead 300000000, nag 0"])
        #expect(fixture.alertTimes.areOfOneLead && fixture.alertTimes.apply(AlertSettings()))
        #expect(try fixture.alertTimes.refresh(after: 0, whenSentEarly: { _ in }) == nil)
        #expect(!fixture.alertTimes.areOfOneLead)
        #expect(item.alertedUpTo == Self.start - 120 && next(item) == 3)
    }

    /// A1: The daemon is killed before it has computed the alert times of all items of an older todod.
    @Test func interruptedUpdateFromOlderVersionContinues() throws {
        let fixture = try Fixture()
        let items = try (0...AlertTimes.itemsPerBatch).map { _ in try fixture.item(dueIn: 3) }
        try fixture.context.save()
        for item in items { item.alertedUpTo = item.dueDate }
        try fixture.context.save()
        #expect(items.allSatisfy { $0.nextAlertDate == nil })
        let store = try #require(fixture.context.coordinator.store)
        try store.setMetadataEntries(["alertPoints": "lead 300000000, nag 0"])
        #expect(fixture.alertTimes.apply(AlertSettings()))
        #expect(try fixture.alertTimes.refresh(after: 0, whenSentEarly: { _ in }) != nil)

        let alertTimes = AlertTimes(context: fixture.context, planner: AlertPlanner(), zone: LocalZone(.utc))
        { Self.start }
        #expect(alertTimes.areOfOneLead && alertTimes.apply(AlertSettings()))
        var position: Int64? = 0
        while let last = position { position = try alertTimes.refresh(after: last) { _ in } }
        #expect(!alertTimes.areOfOneLead)
        let isRight = try FetchPredicate("nextAlertDate == %@", Self.start + 180)
        let count = try fixture.context.count(FetchRequest<ToDo>(matching: isRight))
        #expect(count == AlertTimes.itemsPerBatch + 1)
    }

    /// The old settings return before the alert times of all items were computed for the new ones.
    @Test func restoredSettingsComputeAllAlertTimesAgain() throws {
        let fixture = try Fixture()
        for _ in 0...AlertTimes.itemsPerBatch { _ = try fixture.item(dueIn: 60) }
        try fixture.context.save()
        let usual = AlertSettings()
        #expect(fixture.alertTimes.apply(usual))
        var position = try fixture.alertTimes.refresh(after: 0)
        while let last = position { position = try fixture.alertTimes.refresh(after: last) }
        var others = usual
        others.leads = [.minutes(10)]
        #expect(fixture.alertTimes.apply(others))
        #expect(try fixture.alertTimes.refresh(after: 0) != nil)
        #expect(fixture.alertTimes.apply(usual))
    }

    @Test func manyItemsAreUpdatedInBatches() throws {
        let fixture = try Fixture()
        let count = AlertTimes.itemsPerBatch + 10
        for _ in 0..<count { _ = try fixture.item(dueIn: 60) }
        try fixture.context.save()
        var settings = AlertSettings()
        settings.leads = [.minutes(10)]
        #expect(fixture.alertTimes.apply(settings))
        let position = try fixture.alertTimes.refresh(after: 0)
        #expect(position == Int64(AlertTimes.itemsPerBatch))
        #expect(fixture.alertTimes.apply(settings))
        #expect(try fixture.alertTimes.refresh(after: position ?? 0) == nil)
        let isRight = try FetchPredicate("nextAlertDate == %@", Self.start + 3_000)
        #expect(try fixture.context.count(FetchRequest<ToDo>(matching: isRight)) == count)
    }
}
