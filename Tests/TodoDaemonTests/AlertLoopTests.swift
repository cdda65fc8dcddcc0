import CivilTime
import Dispatch
import ObjectStore
import Reminders
import SQLiteDriver
import Testing

@testable import Alerts

@Suite struct AlertLoopTests {
    @Test(arguments: [(-61.0, false), (-60, true), (0, true), (1, true), (300, true), (301, false)])
    func alertIsSentFromLeadTimeOn(seconds: Double, isSent: Bool) throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: seconds)
        #expect(fixture.tick() == (isSent ? ["x"] : []))
    }

    @Test func alertsAreInOrderOfDueTimes() throws {
        let fixture = try AlertLoopFixture()
        for (name, seconds) in [("c", 200.0), ("a", 10), ("b", 100)] { try fixture.add(name, dueIn: seconds) }
        #expect(fixture.tick() == ["a", "b", "c"])
    }

    @Test func completedMutedAndUndatedItemsHaveNoAlerts() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("done", dueIn: 60) { $0.completed = true }
        try fixture.add("muted", dueIn: 60) { $0.doNotAlert = true }
        try fixture.add("undated", dueIn: 60) { $0.dueDate = nil }
        #expect(fixture.tick().isEmpty)
    }

    @Test func eachAlertTimeHasOneAlertDespiteQuietTime() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 3_600) { try $0.setLeads([2_700, 2_580, 0]) }
        #expect(fixture.ticks(70) == ["15 x due-soon", "17 x due-soon", "60 x due-soon"])
        #expect(item.lastAlertDate == ManualClock.start + 3_600)
        #expect(item.nextAlertDate == nil)
        // The item's own lead times are over, not the default ones.
        #expect(item.alertedUpTo == nil)
    }

    /// A1: By default an item has two alerts, even if the first is late.
    @Test(arguments: [0, 1, 60, 239] as [Double]) func dueTimeHasItsOwnAlert(late: Double) throws {
        let fixture = try AlertLoopFixture(AlertSettings())
        let item = try fixture.add("x", dueIn: 900)
        #expect(fixture.tick().isEmpty)
        fixture.clock.advance(600 + late)
        #expect(fixture.tick() == ["x"])
        #expect(item.alertedUpTo == ManualClock.start + 600 && item.nextAlertDate == item.dueDate)
        fixture.clock.advance(300 - late - 1)
        #expect(fixture.tick().isEmpty)
        fixture.clock.advance(1)
        #expect(fixture.batches().flatMap(\.alerts).map(\.kind) == [.dueSoon])
        #expect(item.nextAlertDate == nil && item.lastAlertDate == ManualClock.start + 900)
        #expect(fixture.ticks(30).isEmpty)
    }

    /// A1: Alert times that passed while the daemon did not run are one alert.
    @Test func alertTimesPassedTogetherAreOneAlert() throws {
        let fixture = try AlertLoopFixture(AlertSettings())
        try fixture.add("x", dueIn: 600)
        fixture.clock.advance(4_200)
        try fixture.restart()
        #expect(fixture.batches().flatMap(\.alerts).map(\.kind) == [.missed])
        #expect(fixture.ticks(30).isEmpty)
    }

    // MARK: - Between two full minutes

    /// A1: A second timer is armed if an alert time is between two checks.
    @Test func alertTimeBetweenTwoChecksHasAnExactCheck() throws {
        let fixture = try AlertLoopFixture(AlertSettings())
        let start = ManualClock.start
        #expect(fixture.tick().isEmpty)
        #expect(try fixture.loop.nextExactCheck() == nil)
        // It is not armed for an alert time at the full minute or later.
        let item = try fixture.add("x", dueIn: 360)
        #expect(try fixture.loop.nextExactCheck() == nil)
        item.dueDate = start + 330.5
        try fixture.context.save()
        #expect(try fixture.loop.nextExactCheck() == start + 30.5)
        // The check finds that the alert time has moved.
        item.dueDate = start + 345
        try fixture.context.save()
        fixture.clock.advance(30.5)
        #expect(fixture.tick().isEmpty)
        #expect(try fixture.loop.nextExactCheck() == start + 45)
        fixture.clock.advance(14.5)
        #expect(fixture.tick() == ["x"])
        #expect(try fixture.loop.nextExactCheck() == nil)
    }

    /// A1: An item with a pending alert does not hide the next alert time of another item.
    @Test func alertTimeAfterPendingAlertHasAnExactCheck() throws {
        let fixture = try AlertLoopFixture(AlertSettings())
        let start = ManualClock.start
        try fixture.add("first", dueIn: 20)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        try fixture.add("second", dueIn: 340)
        #expect(try fixture.loop.nextExactCheck() == start + 40)
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(try fixture.loop.nextExactCheck() == start + 20)
    }

    /// A1: An alert time during the delivery of alerts has an immediate check, and so has the end of a quiet period.
    @Test func alertTimeDuringACheckHasAnExactCheck() throws {
        let fixture = try AlertLoopFixture(AlertSettings())
        let start = ManualClock.start
        try fixture.add("first", dueIn: 20)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        fixture.clock.advance(25)
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(try fixture.loop.nextExactCheck() == nil)
        #expect(try fixture.loop.nextExactCheck(after: start) == start + 20)
        #expect(fixture.tick() == ["first"])
        #expect(try fixture.loop.nextExactCheck(after: start + 25) == nil)

        try fixture.changeDoNotDisturb { $0.begin(at: start + 25, until: start + 28) }
        fixture.clock.advance(5)
        #expect(try fixture.loop.nextExactCheck(after: start + 25) == start + 28)
    }

    /// A1: While alerts are delayed, the next check is at the end of the quiet period, unless an item may break
    /// through.
    @Test func quietPeriodIsCheckedAtItsEnd() throws {
        let fixture = try AlertLoopFixture(AlertSettings(), breakThrough: 1)
        let start = ManualClock.start
        try fixture.changeDoNotDisturb { $0.begin(at: start, until: start + 45) }
        #expect(try fixture.loop.nextExactCheck() == start + 45)
        try fixture.add("x", dueIn: 330) { $0.priority = 1 }
        #expect(try fixture.loop.nextExactCheck() == start + 30)
        fixture.apply(AlertSettings(), quietHours: nil, breakThrough: nil)
        #expect(try fixture.loop.nextExactCheck() == start + 45)
    }

    @Test func pendingAlertIsNotSentAgain() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 60)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        #expect(fixture.sink.sentNames == ["x"])
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.tick().isEmpty)
    }

    @Test func undeliveredAlertIsRetriedAtNextCheck() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 240)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        fixture.sink.finish(deliversAll: false)
        fixture.queue.sync {}
        #expect(item.lastAlertDate == nil)
        fixture.clock.advance(60)
        #expect(fixture.tick() == ["x"])
        #expect(item.lastAlertDate != nil)
    }

    @Test func itemDeletedDuringItsAlertIsIgnored() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 60)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        try fixture.context.delete(item)
        try fixture.context.save()
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.queue.sync { fixture.loop.recordLast() })
    }

    /// A sink that does not reply delays only its own alerts.
    @Test func pendingAlertDelaysNoOtherAlert() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("first", dueIn: 60)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        try fixture.add("second", dueIn: 60)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        fixture.clock.advance(3_600)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        #expect(fixture.sink.sentNames == ["first", "second"])
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.tick().isEmpty)
    }

    @Test func itemChangedDuringItsAlertHasAlertAtNewTime() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 60)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        item.dueDate = ManualClock.start + 3_600
        try fixture.context.save()
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(item.lastAlertDate == ManualClock.start)
        #expect(fixture.ticks(60) == ["55 x due-soon"])
    }

    /// While the store cannot be written, sent alerts are not repeated. They are recorded as soon as it can.
    @Test func unrecordedAlertIsNotRepeated() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 240)
        let blocker = try Blocker(path: fixture.path)
        var faults = 0
        fixture.faults.didOccur = { faults += 1 }
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(600)
        let faultsBefore = faults
        #expect(fixture.tick().isEmpty)
        // The daemon checks at each fault whether the store is damaged.
        #expect(faultsBefore > 0 && faults > faultsBefore)
        #expect(item.lastAlertDate == nil)
        // The error is logged once, not at every check.
        #expect(try fixture.lines.next().hasPrefix("Cannot record that alerts were sent: "))
        #expect(fixture.lines.isEmpty)
        #expect(fixture.queue.sync { fixture.loop.recordLast() } == false)
        blocker.release()
        #expect(fixture.queue.sync { fixture.loop.recordLast() })
        #expect(item.lastAlertDate == ManualClock.start)
    }

    @Test func recurringFaultIsLoggedAgain() throws {
        let fixture = try AlertLoopFixture()
        #expect(fixture.tick().isEmpty)
        let item = try fixture.add("x", dueIn: 60)
        let shell = try SQLiteConnection(path: fixture.path, mode: .readWrite)
        for _ in 0..<2 {
            try shell.execute("ALTER TABLE ToDo RENAME TO Gone")
            #expect(fixture.tick().isEmpty && fixture.tick().isEmpty)
            #expect(try fixture.lines.next().hasPrefix("Cannot check for due items: "))
            #expect(fixture.lines.isEmpty)
            try shell.execute("ALTER TABLE Gone RENAME TO ToDo")
            #expect(fixture.tick() == ["x"])
            fixture.clock.advance(600)
            item.dueDate = fixture.clock.now + 60
            try fixture.context.save()
        }
    }

    @Test func failedLastRecordIsRetriedOnce() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 240)
        let blocker = try Blocker(path: fixture.path)
        #expect(fixture.tick() == ["x"])
        fixture.faults.didOccur = { blocker.release() }
        #expect(fixture.queue.sync { fixture.loop.recordLast() })
        #expect(item.lastAlertDate == ManualClock.start)
    }

    /// The store becomes writable just before the second of two alerts is recorded.
    @Test func alertRecordedLateIsTheLastAlert() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 1_200) { try $0.setLeads([1_200, 600]) }
        let blocker = try Blocker(path: fixture.path)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(600)
        fixture.queue.sync { _ = fixture.loop.evaluate() }
        blocker.release()
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.tick().isEmpty)
        #expect(item.lastAlertDate == ManualClock.start + 600)
    }

    /// A background writer is not an error. Alerts that were sent meanwhile are recorded when it ends.
    @Test func alertDuringBackgroundWriteIsNotRepeated() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("x", dueIn: 240)
        #expect(try fixture.coordinator.beginBackgroundWrite() != nil)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(600)
        #expect(fixture.tick().isEmpty)
        #expect(item.lastAlertDate == nil)
        #expect(fixture.lines.isEmpty)
        fixture.coordinator.endBackgroundWrite()
        #expect(fixture.tick().isEmpty)
        #expect(item.lastAlertDate == ManualClock.start)
    }

    /// A muted item waits and delays no other item.
    @Test func backgroundWriteDelaysNoAlerts() throws {
        let fixture = try AlertLoopFixture()
        let category = try fixture.context.insertCategory(at: fixture.clock.now)
        category.name = "Work"
        category.doNotAlert = true
        let muted = try fixture.add("muted", dueIn: 60) { $0.category = category }
        try fixture.add("x", dueIn: 60)
        #expect(try fixture.coordinator.beginBackgroundWrite() != nil)
        #expect(fixture.tick() == ["x"])
        #expect(fixture.lines.isEmpty)
        fixture.coordinator.endBackgroundWrite()
        #expect(fixture.tick().isEmpty)
        #expect(muted.nextAlertDate == nil)
    }

    @Test func settingsChangedDuringBackgroundWriteAreAppliedAfterIt() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 1_800)
        #expect(fixture.tick().isEmpty)
        #expect(try fixture.coordinator.beginBackgroundWrite() != nil)
        var settings = AlertSettings.oneLead
        settings.leads = [.minutes(60)]
        fixture.apply(settings, quietHours: nil, breakThrough: nil)
        #expect(fixture.tick().isEmpty)
        #expect(fixture.lines.isEmpty)
        fixture.coordinator.endBackgroundWrite()
        #expect(fixture.tick() == ["x"])
    }

    /// The change may contain alert times before all those that the last check found.
    @Test func itemSavedByBackgroundWriterHasAlertAtNextCheck() throws {
        let fixture = try AlertLoopFixture()
        #expect(fixture.tick().isEmpty)
        let borrowed = try #require(try fixture.coordinator.beginBackgroundWrite()).open()
        var changes = SavedChanges()
        let saves = borrowed.observeSaves { changes.append($0) }
        let context = ManagedObjectContext(coordinator: borrowed)
        let clock = fixture.clock
        let alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
            clock.now
        }
        let item = try context.insertToDo(at: clock.now)
        item.name = "x"
        item.dueDate = clock.now + 60
        try withExtendedLifetime((saves, alertTimes)) { try context.save() }
        try fixture.coordinator.merge(changes, into: [fixture.context])
        borrowed.close()
        fixture.coordinator.endBackgroundWrite()
        #expect(fixture.tick() == ["x"])
    }

    @Test func mutedCategorySkipsAlertsOfItsItems() throws {
        let fixture = try AlertLoopFixture()
        let category = try fixture.context.insertCategory(at: fixture.clock.now)
        category.name = "Work"
        category.doNotAlert = true
        let item = try fixture.add("x", dueIn: 1_800) {
            $0.category = category
            try $0.setLeads([1_500, 60])
        }
        #expect(fixture.ticks(10).isEmpty)
        #expect(item.lastAlertDate == nil)
        #expect(item.nextAlertDate == ManualClock.start + 1_740)
        category.doNotAlert = false
        try fixture.context.save()
        #expect(fixture.ticks(30) == ["19 x due-soon"])
    }

    @Test func newLeadTimeIsAppliedImmediately() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 1_800)
        #expect(fixture.tick().isEmpty)
        var settings = AlertSettings.oneLead
        settings.leads = [.minutes(60)]
        fixture.apply(settings, quietHours: nil, breakThrough: nil)
        #expect(fixture.tick() == ["x"])
    }

    @Test func changeCausesACheckOnlyIfAnItemMayBeDue() throws {
        let fixture = try AlertLoopFixture()
        #expect(fixture.tick().isEmpty)
        let look = fixture.loop.lastTick
        fixture.clock.advance(1)
        let item = try fixture.add("Rent", dueIn: 3_600)
        fixture.queue.sync { fixture.loop.evaluateIfDue() }
        #expect(fixture.loop.lastTick == look)
        item.dueDate = fixture.clock.now + 200
        try fixture.context.save()
        fixture.queue.sync { fixture.loop.evaluateIfDue() }
        #expect(fixture.sink.sentNames == ["Rent"])
        fixture.sink.finish()
        fixture.queue.sync {}
        // The end of the snooze is another alert time, and is before all known ones.
        item.snoozedUntil = fixture.clock.now + 600
        try fixture.context.save()
        fixture.clock.advance(601)
        fixture.queue.sync { fixture.loop.evaluateIfDue() }
        #expect(fixture.sink.sentNames == ["Rent"])
    }

    @Test func nextAlertWaitsForTheQuietTime() throws {
        let fixture = try AlertLoopFixture()
        let item = try fixture.add("Rent", dueIn: 200)
        #expect(fixture.tick() == ["Rent"])
        let sent = fixture.clock.now
        item.snoozedUntil = sent + 60
        try fixture.context.save()
        // The first second after the quiet time.
        let quietEnd = (sent + 300).secondsSince1970.rounded(.down)
        #expect(try fixture.loop.nextAlert()?.moment.secondsSince1970 == quietEnd + 1)
        item.snoozedUntil = sent + 600
        try fixture.context.save()
        #expect(try fixture.loop.nextAlert()?.moment == sent + 600)
    }

    @Test func delayedNagIsKeptByOtherChanges() throws {
        var settings = AlertSettings.oneLead
        settings.nag = .minutes(60)
        let fixture = try AlertLoopFixture(settings)
        let item = try fixture.add("x", dueIn: 240)
        #expect(fixture.tick() == ["x"])
        try fixture.changeDoNotDisturb {
            $0.begin(at: ManualClock.start, until: ManualClock.start + 4_200)
        }
        #expect(fixture.ticks(65).isEmpty)
        item.name = "y"
        try fixture.context.save()
        #expect(fixture.ticks(10) == ["5 y overdue"])
    }

    /// The clock was ahead for a while, and is right again at the next start.
    @Test func nagsContinueAfterAClockThatWasAhead() throws {
        var settings = AlertSettings.oneLead
        settings.nag = .minutes(60)
        let fixture = try AlertLoopFixture(settings)
        try fixture.add("x", dueIn: 240)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(30 * 86_400)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(-30 * 86_400)
        try fixture.restart()
        #expect(fixture.ticks(70) == ["64 x overdue"])
    }

    @Test func previewSendsNoAlerts() throws {
        let fixture = try AlertLoopFixture()
        try fixture.add("x", dueIn: 60)
        #expect(try fixture.loop.preview().map(\.name) == ["x"])
        #expect(fixture.sink.sentNames.isEmpty)
        #expect(fixture.tick() == ["x"])
        #expect(try fixture.loop.preview().isEmpty)
    }
}
