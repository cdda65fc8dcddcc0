internal import TodoAPI

struct SkipItemsHandler: Handler {
    let longChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<SkipItems>) throws {
        try longChanges.change(items: parameters.ids.count, answer) {
            ItemList(items: try ItemEditor($0).skip(parameters.ids))
        }
    }
}
