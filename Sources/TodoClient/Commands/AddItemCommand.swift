internal import TodoAPI

/// The `add` command, for example `todoctl add Pay the rent --due "tomorrow 9am" --category Home`.
struct AddItemCommand: Command {
    static let verb = "add"
    static let aliases = ["new"]
    static let summary = "Add an item, and show its due time"
    static let details = """
        The text needs no quotes. On a terminal, words of it set properties of the item: +errand (a tag) and @home (the \
        category), and at its end a time (friday 9am), a rule (every month) and p1 to p9 (the priority), in any order. The \
        command shows what it has understood, and asks; 'l' takes the whole text as the name. In a pipe, text is always \
        the name, unless --quick is given. Options have priority over words. With -- before it, the whole text is the name. A RULE can also \
        end in '10 times', or be an RRULE of RFC 5545. If --due has no day, the item is first due on the next day of the rule.
        """
    static let examples = [
        "todoctl add --quick Pay rent friday 9am +home p1 every month",
        #"todoctl add Pay the rent --due "tomorrow 9am" --category Home"#,
        #"todoctl add Submit the report --due "friday 17:00" --lead 1d,1h --priority 1"#,
        "todoctl add Water the plants --every mon,fri --due 18:00",
        "todoctl add Pack the books --parent 3 --blocked-by 4",
        #"todoctl add Drink water --every "90 minutes" --between 9:00-18:00"#,
    ]

    private var item = AddItem.Parameters()
    private var category = CategoryChoice()
    private var text: [String] = []
    private var isQuick = false
    private var isLiteral = false

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
        arguments.flag("--quick", &isQuick, help: "use the words that set properties without a question")
        arguments.flag("--literal", &isLiteral, help: "use the whole text as the name")
        if arguments.endsOptions { isLiteral = true }
    }

    func run(_ session: Session) throws(ClientError) {
        if isQuick, isLiteral {
            throw Self.usage("--quick cannot be combined with --literal, or with -- before the text")
        }
        var (item, category) = (item, category)
        item.name = text.joined(separator: " ")
        item.details.setTimeZone(session)
        try checkNotEmpty(item)
        // Words of the text may add what an option needs.
        if !isQuick, !asks(session) { try check(item, category.name) }
        let daemon = try session.daemon()
        let offer = try offer(item, session, daemon)
        var categoryName = category.name
        var isTaken = false
        if let offer, try isWanted(offer, session) {
            isTaken = true
            if let name = offer.apply(to: &item) { categoryName = name }
            // The question about the item has named the new category.
            if offer.isCategoryNew, !isQuick { category.create() }
            item.details.setTimeZone(session)
        }
        try check(item, categoryName)
        let reply: AddItem.Reply
        do throws(ClientError) {
            reply = try category.applied(categoryName) { (name, isNew) throws(ClientError) in
                (item.category, item.newCategory) = (name, isNew)
                return try daemon.call(AddItem.self, item)
            }
        } catch .refused(let message, let reason?) where isTaken {
            throw .refused("\(message)\n\(Self.literalHint)", reason: reason)
        }
        if try session.printJSON(Added(reply)) { return }
        let details = isTaken ? offer?.details(of: reply.item) ?? [] : []
        try Output.print("Added \(session.line(for: reply.item, adding: details))")
        if let note = reply.note { session.printNote(note) }
        if let recurrence = reply.item.recurrence, Self.repeatsWithinDay(recurrence) {
            session.printNote(
                "the item keeps this due time until it is done or skipped, and then moves to the next one in the future: "
                    + "todoctl done \(reply.item.id)")
        }
        guard let offer else { return }
        if let problem = offer.problem { session.printNote(problem) }
        if !isTaken, !offer.parts.isEmpty, !asks(session) {
            try Output.print(offer.hint(id: reply.item.id))
        } else if offer.problem != nil, reply.item.due == nil {
            try Output.print("No due time set. To set one:  todoctl edit \(reply.item.id) --due TIME")
        }
    }

    /// Throws a usage error for an empty value, which probably comes from a variable that is not set.
    ///
    /// Without its due time, the item would have no alert.
    private func checkNotEmpty(_ item: AddItem.Parameters) throws(ClientError) {
        for (option, value) in [
            ("--due", item.due), ("--every", item.every), ("--between", item.between),
            ("--category", category.name),
        ]
        where value == "" {
            throw Self.usage("\(option) is empty")
        }
    }

    /// Throws a usage error for an option without one that it needs.
    private func check(_ item: AddItem.Parameters, _ categoryName: String?) throws(ClientError) {
        if item.afterDone != nil, item.every == nil { throw Self.usage("--after-done needs --every") }
        if category.mayBeNew, categoryName == nil { throw Self.usage("--new-category needs --category") }
        if item.between != nil, item.every == nil { throw Self.usage("--between needs --every") }
        if item.floating == true, item.due == nil, item.every == nil, item.start == nil {
            throw Self.usage("--floating needs --due, --start or --every")
        }
        if let leads = item.leads, !leads.isEmpty, item.due == nil, item.every == nil {
            throw Self.usage("--lead needs --due or --every: the alert is sent that long before the due time")
        }
    }

    // MARK: - Words that set properties

    private func asks(_ session: Session) -> Bool { !isQuick && !isLiteral && session.isInteractive }

    /// Returns what the daemon has found in the text, or `nil` if the text is not to be read.
    private func offer(
        _ item: AddItem.Parameters, _ session: Session, _ daemon: Daemon
    ) throws(ClientError) -> EntryOffer? {
        if isLiteral || session.wantsJSON && !isQuick { return nil }
        var trial = item
        trial.category = category.name
        trial.timeZone = session.zoneName
        (trial.quick, trial.dryRun) = (true, true)
        do throws(ClientError) {
            return EntryOffer(item.name, try daemon.call(AddItem.self, trial))
        } catch .refused(let message, let reason?) {
            guard isQuick else {
                // The options may be wrong, or the words together. The text as the name shows which of them are.
                return nil
            }
            throw .refused("\(message)\n\(Self.literalHint)", reason: reason)
        }
    }

    private static let literalHint = "Nothing was added. To use the whole text as the name, add --literal."

    /// Returns whether to use the words that set properties.
    ///
    /// - Throws: an error if the user declines, or if `--quick` is given and words have a problem.
    private func isWanted(_ offer: EntryOffer, _ session: Session) throws(ClientError) -> Bool {
        if isQuick {
            guard let problem = offer.problem else { return true }
            throw .refused("todoctl: \(problem.oneLine())\n\(Self.literalHint)")
        }
        guard !offer.parts.isEmpty, asks(session), let answer = offer.ask(session) else { return false }
        switch answer {
        case .yes: return true
        case .literal: return false
        case .no: throw .refused("Nothing was added.")
        }
    }

    /// Whether an item with this rule may be due several times a day.
    private static func repeatsWithinDay(_ rule: String) -> Bool {
        rule.split(separator: ";").contains { part in
            part == "FREQ=HOURLY" || part == "FREQ=MINUTELY"
                || (part.hasPrefix("BYHOUR=") || part.hasPrefix("BYMINUTE=")) && part.contains(",")
        }
    }

    /// The reply as JSON, in the same form as the replies of other commands for items.
    private struct Added: MessageBody {
        var items: [Item] = []
        var note: String?

        init() {}

        init(_ reply: AddItem.Reply) {
            items = [reply.item]
            note = reply.note
        }

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("note", &note)
        }
    }
}
