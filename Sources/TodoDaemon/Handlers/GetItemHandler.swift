internal import Reminders
internal import TodoAPI

struct GetItemHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: GetItem.Parameters, _ answer: Answer<GetItem>) throws {
        let items = try workspace.items([parameters.id])
        for item in items { answer.reply(.init(item: Item(item))) }
    }
}
