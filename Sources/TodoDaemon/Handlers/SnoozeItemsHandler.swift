internal import TodoAPI

struct SnoozeItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: SnoozeItems.Parameters, _ answer: Answer<SnoozeItems>) throws {
        let end = try workspace.futureMoment(
            parameters.until, field: "until", timeZone: parameters.timeZone)
        answer.reply(.init(items: try workspace.snoozeItems(parameters.ids, until: end)))
        workspace.itemsDidChange()
    }
}
