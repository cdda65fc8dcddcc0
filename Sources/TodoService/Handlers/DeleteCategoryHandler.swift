internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteCategoryHandler: Handler {
    let workspace: Workspace
    let longChanges: LongChanges

    func handle(_ parameters: DeleteCategory.Parameters, _ answer: Answer<DeleteCategory>) throws {
        let items = try workspace.summary(of: workspace.category(named: parameters.name)).items
        try longChanges.change(items: Int(items), answer) { workspace in
            let summary = try workspace.change(DeleteCategory.name) {
                let category = try workspace.category(named: parameters.name)
                let destination = try parameters.moveTo.map(workspace.category)
                if destination === category {
                    throw APIError.invalidValue(
                        field: "moveTo", reason: "it is the category to delete")
                }
                let summary = try workspace.summary(of: category)
                for item in category.toDos {
                    try workspace.goOn()
                    item.category = destination
                }
                try workspace.context.delete(category)
                return summary
            }
            return DeleteCategory.Reply(category: summary)
        }
    }
}
