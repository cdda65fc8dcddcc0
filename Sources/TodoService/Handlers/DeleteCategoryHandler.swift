internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteCategoryHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: DeleteCategory.Parameters, _ answer: Answer<DeleteCategory>) throws {
        let items = try service.store.summary(of: service.store.category(named: parameters.name)).items
        try backgroundChanges.change(items: Int(items), answer) { service in
            let summary = try service.changes.change(DeleteCategory.name) {
                let category = try service.store.category(named: parameters.name)
                let destination = try parameters.moveTo.map(service.store.category)
                if destination === category {
                    throw APIError.invalidValue(
                        field: "moveTo", reason: "it is the category to delete")
                }
                let summary = try service.store.summary(of: category)
                for item in category.toDos {
                    try service.changes.checkCancelled()
                    item.category = destination
                }
                try service.store.context.delete(category)
                return summary
            }
            return DeleteCategory.Reply(category: summary)
        }
    }
}
