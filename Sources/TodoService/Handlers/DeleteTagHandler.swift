internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteTagHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: DeleteTag.Parameters, _ answer: Answer<DeleteTag>) throws {
        let name = try TypedValue.tag(parameters.name, field: "name")
        let items = try service.store.summary(of: service.store.tag(named: name)).items
        try backgroundChanges.change(items: Int(items), answer) { service in
            let summary = try service.changes.change(DeleteTag.name) {
                let tag = try service.store.tag(named: name)
                let summary = try service.store.summary(of: tag)
                for item in tag.toDos {
                    try service.changes.checkCancelled()
                    item.tags.remove(tag)
                }
                try service.store.context.delete(tag)
                return summary
            }
            return DeleteTag.Reply(tag: summary)
        }
    }
}
