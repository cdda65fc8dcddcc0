internal import CivilTime
internal import TodoAPI

/// The `show` command, for example `todoctl show 3` or `todoctl show 3 5-7`.
struct GetItemCommand: Command {
    static let verb = "show"
    static let summary = "Show everything about items"
    static let examples = ["todoctl show 3", "todoctl show 3 5-7 --json"]

    private var items = ItemSelection(.all, isReading: true)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        // Get each item separately, because a list omits the fields that take long to compute for many items.
        var replies: [GetItem.Reply] = []
        for id in ids { replies.append(try daemon.call(GetItem.self, .init(id: id))) }
        if try session.printJSON(ItemList(items: replies.map(\.item))) { return }
        let texts = replies.map { LabelledText(entries: Self.entries(for: $0.item, session)) }
        try Output.print(texts.map { $0.text(for: session.page) }.joined(separator: "\n\n"))
    }

    /// Returns a label and a text for each field that is set.
    private static func entries(for item: Item, _ session: Session) -> [(label: String, text: String)] {
        let words = session.words
        func moment(_ moment: Timestamp) -> String {
            "\(words.moment(moment)), \(words.distance(to: moment))"
        }
        let isCategoryMuted = item.categoryMuted ?? false
        let state = item.completed ? "done" : item.muted || isCategoryMuted ? "open, muted" : "open"
        let point = isCategoryMuted ? nil : item.nextAlert
        let alert = item.heldUntil.map { end in
            moment(end) + (point.map { "; held back, its alert time is \(words.moment($0))" } ?? "")
        }
        let entries: [(String, String?)] = [
            ("Item", "\(item.id)"), ("Name", item.name.oneLine()), ("State", state),
            ("Due", item.due.map { "\(words.exactMoment($0)), \(words.distance(to: $0))" }),
            ("Repeats", repetition(of: item, session.zone)),
            ("Category", item.category.map { $0.oneLine() + (isCategoryMuted ? " (muted)" : "") }),
            ("Priority", item.priority == 0 ? nil : "\(item.priority) (1 is the highest, 9 the lowest)"),
            ("Lead time", leads(of: item)),
            ("Next alert", alert ?? point.map(moment)),
            ("Snoozed until", item.snoozedUntil.map(moment)), ("Last alert", item.lastAlert.map(moment)),
            ("Done", item.completedAt.map(moment)), ("Changed", item.modifiedAt.map(moment)),
            ("Added", item.createdAt.map(moment)), ("UID", item.uid.oneLine()),
            ("Notes", item.notes.map(lines)),
        ]
        return entries.compactMap { label, text in text.map { (label, $0) } }
    }

    /// Returns the lead times, such as `1d, 1h`, or `nil` if the item has the default lead time.
    private static func leads(of item: Item) -> String? {
        guard let leads = item.leads, !leads.isEmpty else { return nil }
        return leads.map { TimeSpan.seconds(Int($0)).description }.joined(separator: ", ")
    }

    /// Returns a text such as `every day, 10 times; this is number 4`, or `nil` for an item that does not repeat.
    private static func repetition(of item: Item, _ zone: TimeZoneRules) -> String? {
        guard var text = item.repetition else { return nil }
        if let passed = item.occurrencesDone { text += "; this is number \(passed + 1)" }
        if let name = item.timeZone, name != zone.name { text += " (in the time zone \(name.oneLine()))" }
        return text
    }

    /// Returns the notes with their line breaks and with all other control characters escaped.
    private static func lines(of notes: String) -> String {
        notes.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map {
            String($0).oneLine()
        }
        .joined(separator: "\n")
    }
}
