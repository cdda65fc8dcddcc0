internal import TodoAPI

struct SkipItemsHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<SkipItems>) throws {
        try backgroundChanges.change(items: parameters.ids.count, answer) {
            ItemList(items: try ItemEditor($0).skip(parameters.ids))
        }
    }
}
