internal import CivilTime
internal import TodoAPI

/// `todoctl show 3`
struct ShowCommand: Command {
    static let verb = "show"
    static let summary = "Show everything about an item"
    static let examples = ["todoctl show 3"]

    private static let labelWidth = 14

    private var id: Int64 = 0

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.item("ID", &id, .all)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(GetItem.self, .init(id: id))
        if session.printJSON(reply) { return }
        for (label, text) in Self.lines(for: reply.item, session) {
            Output.print("\(label):".padded(to: Self.labelWidth) + text)
        }
    }

    /// What is not set is left out.
    private static func lines(for item: Item, _ session: Session) -> [(label: String, text: String)] {
        let words = session.words
        func moment(_ moment: Timestamp) -> String {
            "\(words.moment(moment)), \(words.distance(to: moment))"
        }
        let state = item.completed ? "done" : item.muted ? "open, muted" : "open"
        let lines: [(String, String?)] = [
            ("Item", "\(item.id)"), ("Name", item.name.oneLine()), ("State", state),
            ("Due", item.due.map(moment)),
            ("Repeats", repetition(of: item, session.zone)), ("Category", item.category?.oneLine()),
            ("Priority", item.priority == 0 ? nil : "\(item.priority) (1 is the highest, 9 the lowest)"),
            ("Told before", leads(of: item)), ("Next alert", item.nextAlert.map(moment)),
            ("Snoozed until", item.snoozedUntil.map(moment)), ("Last alert", item.lastAlert.map(moment)),
            ("Done", item.completedAt.map(moment)), ("Changed", item.modifiedAt.map(moment)),
            ("Added", item.createdAt.map(moment)), ("UID", item.uid.oneLine()),
            ("Notes", item.notes.map(indented)),
        ]
        return lines.compactMap { label, text in text.map { (label, $0) } }
    }

    /// `1d, 1h`; nil for an item that is told at the default lead.
    private static func leads(of item: Item) -> String? {
        guard let leads = item.leads, !leads.isEmpty else { return nil }
        return leads.map { TimeSpan.seconds(Int($0)).description }.joined(separator: ", ")
    }

    /// `every day, 10 times; this is number 4`; nil for an item that comes once.
    private static func repetition(of item: Item, _ zone: TimeZoneRules) -> String? {
        guard var text = item.repetition else { return nil }
        if let passed = item.occurrencesDone { text += "; this is number \(passed + 1)" }
        if let name = item.timeZone, name != zone.name { text += " (by the clock of \(name.oneLine()))" }
        return text
    }

    private static func indented(_ notes: String) -> String {
        notes.split(separator: "\n", omittingEmptySubsequences: false).map { $0.description.oneLine() }
            .joined(separator: "\n" + String(repeating: " ", count: labelWidth))
    }
}
