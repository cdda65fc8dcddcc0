internal import TodoAPI

/// The `add` command, for example `todoctl add Pay the rent --due "tomorrow 9am" --category Home`.
struct AddItemCommand: Command {
    static let verb = "add"
    static let aliases = ["new"]
    static let summary = "Add an item, and show its due time"
    static let details = """
        The text needs no quotes. Everything after -- is text. A time at the end of the text does not become the due time: \
        on a terminal, the command asks whether it should. A RULE can also end in '10 times', or be an RRULE of RFC 5545. \
        If --due has no day, the item is first due on the next day of the rule.
        """
    static let examples = [
        #"todoctl add Pay the rent --due "tomorrow 9am" --category Home"#,
        #"todoctl add Submit the report --due "friday 17:00" --lead 1d,1h --priority 1"#,
        "todoctl add Water the plants --every mon,fri --due 18:00",
        "todoctl add Buy stamps --tag errand --tag post",
        "todoctl add Pack the books --parent 3 --blocked-by 4",
        #"todoctl add Drink water --every "90 minutes" --between 9:00-18:00"#,
    ]

    private var item = AddItem.Parameters()
    private var category = CategoryChoice()
    private var text: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("TEXT...", &text)
        try item.details.codeOptions(&arguments, &category, isNew: true)
        try arguments.tags("-t, --tag NAME", &item.details.tags, help: "a tag of the item; may be repeated")
        var links: [String]?
        try arguments.texts(
            "--link URL", &links, help: "a link of the item, with a title after a space; may be repeated")
        item.links = links.map { $0.map(ItemLink.init(typed:)) }
        try arguments.items(
            "--blocked-by IDS", &item.details.blockedBy,
            help: "the items to do before this one: 4,7; may be repeated")
        arguments.flag("--mute", &item.muted, help: "send no alerts for the item")
    }

    func run(_ session: Session) throws(ClientError) {
        var item = item
        item.name = text.joined(separator: " ")
        if item.afterDone != nil, item.every == nil { throw Self.usage("--after-done needs --every") }
        if category.lacksName { throw Self.usage("--new-category needs --category") }
        if item.between != nil, item.every == nil { throw Self.usage("--between needs --every") }
        // An empty value probably comes from an unset variable. Without its due time, the item would have no alert.
        for (option, value) in [
            ("--due", item.due), ("--every", item.every), ("--between", item.between),
            ("--category", category.name),
        ]
        where value == "" {
            throw Self.usage("\(option) is empty")
        }
        if item.floating == true, item.due == nil, item.every == nil, item.start == nil {
            throw Self.usage("--floating needs --due, --start or --every")
        }
        if let leads = item.leads, !leads.isEmpty, item.due == nil, item.every == nil {
            throw Self.usage("--lead needs --due or --every: the alert is sent that long before the due time")
        }
        item.details.setTimeZone(session)
        let daemon = try session.daemon()
        let reply = try category.applied(category.name, daemon) { name throws(ClientError) in
            item.category = name
            return try daemon.call(AddItem.self, item)
        }
        if try session.printJSON(Added(reply)) { return }
        try Output.print("Added \(session.line(for: reply.item))")
        if let note = reply.note { session.printNote(note) }
        if let recurrence = reply.item.recurrence, Self.repeatsWithinDay(recurrence) {
            session.printNote(
                "the item keeps this due time until it is done or skipped, and then moves to the next one in the future: "
                    + "todoctl done \(reply.item.id)")
        }
        let time = TimeInName(reply)
        if let options = TypedOptions(in: reply.item.name, id: reply.item.id, time, session) {
            let known =
                options.categories.isEmpty
                ? [] : try daemon.call(ListCategories.self, .init()).categories.map(\.name)
            try use(options, time: time, known: known, session: session, daemon: daemon)
        } else if let time {
            if try !use(time, category: nil, session: session, daemon: daemon).wasAsked {
                try Output.print(time.hint)
            }
        } else if reply.note != nil, reply.item.due == nil {
            try Output.print("No due time set. To set one:  todoctl edit \(reply.item.id) --due TIME")
        }
    }

    /// Whether an item with this rule may be due several times a day.
    private static func repeatsWithinDay(_ rule: String) -> Bool {
        rule.split(separator: ";").contains { part in
            part == "FREQ=HOURLY" || part == "FREQ=MINUTELY"
                || (part.hasPrefix("BYHOUR=") || part.hasPrefix("BYMINUTE=")) && part.contains(",")
        }
    }

    /// Asks about a time in a name with options, and prints the command for the options that are left.
    private func use(
        _ options: TypedOptions, time: TimeInName?, known: [String], session: Session, daemon: Daemon
    ) throws(ClientError) {
        guard let time, options.includesTime else {
            return try Output.print(options.hint(knownCategories: known))
        }
        let category = options.onlyCategory(of: known)
        let (wasAsked, item) = try use(time, category: category, session: session, daemon: daemon)
        guard wasAsked else { return try Output.print(options.hint(knownCategories: known)) }
        if item != nil, category != nil { return }
        let name = item?.name ?? time.item.name
        if let rest = TypedOptions(in: name, id: time.item.id, nil, session) {
            try Output.print(rest.hint(knownCategories: known))
        }
    }

    /// Asks on the terminal about a time in the name, and sets it.
    ///
    /// - Returns: whether there is a terminal, and the changed item.
    private func use(
        _ time: TimeInName, category: String?, session: Session, daemon: Daemon
    ) throws(ClientError) -> (wasAsked: Bool, item: Item?) {
        let change: UpdateItems.Parameters?
        do throws(TimeInName.NoTerminal) {
            change = try time.ask(session, category: category)
        } catch {
            return (false, nil)
        }
        guard let change else { return (true, nil) }
        let items = try daemon.call(UpdateItems.self, change).items
        for item in items { try Output.print("Changed \(session.line(for: item))") }
        return (true, items.first)
    }

    /// The reply as JSON, in the same form as the replies of other commands for items.
    private struct Added: MessageBody {
        var items: [Item] = []
        var timeInName: String?
        var note: String?

        init() {}

        init(_ reply: AddItem.Reply) {
            items = [reply.item]
            timeInName = reply.timeInName
            note = reply.note
        }

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("timeInName", &timeInName)
            try fields.field("note", &note)
        }
    }
}
