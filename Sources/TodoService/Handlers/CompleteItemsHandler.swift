internal import TodoAPI

struct CompleteItemsHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<CompleteItems>) throws {
        let count = try service.store.countOfTrees(
            parameters.ids, upTo: BackgroundChangeQueue.itemsInTurn)
        try backgroundChanges.change(items: count, answer) {
            try ItemEditor($0).complete(parameters.ids)
        }
    }
}
