internal import ObjectStore
internal import Reminders
internal import TodoAPI

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
