internal import Alerts
internal import TodoAPI

struct ListItemsHandler: Handler {
    let workspace: Workspace
    let alerts: AlertLoop

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        try answer.stream(ItemQuery(parameters, workspace), in: workspace, alerts.outlook)
    }
}
