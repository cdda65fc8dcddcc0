internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateViewHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: UpdateView.Parameters, _ answer: Answer<UpdateView>) throws {
        let newName = try parameters.newName.map { try TypedValue.category($0, field: "newName") }
        let query = try parameters.query.map { try TypedValue.query($0, service) }
        let view = try service.store.view(named: parameters.name)
        if let newName, let rival = try service.store.findView(named: newName), rival !== view {
            throw APIError.viewExists(name: rival.name)
        }
        let reply = try service.changes.change(UpdateView.name) {
            if let newName { view.name = newName }
            if let query { view.query = query }
            return UpdateView.Reply(view: ViewSummary(view), isUnchanged: !view.isUpdated)
        }
        answer.reply(reply)
    }
}
