internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        var predicate =
            switch parameters.state ?? .open {
            case .open: try FetchPredicate("completed == NO")
            case .completed: try FetchPredicate("completed == YES")
            case .all: FetchPredicate.all
            }
        if let name = parameters.category {
            predicate = try predicate && FetchPredicate("category == %@", workspace.category(named: name).id)
        }
        // What has no due time comes last, and the order never depends on chance.
        let request = FetchRequest<ToDo>(
            matching: predicate, orderedBy: [FetchOrder("dueDate"), FetchOrder("id")])
        let items = try workspace.context.fetch(request)
        let sorted = items.filter { $0.dueDate != nil } + items.filter { $0.dueDate == nil }
        let alarms = try workspace.context.prefetch("alarms", of: items)
        withExtendedLifetime(alarms) { send(sorted[...], answer) }
    }

    private func send(_ items: ArraySlice<ToDo>, _ answer: Answer<ListItems>) {
        guard answer.wantsMore else { return answer.reply(.init(items: items.map(Item.init))) }
        var rest = items
        repeat {
            let part = rest.prefix(ListItems.itemsPerReply)
            rest = rest.dropFirst(part.count)
            answer.reply(.init(items: part.map(Item.init)), continues: !rest.isEmpty)
        } while !rest.isEmpty
    }
}
