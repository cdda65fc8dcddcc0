internal import TodoAPI

struct ListItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        answer.stream(try ItemQuery(parameters, workspace), in: workspace)
    }
}
