internal import Reminders
internal import TodoAPI

struct RedoHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ChangeCount, _ answer: Answer<Redo>) throws {
        let count = try Workspace.changeCount(parameters)
        answer.reply(
            ChangeList(changes: try workspace.replay { try $0.redo(count, at: workspace.now()) }))
        workspace.itemsDidChange()
    }
}
