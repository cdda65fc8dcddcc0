internal import TodoAPI

struct CompleteItemsHandler: Handler {
    let longChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<CompleteItems>) throws {
        try longChanges.change(items: parameters.ids.count, answer) {
            try ItemEditor($0).complete(parameters.ids)
        }
    }
}
