import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Testing

@testable import TodoService

/// The workspace around the changes that handlers make.
@Suite struct WorkspaceTests {
    private let daemon: WalkingDaemon
    private var workspace: Workspace { daemon.workspace }

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

    @Test func backgroundWriterWithdrawsAlertsAtItsEnd() throws {
        let item = try add("x")
        var withdrawn: [Int64] = []
        workspace.withdrawAlerts = { withdrawn += $0 }
        try workspace.queue.sync {
            let loan = try #require(try Loan(of: workspace, Demand()))
            try loan.use {
                _ = try $0.completeItems([item.id])
            } merge: { saved, ids in
                #expect(withdrawn.isEmpty)
                try loan.merge(saved, ids, in: workspace)
            }
            loan.end(in: workspace)
        }
        #expect(item.completed)
        #expect(withdrawn == [item.id])
    }
}
