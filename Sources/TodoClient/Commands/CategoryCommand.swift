internal import TodoAPI

/// `todoctl category list`, `todoctl category add Home`, `todoctl category mute Home`
enum CategoryCommand: Command {
    static let verb = "category"
    static let synopsis = "category [list | add | mute | unmute NAME | rename OLD NEW]"
    static let summary = "List the categories, add one, or change one"
    static let details = """
          list              the categories, and how many items they have
          add NAME          a new category
          mute NAME         give no alerts for its items
          unmute NAME       give alerts for its items again
          rename OLD NEW    quote names of several words

        Example: todoctl category add Home
        """

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
        case "mute", "unmute":
            let name = words.dropFirst().joined(separator: " ")
            if name.isEmpty { throw arguments.usage("'category \(words[0])' needs a name") }
            let isMuted = words[0] == "mute"
            try update(.init(name: name, muted: isMuted), isMuted ? "Muted" : "Unmuted", session)
        case "rename":
            guard words.count == 3 else {
                throw arguments.usage("'category rename' needs the old name and the new one")
            }
            try update(.init(name: words[1], newName: words[2]), "Renamed", session)
        case let word?:
            throw arguments.usage(
                "'category' has no '\(word.oneLine(bytesLimit: 80))'; it has list, add, mute, unmute and rename"
            )
        }
    }

    private static func update(
        _ parameters: UpdateCategory.Parameters, _ done: String, _ session: Session
    ) throws(ClientError) {
        let reply = try session.daemon().call(UpdateCategory.self, parameters)
        if session.printJSON(reply) { return }
        Output.print("\(done) category \(reply.category.name.oneLine())")
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
                let name = category.name.oneLine() + (category.muted ? " (muted)" : "")
                return .init(cells: [String(category.open), String(category.items), name])
            })
        Output.print(table.text(for: Output.terminal))
    }
}
