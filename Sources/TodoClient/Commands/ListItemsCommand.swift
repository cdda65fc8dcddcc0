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
        day: due == "friday". A predicate that names 'completed' or 'cancelled' also finds items that are done. A list longer than the \
        screen is shown in $TODOCTL_PAGER, or else $PAGER, or else less.
        """
    static let examples = [
        "todoctl list rent --category Home --sort priority,-due",
        "todoctl list --tag errand", "todoctl list --group due", "todoctl list --parent 3 --all",
        "todoctl list --priority high --within 7d",
        #"todoctl list --where 'priority IN {1, 2, 3} AND due < "friday"'"#,
        #"todoctl list --all --format '{id}\t{name}\t{due:local}'"#,
    ]

    private var filter = ListFilter()
    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try filter.code(&arguments)
        listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = try filter.parameters(for: Self.self)
        parameters.fields = try listing.fields(session, isGrouped: filter.grouping != nil)
        parameters.addFields(session)
        let daemon = try session.daemon()
        let limit = parameters.limit
        let hasFooter = listing.hasFooter(session)
        // One more item shows that the limit has an effect.
        if let limit, hasFooter { parameters.limit = limit + 1 }
        var items = try session.items(of: ListItems.self, parameters, daemon)
        var remarks: [String] = []
        if let limit, items.count > limit {
            items.removeLast()
            remarks.append("more exist; -n \(limit) shows the first of them")
        }
        var none = filter.none
        if items.isEmpty {
            if parameters.state == .open, try countOfLater(parameters, session, daemon, limit: 1) > 0 {
                none += " To list items that start later, add --waiting."
            }
            none += try hint(daemon)
        } else if hasFooter, parameters.state == .open {
            let count = try countOfLater(parameters, session, daemon, limit: nil)
            if count > 0 {
                remarks.append("\(count) start\(count == 1 ? "s" : "") later; to list, add --waiting")
            }
        }
        try listing.print(items, grouping: filter.grouping, session, none: none, remarks: remarks)
    }

    /// Returns the number of items with a start in the future that match.
    private func countOfLater(
        _ parameters: ListItems.Parameters, _ session: Session, _ daemon: Daemon, limit: Int64?
    ) throws(ClientError) -> Int {
        var later = parameters
        (later.state, later.order, later.limit, later.fields) = (.waiting, nil, limit, [])
        return try session.items(of: ListItems.self, later, daemon).count
    }

    /// Returns a suggestion if the user may have meant an option, or an empty string.
    ///
    /// The words can be the name of an option without its dashes, or that of a tag or a category.
    private func hint(_ daemon: Daemon) throws(ClientError) -> String {
        guard !filter.words.isEmpty else { return "" }
        let words = filter.words.joined(separator: " ")
        let isFlag = Self.declared.options.contains { $0.name == "--\(words)" && $0.placeholder == nil }
        if isFlag { return " Did you mean 'todoctl list --\(words)'?" }
        let name = String(words.drop { "+#@".contains($0) }).lowercased()
        let tags = try daemon.call(ListTags.self, .init()).tags.map { ("tag", $0.name) }
        let categories = try daemon.call(ListCategories.self, .init()).categories.map {
            ("category", $0.name)
        }
        guard let (kind, known) = (tags + categories).first(where: { $0.1.lowercased() == name }) else {
            return ""
        }
        return " There is a \(kind) of that name:  todoctl list --\(kind) \(ShellWord.quoted(known))"
    }
}

extension ListItems.Parameters {
    /// Adds the time zone for typed times, and the fields that the table shows in some states only.
    mutating func addFields(_ session: Session) {
        if state == .waiting { fields?.append("start") }
        if state != .open { fields?.append("completedAt") }
        let hasTime = dueBefore != nil || dueAfter != nil || within != nil || self.where != nil
        if hasTime { timeZone = session.zoneName }
    }
}
