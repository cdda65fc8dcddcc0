internal import TodoAPI

struct MuteItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: MuteItems.Parameters, _ answer: Answer<MuteItems>) throws {
        answer.reply(.init(items: try workspace.muteItems(parameters.ids, parameters.muted)))
        workspace.itemsDidChange()
    }
}
