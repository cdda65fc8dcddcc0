internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct AddCategoryHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: AddCategory.Parameters, _ answer: Answer<AddCategory>) throws {
        let name = try Workspace.name(
            parameters.name, field: "name", lengths: ReminderModel.categoryNameLengths)
        if let existing = try workspace.findCategory(named: name) {
            throw APIError.categoryExists(name: existing.name)
        }
        let category = try workspace.change(AddCategory.name) {
            let category = try workspace.context.insertCategory(at: workspace.now())
            category.name = name
            return CategorySummary(id: category.id, name: category.name, muted: false, items: 0, open: 0)
        }
        answer.reply(.init(category: category))
    }
}
