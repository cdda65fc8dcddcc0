internal import TodoAPI

struct SkipItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ItemIDs, _ answer: Answer<SkipItems>) throws {
        answer.reply(.init(items: try workspace.skipItems(parameters.ids)))
        workspace.itemsDidChange()
    }
}
