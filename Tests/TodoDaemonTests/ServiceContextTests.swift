import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Testing

@testable import TodoService

/// The changes that handlers make, and their effects.
@Suite struct ServiceContextTests {
    private let daemon: WalkingDaemon
    private var service: ServiceContext { daemon.service }

    init() throws { daemon = try WalkingDaemon() }

    private func add(_ name: String) throws -> ToDo {
        try daemon.change("AddItem") { context in
            let item = try context.insertToDo(at: daemon.now)
            item.name = name
            return item
        }
    }

    /// Old changes are removed in batches.
    @Test func changeLogIsLimited() throws {
        for number in 1...2 * ChangeLog.limit { _ = try add("\(number)") }
        let kept = try daemon.context.count(FetchRequest<Change>())
        #expect(kept >= ChangeLog.limit && kept < 2 * ChangeLog.limit)
    }

    @Test func backgroundWriterClosesAlertsAtItsEnd() throws {
        let item = try add("x")
        try service.queue.sync {
            let backgroundWrite = try #require(
                try BackgroundWrite(
                    of: service, planner: daemon.alertTimes.planner, cancellation: Cancellation()))
            try backgroundWrite.use {
                _ = try ItemEditor($0).complete([item.id])
            } merge: { saved, ids in
                #expect(daemon.effects.closed.isEmpty)
                try backgroundWrite.merge(saved, ids, in: service)
            }
            backgroundWrite.end(in: service)
        }
        #expect(item.completed)
        #expect(daemon.effects.closed == [item.id])
    }
}
