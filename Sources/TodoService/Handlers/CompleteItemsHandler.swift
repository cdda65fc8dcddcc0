internal import TodoAPI

struct CompleteItemsHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<CompleteItems>) throws {
        try backgroundChanges.change(items: parameters.ids.count, answer) {
            try ItemEditor($0).complete(parameters.ids)
        }
    }
}
