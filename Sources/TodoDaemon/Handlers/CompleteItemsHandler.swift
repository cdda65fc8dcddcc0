internal import TodoAPI

struct CompleteItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ItemIDs, _ answer: Answer<CompleteItems>) throws {
        answer.reply(.init(items: try workspace.completeItems(parameters.ids)))
        workspace.itemsDidChange()
    }
}
