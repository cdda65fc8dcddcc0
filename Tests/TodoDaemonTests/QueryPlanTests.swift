import ObjectStore
import Reminders
import Testing
import TodoAPI

@testable import TodoService

/// The indexes that SQLite uses for lists of a few items of many.
@Suite struct QueryPlanTests {
    private let daemon: WalkingDaemon

    init() throws {
        daemon = try WalkingDaemon()
        try daemon.change("AddItem") { context in
            let item = try context.insertToDo(at: daemon.now)
            item.name = "x"
            let tag = try context.insert(Tag.self)
            tag.uid = "tag"
            tag.name = "errand"
            (tag.createdDate, tag.modifiedDate) = (daemon.now, daemon.now)
            item.tags.insert(tag)
        }
    }

    /// A list, and a part of the plan for its items.
    struct List: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plan: String
        let select: @Sendable (inout ListItems.Parameters) -> Void

        init(
            _ testDescription: String, _ plan: String,
            _ select: @escaping @Sendable (inout ListItems.Parameters) -> Void
        ) {
            self.testDescription = testDescription
            self.plan = plan
            self.select = select
        }

        static let all = [
            List("items of a tag", "USING INTEGER PRIMARY KEY (rowid=?)") { $0.tags = ["errand"] },
            List("subtasks", #"USING INDEX ToDo parent (parent=?)"#) { $0.parent = 1 },
            List("items that start later", #"USING INDEX ToDo startDate where"#) { $0.state = .waiting },
            List("items that start today", #"USING INDEX ToDo startDate where"#) {
                $0.where = "start >= $today AND start < $tomorrow"
            },
            List("overdue items that can be done", #"USING INDEX ToDo dueDate where"#) {
                $0.state = .open
                $0.blocked = false
                $0.where = "due < $now"
                $0.order = ["priority", "due"]
                $0.limit = 1
            },
        ]
    }

    private func requireSearch(
        _ request: FetchRequest<some ManagedObject>, _ part: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let plan = try daemon.context.explanation(of: request).plan
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)", sourceLocation: location)
        #expect(plan.contains { $0.contains(part) }, "\(plan)", sourceLocation: location)
    }

    @Test(arguments: List.all) func listUsesAnIndex(_ list: List) throws {
        var parameters = ListItems.Parameters()
        list.select(&parameters)
        try requireSearch(ItemQuery(parameters, daemon.service).request, list.plan)
    }

    @Test(arguments: [nil, "yesterday"]) func historyOfItemsUsesAnIndex(since: String?) throws {
        var parameters = ListHistory.Parameters()
        parameters.since = since
        try requireSearch(
            HistoryQuery(parameters, daemon.service).items, "USING INDEX ToDo completedDate where")
    }

    /// A store without subtasks is not searched to its end for one.
    @Test func existenceOfSubtasksUsesAnIndex() throws {
        try requireSearch(ItemStore.firstChild, "USING INDEX ToDo parent (parent>?)")
    }

    @Test func tagIsFoundByItsExactNameInAnIndex() throws {
        try requireSearch(Tag.where { $0.name == "errand" }.limit(1), "USING INDEX Tag name (name=?)")
        #expect(try daemon.service.store.findTag(named: "Errand")?.name == "errand")
    }
}
