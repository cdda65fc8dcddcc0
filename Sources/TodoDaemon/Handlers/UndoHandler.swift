internal import Reminders
internal import TodoAPI

struct UndoHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ChangeCount, _ answer: Answer<Undo>) throws {
        let count = try Workspace.changeCount(parameters)
        answer.reply(
            ChangeList(changes: try workspace.replay { try $0.undo(count, at: workspace.now()) }))
        workspace.itemsDidChange()
    }
}
