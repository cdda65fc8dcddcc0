internal import Reminders
internal import TodoAPI

struct CompleteItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ItemIDs, _ answer: Answer<CompleteItems>) throws {
        let items = try workspace.change {
            let items = try workspace.items(parameters.ids)
            for item in items { workspace.complete(item) }
            return items.map(Item.init)
        }
        answer.reply(.init(items: items))
        workspace.itemsDidChange()
    }
}
