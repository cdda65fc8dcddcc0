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
    private var workspace: Workspace { daemon.workspace }

    init() throws {
        let daemon = try WalkingDaemon()
        self.daemon = daemon
        item = try daemon.change("AddItem") { context in
            let item = try context.insertToDo(at: daemon.now)
            item.name = "x"
            item.dueDate = daemon.now + 3_600
            return item
        }
        let workspace = daemon.workspace
        workspace.context.coordinator.waitForLocks(seconds: 0)
        actions = AlertActions(
            workspace: workspace, waitingRoom: WaitingRoom(queue: workspace.queue) { false }, log: lines.log)
    }

    private func perform(_ action: AlertAction, on itemID: Int64) {
        workspace.queue.sync { actions.perform(action, on: itemID) }
    }

    @Test func actionsChangeTheItem() throws {
        var lookCount = 0
        workspace.whenItemsChanged = { lookCount += 1 }
        var withdrawn: [Int64] = []
        workspace.withdrawAlerts = { withdrawn += $0 }
        perform(.snooze(.minutes(10)), on: item.id)
        #expect(item.snoozedUntil == daemon.now + 600)
        perform(.mute, on: item.id)
        #expect(item.doNotAlert)
        perform(.done, on: item.id)
        #expect(item.completed)
        #expect(lookCount == 3)
        #expect(withdrawn == [item.id, item.id, item.id])
        try daemon.undo()
        #expect(!item.completed)
    }

    @Test func actionOnDeletedItemIsIgnored() throws {
        var lookCount = 0
        workspace.whenItemsChanged = { lookCount += 1 }
        perform(.done, on: 99)
        #expect(try lines.next() == "'Done' was chosen for item 99")
        #expect(lookCount == 0)
        #expect(!item.completed)
    }

    @Test func actionWaitsWhileTheStoreIsLocked() throws {
        let blocker = try Blocker(path: try #require(workspace.store.path))
        perform(.done, on: item.id)
        #expect(lines.isEmpty)
        blocker.release()
        #expect(try lines.next() == "'Done' was chosen for item \(item.id)")
        #expect(workspace.queue.sync { item.completed })
    }
}
