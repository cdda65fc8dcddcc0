internal import TodoAPI

/// `todoctl category list`, `todoctl category add Home`
enum CategoryCommand: Command {
    static let verb = "category"
    static let synopsis = "category list | category add NAME"
    static let summary = "List the categories, or add one"
    static let details = "Example: todoctl category add Home"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let words = try arguments.rest()
        switch words.first {
        case nil, "list":
            guard words.count <= 1 else {
                throw arguments.usage("'category list' does not take '\(words[1])'")
            }
            try list(session)
        case "add":
            let name = words.dropFirst().joined(separator: " ")
            if name.isEmpty { throw arguments.usage("'category add' needs a name") }
            let reply = try session.daemon().call(AddCategory.self, .init(name: name))
            if session.printJSON(reply) { return }
            Output.print("Added category \(reply.category.name.oneLine())")
        case let word?:
            throw arguments.usage("'category' has no '\(word.oneLine(bytesLimit: 80))'; it has list and add")
        }
    }

    private static func list(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(ListCategories.self, .init())
        if session.printJSON(reply) { return }
        if reply.categories.isEmpty {
            return Output.print("There are no categories yet. Create one:  todoctl category add Home")
        }
        let table = TextTable(
            columns: [
                .init("OPEN", alignment: .right), .init("ITEMS", alignment: .right), .init("CATEGORY"),
            ],
            rows: reply.categories.map { category in
                .init(cells: [String(category.open), String(category.items), category.name.oneLine()])
            })
        Output.print(table.text(for: Output.terminal))
    }
}
