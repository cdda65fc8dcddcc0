internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteItemsHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<DeleteItems>) throws {
        try backgroundChanges.change(items: parameters.ids.count, answer) { service in
            let items = try service.changes.change(DeleteItems.name) {
                let items = try service.store.items(parameters.ids)
                try service.store.requireRoomForReply(with: items)
                let shown = items.map { Item($0, service.times.zone) }
                for item in items {
                    try service.changes.checkCancelled()
                    try service.store.context.delete(item)
                }
                return shown
            }
            service.events.closeAlerts(of: items.map(\.id))
            return ItemList(items: items)
        }
    }
}
