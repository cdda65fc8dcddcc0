internal import TodoAPI

/// The `list` command, for example `todoctl list` or `todoctl list rent --category Home --sort -priority,due`.
struct ListItemsCommand: Command {
    static let verb = "list"
    static let aliases = ["ls"]
    static let summary = "List the open items, or those with these words"
    static let details = """
        Items with a start in the future are only in --waiting and --all. The headings of --group due are Overdue, Today, Tomorrow, This week (up to Sunday), Later and No date, and Done for \
        items that are done. With --json and --format, the items have the same order, without headings. A PREDICATE uses the \
        field names that --format and --json show. A time is compared with a text as for --due, and a day means the whole \
        day: due == "friday". A predicate that names 'completed' also finds items that are done. A list longer than the \
        screen is shown in $TODOCTL_PAGER, or else $PAGER, or else less.
        """
    static let examples = [
        "todoctl list rent --category Home --sort priority,-due",
        "todoctl list --tag errand", "todoctl list --group due", "todoctl list --parent 3 --all",
        "todoctl list --priority high --within 7d",
        #"todoctl list --where 'priority IN {1, 2, 3} AND due < "friday"'"#,
        #"todoctl list --all --format '{id}\t{name}\t{due:local}'"#,
    ]

    private var words: [String] = []
    private var all = false
    private var done = false
    private var waiting = false
    private var overdue = false
    private var isBlocked = false
    private var isUnblocked = false
    private var order: String?
    private var priorities: String?
    private var filter = ListItems.Parameters()
    private var listing = ItemListing()

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
        try listing.codeGrouping(&arguments)
        try arguments.option("-n, --limit NUMBER", &filter.limit, help: "at most NUMBER items")
        listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let filter = try filter(session)
        let items = try session.items(of: ListItems.self, filter, try session.daemon())
        let later = items.isEmpty && filter.state == .open ? try laterHint(filter, session) : ""
        try listing.print(items, session, none: none(of: filter) + later + hint)
    }

    /// Returns a hint if items with a start in the future match, or an empty string.
    private func laterHint(_ filter: ListItems.Parameters, _ session: Session) throws(ClientError) -> String {
        var later = filter
        (later.state, later.order, later.limit) = (.waiting, nil, 1)
        let isFound = try !session.items(of: ListItems.self, later, try session.daemon()).isEmpty
        return isFound ? " To list items that start later, add --waiting." : ""
    }

    /// A suggestion if the user may have forgotten the dashes of an option, or an empty string.
    private var hint: String {
        guard words.count == 1, let name = words.first.map({ "--\($0)" }),
            Self.declared.options.contains(where: { $0.name == name && $0.placeholder == nil })
        else { return "" }
        return " Did you mean 'todoctl list \(name)'?"
    }

    /// Returns the message for an empty list.
    private func none(of filter: ListItems.Parameters) -> String {
        let choices = [
            ("--category", filter.category), ("--tag", filter.tags?.joined(separator: ",")),
            ("--priority", priorities), ("--parent", filter.parent.map(String.init)),
            ("--due-before", overdue ? nil : filter.dueBefore), ("--due-after", filter.dueAfter),
            ("--within", filter.within), ("--where", filter.where),
        ]
        let typed =
            words.map { ShellWord.quoted($0) } + (overdue ? ["--overdue"] : [])
            + (isBlocked ? ["--blocked"] : [])
            + (isUnblocked ? ["--unblocked"] : [])
            + choices.compactMap { name, value in value.map { "\(name) \(ShellWord.quoted($0))" } }
        guard typed.isEmpty else {
            let searched = SearchedItems(filter.state, filter.where)
            let hint =
                searched == .open && filter.where != nil ? " Add --all to include items that are done." : ""
            return "No \(searched.rawValue) matches \(typed.joined(separator: " ")).\(hint)"
        }
        return switch filter.state {
        case .completed?: "Nothing is done yet."
        case .all?: "There are no items yet."
        case .waiting?: "No item has a start in the future."
        case .open?, nil: "Nothing to do."
        }
    }

    /// Returns the state to ask for.
    ///
    /// With a predicate it is `nil`, because the daemon derives the state from the predicate.
    ///
    /// A predicate that names `completed` selects among all items, and any other among the open ones.
    private static func state(with predicate: String?) -> ListItems.State? { predicate == nil ? .open : nil }

    /// Returns the keys of `--sort`, or `nil` if the option is not given.
    private func keys() throws(ClientError) -> [String]? {
        guard let order else { return nil }
        let keys = order.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        guard keys.allSatisfy({ !["", "-"].contains($0) }) else {
            throw Self.usage(
                "--sort takes keys separated by commas, not '\(order.oneLine(bytesLimit: 80))'; "
                    + "the keys are \(ItemField.listed.map(\.rawValue).joined(separator: ", "))")
        }
        return keys
    }

    private func filter(_ session: Session) throws(ClientError) -> ListItems.Parameters {
        if filter.limit == 0 { throw Self.usage("--limit takes a number of at least 1") }
        let states = [("--all", all), ("--done", done), ("--waiting", waiting)].filter(\.1).map(\.0)
        if states.count > 1 { throw Self.usage("\(states[0]) and \(states[1]) cannot be combined") }
        if isBlocked && isUnblocked { throw Self.usage("--blocked and --unblocked cannot be combined") }
        if overdue && filter.dueBefore != nil {
            throw Self.usage("--overdue and --due-before cannot be combined")
        }
        var filter = filter
        filter.state = all ? .all : done ? .completed : waiting ? .waiting : Self.state(with: filter.where)
        if overdue { filter.dueBefore = "now" }
        if isBlocked || isUnblocked { filter.blocked = isBlocked }
        let order = try keys() ?? (done ? ["-completedAt"] : nil)
        filter.order = listing.grouping.map { $0.order(order) } ?? order
        filter.fields = try listing.fields(session)
        if waiting { filter.fields?.append("start") }
        if filter.state != .open { filter.fields?.append("completedAt") }
        if !words.isEmpty { filter.text = words.joined(separator: " ") }
        let hasTime =
            filter.dueBefore != nil || filter.dueAfter != nil || filter.within != nil || filter.where != nil
        if hasTime { filter.timeZone = session.zoneName }
        return filter
    }
}
