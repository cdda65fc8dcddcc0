internal import Reminders
internal import TodoAPI

struct ReopenItemsHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ItemIDs, _ answer: Answer<ReopenItems>) throws {
        try backgroundChanges.change(items: parameters.ids.count, answer) { service in
            try ItemEditor(service).reopen(parameters.ids)
        }
    }
}
