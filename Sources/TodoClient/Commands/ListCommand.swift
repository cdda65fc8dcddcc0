internal import CivilTime
internal import TodoAPI

/// `todoctl list`, `todoctl list rent --category Home --sort -priority,due`
enum ListCommand: Command {
    static let verb = "list"
    static let synopsis = "list [WORD]... [OPTION]..."
    static let summary = "List the open items by due time; with words, those that contain them"
    static let details = """
          --all, -a             also those that are done
          --done                only those that are done
          --category, -c NAME   only those of that category
          --overdue             only those whose time is past
          --due-before WHEN     only those due before then: tomorrow, fri 15:30, 2026-12-24
          --due-after WHEN      only those due then or later
          --within SPAN         only those due from now until then: 2h, 7d
          --where PREDICATE     only those that a predicate matches, such as
                                'priority IN {1, 2, 3} AND dueDate < $tomorrow'
          --sort KEY,...        due, name, priority, category, createdAt, ...; -KEY descends
          --limit, -n NUMBER    no more than so many

        Example: todoctl list rent --category Home --sort -priority,due
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let filter = try filter(&arguments, session)
        var list = ItemList()
        try session.daemon().stream(ListItems.self, filter) { list.items += $0.items }
        if session.printJSON(list) { return }
        if list.items.isEmpty {
            return Output.print(filter.state == .completed ? "Nothing is done yet." : "Nothing to do.")
        }
        Output.print(ItemTable(items: list.items, session: session).text(for: Output.terminal))
    }

    private static func filter(_ arguments: inout Arguments, _ session: Session) throws(ClientError)
        -> ListItems.Parameters
    {
        let all = arguments.flag("--all", "-a")
        let done = arguments.flag("--done", "--completed")
        if all && done { throw arguments.usage("--all and --done exclude each other") }
        var filter = ListItems.Parameters()
        filter.state = all ? .all : done ? .completed : .open
        filter.category = try arguments.value("--category", "-c")
        filter.dueBefore = try arguments.value("--due-before")
        if arguments.flag("--overdue") {
            if filter.dueBefore != nil {
                throw arguments.usage("--overdue and --due-before exclude each other")
            }
            filter.dueBefore = "now"
        }
        filter.dueAfter = try arguments.value("--due-after")
        filter.within = try arguments.value("--within")
        filter.where = try arguments.value("--where")
        let keys = try arguments.value("--sort")
        filter.order = keys.map { $0.split(separator: ",").map(String.init) }
        if let text = try arguments.value("--limit", "-n") {
            guard let limit = Int64(text), limit >= 0 else {
                throw arguments.usage("--limit takes a number, not '\(text)'")
            }
            filter.limit = limit
        }
        let words = try arguments.rest()
        if !words.isEmpty { filter.text = words.joined(separator: " ") }
        let hasTime = filter.dueBefore != nil || filter.dueAfter != nil || filter.where != nil
        if hasTime, !session.zone.name.isEmpty { filter.timeZone = session.zone.name }
        return filter
    }
}
