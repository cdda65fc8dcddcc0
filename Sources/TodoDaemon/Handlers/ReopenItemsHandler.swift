internal import Reminders
internal import TodoAPI

struct ReopenItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ItemIDs, _ answer: Answer<ReopenItems>) throws {
        let items = try workspace.changeItems(parameters.ids, ReopenItems.name) { item in
            item.completed = false
            item.completedDate = nil
        }
        answer.reply(.init(items: items))
        workspace.itemsDidChange()
    }
}
