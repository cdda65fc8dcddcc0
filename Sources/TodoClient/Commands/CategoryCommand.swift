internal import TodoAPI

/// `todoctl category list`, `todoctl category add Home`, `todoctl category delete Home --move-to House`
enum CategoryCommand: Command {
    static let verb = "category"
    static let synopsis = "category [list | VERB NAME]"
    static let summary = "List the categories, add one, change one, or delete one"
    static let details = """
          list              the categories, and how many items they have
          add NAME          a new category
          mute NAME         give no alerts for its items
          unmute NAME       give alerts for its items again
          rename OLD NEW    quote names of several words
          delete NAME       its items stay, without a category
          --move-to NAME    put the items of the category that is deleted into this one

        Example: todoctl category add Home
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let destination = try arguments.value("--move-to")
        let words = try arguments.rest()
        if destination != nil, words.first != "delete" {
            throw arguments.usage("--move-to goes with 'category delete'")
        }
        switch words.first {
        case nil, "list":
            guard words.count <= 1 else {
                throw arguments.usage("'category list' does not take '\(words[1])'")
            }
            try list(session)
        case "add":
            let name = try name(words, arguments)
            let reply = try session.daemon().call(AddCategory.self, .init(name: name))
            if session.printJSON(reply) { return }
            Output.print("Added category \(reply.category.name.oneLine())")
        case "mute", "unmute":
            let isMuted = words[0] == "mute"
            let parameters = UpdateCategory.Parameters(name: try name(words, arguments), muted: isMuted)
            try update(parameters, isMuted ? "Muted" : "Unmuted", session)
        case "rename":
            guard words.count == 3 else {
                throw arguments.usage("'category rename' needs the old name and the new one")
            }
            try update(.init(name: words[1], newName: words[2]), "Renamed", session)
        case "delete":
            let parameters = DeleteCategory.Parameters(name: try name(words, arguments), moveTo: destination)
            let reply = try session.daemon().call(DeleteCategory.self, parameters)
            if session.printJSON(reply) { return }
            Output.print("Deleted category \(reply.category.name.oneLine()); \(fate(of: reply, destination))")
        case let word?:
            throw arguments.usage(
                """
                'category' has no '\(word.oneLine(bytesLimit: 80))'; it has list, add, mute, unmute, rename and delete
                """)
        }
    }

    private static func update(
        _ parameters: UpdateCategory.Parameters, _ done: String, _ session: Session
    ) throws(ClientError) {
        let reply = try session.daemon().call(UpdateCategory.self, parameters)
        if session.printJSON(reply) { return }
        Output.print("\(done) category \(reply.category.name.oneLine())")
    }

    private static func name(_ words: [String], _ arguments: Arguments) throws(ClientError) -> String {
        let name = words.dropFirst().joined(separator: " ")
        if name.isEmpty { throw arguments.usage("'category \(words[0])' needs a name") }
        return name
    }

    private static func fate(of reply: DeleteCategory.Reply, _ destination: String?) -> String {
        let items = reply.category.items
        if items == 0 { return "it had no items" }
        let subject = items == 1 ? "its item is" : "its \(items) items are"
        return destination.map { "\(subject) in \($0.oneLine()) now" } ?? "\(subject) without a category now"
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
