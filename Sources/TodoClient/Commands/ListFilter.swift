internal import TodoAPI

/// The words and options that select, order and group the items of a list. A view keeps them.
struct ListFilter {
    private(set) var words: [String] = []
    private(set) var grouping: ItemGrouping?
    private var all = false
    private var done = false
    private var waiting = false
    private var overdue = false
    private var isBlocked = false
    private var isUnblocked = false
    private var order: String?
    private var priorities: String?
    private var filter = ListItems.Parameters()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("[WORD]...", &words)
        arguments.flag("-a, --all", &all, help: "include items that are done")
        arguments.flag("--done", &done, help: "only items that are done, the latest first")
        arguments.flag("--waiting", &waiting, help: "only open items with a start in the future")
        arguments.option(
            "-c, --category NAME", &filter.category, help: "only items of this category", kind: .category)
        try arguments.tags(
            "-t, --tag NAME", &filter.tags, help: "only items with this tag; repeated: with all of them")
        try arguments.priorities(
            "-p, --priority LEVEL", &filter.priorities, typed: &priorities,
            help: "only items of this priority: high (1-4), medium (5), low (6-9), none, 2, 1-3")
        try arguments.item(
            "--parent ID", &filter.parent, help: "only the subtasks of item ID, in their order")
        arguments.flag("--blocked", &isBlocked, help: "only items that wait for an open item")
        arguments.flag("--unblocked", &isUnblocked, help: "only items that wait for no open item")
        arguments.flag("--overdue", &overdue, help: "only overdue items")
        arguments.option(
            "--due-before WHEN", &filter.dueBefore,
            help: "only items due before WHEN: tomorrow, fri 15:30, 2026-12-24")
        arguments.option("--due-after WHEN", &filter.dueAfter, help: "only items due at WHEN or later")
        arguments.option("--within SPAN", &filter.within, help: "only items due within SPAN from now: 2h, 7d")
        arguments.option("--where PREDICATE", &filter.where, help: "only items that PREDICATE matches")
        arguments.option(
            "--sort KEYS", &order,
            help: "due, name, priority, category, createdAt and others, separated by commas; -KEY descends",
            kind: .list(ItemField.listed.map(\.rawValue)))
        try arguments.option(
            "-g, --group KEY", &grouping, help: "group by category, by priority, or by the day when due")
        try arguments.option("-n, --limit NUMBER", &filter.limit, help: "at most NUMBER items")
    }

    /// Whether nothing was typed.
    var isEmpty: Bool {
        words.isEmpty && grouping == nil && order == nil && !all && !done && !waiting && !overdue
            && !isBlocked && !isUnblocked
            && filter == ListItems.Parameters()
    }

    /// The message for an empty list.
    var none: String {
        let state = state
        let choices = [
            ("--category", filter.category), ("--tag", filter.tags?.joined(separator: ",")),
            ("--priority", priorities), ("--parent", filter.parent.map(String.init)),
            ("--due-before", overdue ? nil : filter.dueBefore), ("--due-after", filter.dueAfter),
            ("--within", filter.within), ("--where", filter.where),
        ]
        let typed =
            words.map { ShellWord.quoted($0) } + (overdue ? ["--overdue"] : [])
            + (isBlocked ? ["--blocked"] : []) + (isUnblocked ? ["--unblocked"] : [])
            + choices.compactMap { name, value in value.map { "\(name) \(ShellWord.quoted($0))" } }
        guard typed.isEmpty else {
            let searched = SearchedItems(state, filter.where)
            let hint =
                searched == .open && filter.where != nil ? " Add --all to include items that are done." : ""
            return "No \(searched.rawValue) matches \(typed.joined(separator: " ")).\(hint)"
        }
        return switch state {
        case .completed?: "Nothing is done yet."
        case .all?: "There are no items yet."
        case .waiting?: "No item has a start in the future."
        case .open?, nil: "Nothing to do."
        }
    }

    /// The state to ask for.
    ///
    /// With a predicate it is `nil`, because the daemon derives the state from the predicate. A predicate that names
    /// `completed` selects among all items, and any other among the open ones.
    private var state: ListItems.State? {
        all ? .all : done ? .completed : waiting ? .waiting : filter.where == nil ? .open : nil
    }

    /// Returns the keys of `--sort`, or `nil` if the option is not given.
    private func keys(for command: any Command.Type) throws(ClientError) -> [String]? {
        guard let order else { return nil }
        let keys = order.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        guard keys.allSatisfy({ !["", "-"].contains($0) }) else {
            throw command.usage(
                "--sort takes keys separated by commas, not '\(order.oneLine(bytesLimit: 80))'; "
                    + "the keys are \(ItemField.listed.map(\.rawValue).joined(separator: ", "))")
        }
        return keys
    }

    /// Returns the parameters of the list, without its fields and its time zone.
    func parameters(for command: any Command.Type) throws(ClientError) -> ListItems.Parameters {
        if filter.limit == 0 { throw command.usage("--limit takes a number of at least 1") }
        let states = [("--all", all), ("--done", done), ("--waiting", waiting)].filter(\.1).map(\.0)
        if states.count > 1 { throw command.usage("\(states[0]) and \(states[1]) cannot be combined") }
        if isBlocked && isUnblocked {
            throw command.usage("--blocked and --unblocked cannot be combined")
        }
        if overdue && filter.dueBefore != nil {
            throw command.usage("--overdue and --due-before cannot be combined")
        }
        var filter = filter
        filter.state = state
        if overdue { filter.dueBefore = "now" }
        if isBlocked || isUnblocked { filter.blocked = isBlocked }
        let order = try keys(for: command) ?? (done ? ["-completedAt"] : nil)
        filter.order = grouping.map { $0.order(order) } ?? order
        if !words.isEmpty { filter.text = words.joined(separator: " ") }
        return filter
    }
}
