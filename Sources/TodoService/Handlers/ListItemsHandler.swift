internal import Alerts
internal import TodoAPI

struct ListItemsHandler: Handler {
    let service: ServiceContext
    let alerts: AlertLoop

    func handle(_ parameters: ListItems.Parameters, _ answer: Answer<ListItems>) throws {
        try answer.stream(ItemQuery(parameters, service), in: service, alerts.forecast)
    }
}
