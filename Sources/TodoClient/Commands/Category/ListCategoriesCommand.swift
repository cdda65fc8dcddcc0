internal import TodoAPI

/// The `category list` command.
struct ListCategoriesCommand: Command {
    static let verb = "category list"
    static let summary = "List the categories, and how many items they have"
    static let examples = ["todoctl category list"]

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(ListCategories.self, .init())
        if try session.printJSON(reply) { return }
        if reply.categories.isEmpty {
            return try Output.print("There are no categories yet. Create one:  todoctl category add Home")
        }
        let table = TextTable(
            columns: [
                .init("OPEN", alignment: .right), .init("ITEMS", alignment: .right), .init("CATEGORY"),
            ],
            rows: reply.categories.map { category in
                let name = category.name.oneLine() + (category.muted ? " (muted)" : "")
                return .init(cells: [String(category.open), String(category.items), name])
            })
        try Output.print(table.text(for: session.page))
    }
}
