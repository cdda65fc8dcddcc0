internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateCategoryHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: UpdateCategory.Parameters, _ answer: Answer<UpdateCategory>) throws {
        let category = try service.store.category(named: parameters.name)
        let newName = try parameters.newName.map {
            try TypedValue.category($0, field: "newName")
        }
        if let newName, let rival = try service.store.findCategory(named: newName), rival !== category {
            throw APIError.categoryExists(name: rival.name)
        }
        let reply = try service.changes.change(UpdateCategory.name) {
            if let newName { try service.store.rename(category, to: newName) }
            if let muted = parameters.muted { category.doNotAlert = muted }
            // A read that fails after the save would report an error for a change that was made.
            return UpdateCategory.Reply(
                category: try service.store.summary(of: category), isUnchanged: !category.isUpdated)
        }
        answer.reply(reply)
        service.events.itemsDidChange()
    }
}
