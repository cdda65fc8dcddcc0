internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ItemIDs, _ answer: Answer<DeleteItems>) throws {
        let items = try workspace.change(DeleteItems.name) {
            let items = try workspace.items(parameters.ids)
            let shown = items.map(Item.init)
            for item in items { try workspace.context.delete(item) }
            return shown
        }
        workspace.withdrawAlerts(items.map(\.id))
        answer.reply(.init(items: items))
        workspace.itemsDidChange()
    }
}
