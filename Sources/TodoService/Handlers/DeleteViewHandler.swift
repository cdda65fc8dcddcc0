internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteViewHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: DeleteView.Parameters, _ answer: Answer<DeleteView>) throws {
        let view = try service.store.view(named: parameters.name)
        let summary = ViewSummary(view)
        try service.changes.change(DeleteView.name) { try service.store.context.delete(view) }
        answer.reply(.init(view: summary))
    }
}
