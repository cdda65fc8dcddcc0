internal import Reminders
internal import TodoAPI

struct ReopenItemsHandler: Handler {
    let longChanges: LongChanges

    func handle(_ parameters: ItemIDs, _ answer: Answer<ReopenItems>) throws {
        try longChanges.change(items: parameters.ids.count, answer) { workspace in
            let items = try workspace.changeItems(parameters.ids, ReopenItems.name) { item in
                item.completed = false
                item.completedDate = nil
            }
            return ItemList(items: items)
        }
    }
}
