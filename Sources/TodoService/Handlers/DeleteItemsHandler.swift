internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteItemsHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<DeleteItems>) throws {
        let count = try service.store.countOfTrees(
            parameters.ids, upTo: BackgroundChangeQueue.itemsInTurn)
        try backgroundChanges.change(items: count, answer) { service in
            var others: Set<Int64> = []
            var unblocked = UnblockedItems()
            let items = try service.changes.change(DeleteItems.name) {
                let items = try service.store.items(parameters.ids)
                try service.store.requireRoomForReply(with: items)
                let shown = items.map { Item($0, service.times.zone) }
                // An item is deleted with one above it.
                for item in items where !item.isDeleted {
                    try service.changes.checkCancelled()
                    let below = try item.descendants()
                    others.formUnion(below.map(\.id))
                    try unblocked.add(([item] + below).filter { !$0.completed })
                    try service.store.context.delete(item)
                }
                try unblocked.end()
                return shown
            }
            others.subtract(items.map(\.id))
            service.events.closeAlerts(of: items.map(\.id) + others)
            return DeleteItems.Reply(
                items: items, also: others.isEmpty ? nil : others.sorted(), unblocked: unblocked.ids)
        }
    }
}
