internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateCategoryHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: UpdateCategory.Parameters, _ answer: Answer<UpdateCategory>) throws {
        let category = try workspace.category(named: parameters.name)
        let newName = try parameters.newName.map {
            try Workspace.name($0, field: "newName", lengths: ReminderModel.categoryNameLengths)
        }
        if let newName, let rival = try workspace.findCategory(named: newName), rival !== category {
            throw APIError.categoryExists(name: rival.name)
        }
        let reply = try workspace.change(UpdateCategory.name) {
            if let newName { category.name = newName }
            if let muted = parameters.muted { category.doNotAlert = muted }
            // A read that fails after the save would report an error for a change that was made.
            return UpdateCategory.Reply(
                category: try workspace.summary(of: category), isUnchanged: !category.isUpdated)
        }
        answer.reply(reply)
        workspace.itemsDidChange()
    }
}
