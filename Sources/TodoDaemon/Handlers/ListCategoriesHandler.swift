internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListCategoriesHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: Empty, _ answer: Answer<ListCategories>) throws {
        let all = try counts(.all)
        let open = try counts(FetchPredicate("completed == NO"))
        let request = FetchRequest<Category>(orderedBy: [FetchOrder("name", options: .caseInsensitive)])
        let categories = try workspace.context.fetch(request).map { category in
            CategorySummary(
                id: category.id, name: category.name, muted: category.doNotAlert,
                items: all[category.id] ?? 0, open: open[category.id] ?? 0)
        }
        answer.reply(.init(categories: categories))
    }

    /// How many items a predicate matches in each category, by its id.
    private func counts(_ predicate: FetchPredicate) throws -> [Int64: Int64] {
        let rows = try workspace.context.rows(
            FetchRequest<ToDo>(matching: predicate), of: ["category", .count], groupedBy: ["category"])
        var counts: [Int64: Int64] = [:]
        for row in rows {
            if case .integer(let id) = row[0], case .integer(let count) = row[1] { counts[id] = count }
        }
        return counts
    }
}
