internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct AddCategoryHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: AddCategory.Parameters, _ answer: Answer<AddCategory>) throws {
        let name = try TypedValue.category(parameters.name, field: "name")
        if let existing = try service.store.findCategory(named: name) {
            throw APIError.categoryExists(name: existing.name)
        }
        let category = try service.changes.change(AddCategory.name) {
            let category = try service.store.context.insertCategory(at: service.times.now())
            category.name = name
            return CategorySummary(id: category.id, name: category.name, muted: false, items: 0, open: 0)
        }
        answer.reply(.init(category: category))
    }
}
