internal import TodoAPI

/// `todoctl list`
enum ListCommand: Command {
    static let verb = "list"
    static let synopsis = "list [--all | --done] [--category NAME]"
    static let summary = "List the open items by due time"
    static let details = """
          --all             also those that are done
          --done            only those that are done
          --category NAME   only those of that category

        Example: todoctl list --category Home
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let all = arguments.flag("--all", "-a")
        let done = arguments.flag("--done")
        var filter = ListItems.Parameters()
        filter.state = all ? .all : done ? .completed : .open
        filter.category = try arguments.value("--category", "-c")
        try arguments.finish()
        if all && done { throw arguments.usage("--all and --done exclude each other") }
        var list = ItemList()
        try session.daemon().stream(ListItems.self, filter) { list.items += $0.items }
        if session.printJSON(list) { return }
        if list.items.isEmpty {
            return Output.print(done ? "Nothing is done yet." : "Nothing to do.")
        }
        Output.print(ItemTable(items: list.items, session: session).text(for: Output.terminal))
    }
}
