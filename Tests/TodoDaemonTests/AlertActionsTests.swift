import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Testing

@testable import Alerts
@testable import TodoService

/// The actions of desktop notifications.
@Suite struct AlertActionsTests {
    private let daemon: WalkingDaemon
    private let actions: AlertActions
    private let item: ToDo
    private let lines = KeptLog()
    private var service: ServiceContext { daemon.service }

    init() throws {
        let daemon = try WalkingDaemon()
        self.daemon = daemon
        item = try daemon.change("AddItem") { context in
            let item = try context.insertToDo(at: daemon.now)
            item.name = "x"
            item.dueDate = daemon.now + 3_600
            return item
        }
        let service = daemon.service
        service.store.context.coordinator.waitForLocks(seconds: 0)
        actions = AlertActions(
            service: service, blockedCalls: BlockedCalls(queue: service.queue) { false }, log: lines.log)
    }

    private func perform(_ action: AlertAction, on itemID: Int64) {
        service.queue.sync { actions.perform(action, on: itemID) }
    }

    @Test func actionsChangeTheItem() throws {
        perform(.snooze(.minutes(10)), on: item.id)
        #expect(item.snoozedUntil == daemon.now + 600)
        perform(.mute, on: item.id)
        #expect(item.doNotAlert)
        perform(.done, on: item.id)
        #expect(item.completed)
        #expect(daemon.effects.checkCount == 3)
        #expect(daemon.effects.closed == [item.id, item.id, item.id])
        try daemon.undo()
        #expect(!item.completed)
    }

    @Test func dismissedAlertIsAcknowledgedWithoutAChangeToUndo() throws {
        perform(.dismiss, on: item.id)
        #expect(item.acknowledgedDate == nil)
        let alert = daemon.now - 60
        try service.queue.sync {
            item.lastAlertDate = alert
            try service.store.context.save()
        }
        perform(.dismiss, on: item.id)
        #expect(item.acknowledgedDate == alert && !item.hasChanges)
        #expect(daemon.effects.closed.isEmpty)
        try daemon.undo()
        #expect(item.isDeleted)
    }

    @Test func doneOfRepeatingItemIsRecorded() throws {
        let due = item.dueDate
        try service.queue.sync {
            item.recurrence = "FREQ=DAILY"
            try service.store.context.save()
        }
        perform(.done, on: item.id)
        #expect(!item.completed)
        #expect(
            item.completionValues.map(\.date) == [daemon.now]
                && item.completionValues[0].due == due.map(CalendarTime.moment))
        try daemon.undo()
        #expect(item.completionValues.isEmpty && item.dueDate == due)
    }

    @Test func actionOnDeletedItemIsIgnored() throws {
        perform(.done, on: 99)
        #expect(try lines.next() == "'Done' was chosen for item 99")
        #expect(daemon.effects.checkCount == 0)
        #expect(!item.completed)
    }

    @Test func actionWaitsWhileTheStoreIsLocked() throws {
        let blocker = try Blocker(path: try #require(service.store.configuration.path))
        perform(.done, on: item.id)
        #expect(lines.isEmpty)
        blocker.release()
        #expect(try lines.next() == "'Done' was chosen for item \(item.id)")
        #expect(service.queue.sync { item.completed })
    }
}
