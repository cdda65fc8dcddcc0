internal import TodoAPI

struct SnoozeItemsHandler: Handler {
    let workspace: Workspace
    let longChanges: LongChanges

    func handle(_ parameters: SnoozeItems.Parameters, _ answer: Answer<SnoozeItems>) throws {
        let end = try workspace.futureMoment(
            parameters.until, field: "until", timeZone: parameters.timeZone)
        try longChanges.change(items: parameters.ids.count, answer) {
            ItemList(items: try $0.snoozeItems(parameters.ids, until: end))
        }
    }
}
