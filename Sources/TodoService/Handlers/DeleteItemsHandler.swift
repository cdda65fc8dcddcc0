internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteItemsHandler: Handler {
    let longChanges: LongChanges

    func handle(_ parameters: ItemIDs, _ answer: Answer<DeleteItems>) throws {
        try longChanges.change(items: parameters.ids.count, answer) { workspace in
            let items = try workspace.change(DeleteItems.name) {
                let items = try workspace.items(parameters.ids)
                try workspace.requireRoomForReply(with: items)
                let shown = items.map { Item($0, workspace.zone) }
                for item in items {
                    try workspace.goOn()
                    try workspace.context.delete(item)
                }
                return shown
            }
            workspace.withdrawAlerts(items.map(\.id))
            return ItemList(items: items)
        }
    }
}
