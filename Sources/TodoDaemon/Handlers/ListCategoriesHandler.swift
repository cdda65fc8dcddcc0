internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListCategoriesHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: Empty, _ answer: Answer<ListCategories>) throws {
        let request = FetchRequest<Category>(orderedBy: [FetchOrder("name", options: .caseInsensitive)])
        let categories = try workspace.context.fetch(request).map(workspace.summary)
        answer.reply(.init(categories: categories))
    }
}

extension Workspace {
    func summary(of category: Category) throws -> CategorySummary {
        CategorySummary(
            id: category.id, name: category.name, muted: category.doNotAlert,
            items: try count("category == %@", category),
            open: try count("category == %@ AND completed == NO", category))
    }

    private func count(_ format: String, _ category: Category) throws -> Int64 {
        Int64(try context.count(FetchRequest<ToDo>(matching: try FetchPredicate(format, category.id))))
    }
}
