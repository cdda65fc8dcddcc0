internal import CivilTime
internal import TodoAPI
internal import Varlink

/// The `history` command, for example `todoctl history 3 --since monday` or `todoctl history --counts`.
struct ListHistoryCommand: Command {
    static let verb = "history"
    static let summary = "Show when items were done, the latest first"
    static let details = """
        Each occurrence of a repeating item that was done or skipped is an entry. WHEN is a time in the past: 2h, \
        yesterday, monday, "20 nov 17:00"; a day in --until is included. A streak is a number of consecutive occurrences \
        that were done. A skipped occurrence does not break it, a missed one does. STREAK is the present streak, whatever \
        the dates; with --since or --until, the other numbers are of that time. The fields of --format are those that \
        --json shows: {id}, {uid}, {name}, {category}, {at}, {due} and {skipped}.
        """
    static let examples = [
        "todoctl history 3 --since monday", "todoctl history --counts --category Home",
        #"todoctl history -n 5 --format '{at:local}\t{name}'"#,
    ]

    private var items = ItemSelection(.all, isReading: true, isOptional: true)
    private var filter = ListHistory.Parameters()
    private var wantsCounts = false
    private var format: String?
    private var isUnpaged = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
        arguments.option("-S, --since WHEN", &filter.since, help: "only what was done at WHEN or later")
        arguments.option("-U, --until WHEN", &filter.until, help: "only what was done until WHEN")
        arguments.option(
            "-c, --category NAME", &filter.category, help: "only items of this category", kind: .category)
        try arguments.option("-n, --limit NUMBER", &filter.limit, help: "at most NUMBER entries")
        arguments.flag(
            "--counts", &wantsCounts, help: "show the counts and the streaks of repeating items instead")
        arguments.option(
            "-F, --format TEMPLATE", &format,
            help: #"print a line for each entry, such as '{at}\t{id}\t{name}'; {at:local}, {at:relative}"#)
        arguments.flag("--no-pager", &isUnpaged, help: "do not show a long list in a pager")
    }

    func run(_ session: Session) throws(ClientError) {
        try check(session)
        let template = try format.map { format throws(ClientError) in try LineTemplate<HistoryEntry>(format) }
        let daemon = try session.daemon()
        var parameters = filter
        parameters.timeZone = session.zoneName
        if !items.isEmpty {
            guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
            parameters.ids = ids
        }
        if wantsCounts { (parameters.counts, parameters.limit) = (true, 0) }
        var reply = ListHistory.Reply()
        try daemon.stream(ListHistory.self, parameters) { next in
            session.addNote(next.note)
            reply.entries += next.entries
            if let counts = next.counts { reply.counts = (reply.counts ?? []) + counts }
        }
        if try session.printJSON(reply) { return }
        if let template {
            let lines = reply.entries.map { template.line(for: $0, session.zone, session.words) }
            for line in lines { try Output.print(line) }
        } else if wantsCounts {
            try print(reply.counts ?? [], session)
        } else if reply.entries.isEmpty {
            try Output.print(none)
        } else {
            let table = HistoryTable(entries: reply.entries, session: session).text
            try Pager.print(table, session.page, isWanted: !isUnpaged)
        }
    }

    private func check(_ session: Session) throws(ClientError) {
        if filter.limit == 0 { throw Self.usage("--limit takes a number of at least 1") }
        if wantsCounts, filter.limit != nil { throw Self.usage("--counts and --limit cannot be combined") }
        guard format != nil else { return }
        if wantsCounts { throw Self.usage("--counts and --format cannot be combined") }
        if session.wantsJSON {
            throw .usage(
                "todoctl: --json and --format cannot be combined",
                hint: "--json prints every field of an entry; --format prints a line of text for it.")
        }
    }

    private func print(_ counts: [HistoryCounts], _ session: Session) throws(ClientError) {
        if counts.isEmpty {
            return try Output.print(
                "No repeating item\(typed.isEmpty ? "" : " matches \(typed)"). "
                    + "To add one:  todoctl add Water the plants --every week")
        }
        let table = HistoryCountsTable(counts: counts, session: session).text
        try Pager.print(table, session.page, isWanted: !isUnpaged)
    }

    /// The message for an empty history.
    private var none: String {
        typed.isEmpty
            ? "Nothing was done yet. When an item is done, type its number:  todoctl done ID"
            : "Nothing that was done matches \(typed). To see everything:  todoctl history"
    }

    /// The selection and the options, for messages.
    private var typed: String {
        let options = [
            ("--since", filter.since), ("--until", filter.until), ("--category", filter.category),
        ]
        let words =
            items.typed
            + options.compactMap { name, value in value.map { "\(name) \(ShellWord.quoted($0))" } }
        return words.joined(separator: " ")
    }
}

extension HistoryEntry: TemplateSubject {
    static let noun = "an entry of the history"
    static let exampleTime = "at"
    static let fieldNames = ["id", "uid", "name", "category", "at", "due", "skipped"]

    static func time(_ name: String) -> ((HistoryEntry) -> CalendarTime?)? {
        switch name {
        case "at": { .moment($0.at) }
        case "due": { $0.due }
        default: nil
        }
    }
}
