internal import TodoAPI

struct ListItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        let query = try ItemQuery(parameters, workspace)
        answer.stream(ItemStream(query, for: answer, workspace), within: ListItems.secondsLimit)
    }
}
