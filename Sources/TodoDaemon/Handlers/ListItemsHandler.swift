internal import TodoAPI

struct ListItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        try answer.stream(ItemQuery(parameters, workspace), in: workspace)
    }
}
