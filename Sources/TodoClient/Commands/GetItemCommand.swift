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
        var texts: [LabelledText] = []
        for reply in replies {
            let related = try RelatedItems(of: reply.item, session, daemon)
            texts.append(LabelledText(entries: Self.entries(for: reply, related, session)))
        }
        try Output.print(texts.map { $0.text(for: session.page) }.joined(separator: "\n\n"))
    }

    /// Returns a label and a text for each field that is set, and for the last completion of a repeating item.
    private static func entries(
        for reply: GetItem.Reply, _ related: RelatedItems, _ session: Session
    ) -> [(label: String, text: String)] {
        ItemField.shown.flatMap { field -> [(label: String, text: String)] in
            guard let label = field.traits.label,
                let text = related.text(of: field, in: reply.item, session)
                    ?? text(of: field, in: reply.item, session)
            else {
                return []
            }
            guard field == .every, let entry = reply.lastDone else { return [(label, text)] }
            return [(label, text), ("Last done", lastDone(entry, session.words))]
        }
    }

    /// Returns a text such as `yesterday 21:04 (due yesterday 20:00)`.
    private static func lastDone(_ entry: HistoryEntry, _ words: TimeInWords) -> String {
        let due = entry.due.map { " (due \(words.shortMoment($0)))" } ?? ""
        return words.shortMoment(entry.at) + due
    }

    /// Returns the value of a field in words, or `nil` if it has none.
    static func text(of field: ItemField, in item: Item, _ session: Session) -> String? {
        let words = session.words
        let isCategoryMuted = item.categoryMuted ?? false
        switch field {
        case .completed:
            if item.completed { return item.cancelled == true ? "cancelled" : "done" }
            let isWaiting = item.laterStart(after: session.now, in: session.zone) != nil
            return "open" + (item.muted || isCategoryMuted ? ", muted" : "")
                + (isWaiting ? ", starts later" : "")
        case .due: return item.due.map { due($0, words) }
        case .every: return repetition(of: item, session.zone)
        case .category: return item.category.map { $0.oneLine() + (isCategoryMuted ? " (muted)" : "") }
        case .priority:
            return item.priority == 0 ? nil : "\(item.priority) (1 is the highest, 9 the lowest)"
        // An item that is done has no part left to do.
        case .percent where item.completed: return nil
        case .nextAlert: return nextAlert(of: item, words)
        case .notes: return item.notes.map(lines)
        // The related items have these texts.
        case .parent, .children, .blockedBy, .blocks: return nil
        default: break
        }
        switch field.traits.property {
        case .text(let path): return item[keyPath: path].oneLine()
        case .optionalText(let path): return item[keyPath: path]?.oneLine()
        case .number(let path): return String(item[keyPath: path])
        case .optionalNumber(let path): return item[keyPath: path].map(String.init)
        case .duration(let path): return item[keyPath: path].flatMap { spans([$0]) }
        case .percentage(let path): return item[keyPath: path].map { "\($0)%" }
        case .links(let path): return links(item[keyPath: path] ?? [])
        case .flag(let path): return item[keyPath: path] ? "yes" : "no"
        case .optionalFlag(let path): return item[keyPath: path].map { $0 ? "yes" : "no" }
        case .numbers(let path): return spans(item[keyPath: path] ?? [])
        case .items: return nil
        case .texts(let path):
            let texts = item[keyPath: path] ?? []
            return texts.isEmpty ? nil : texts.map { $0.oneLine() }.joined(separator: ", ")
        case .alertTimes(let path):
            let texts = item[keyPath: path] ?? []
            if texts.isEmpty { return nil }
            return texts.map { text in AlertWords.alert(text) { moment($0, words) } }.joined(separator: "\n")
        case .moment(let path): return item[keyPath: path].map { moment($0, words) }
        case .time(let path): return item[keyPath: path].map { words.momentWithDistance($0) }
        }
    }

    private static func due(_ due: CalendarTime, _ words: TimeInWords) -> String {
        switch due {
        case .moment: "\(words.exactMoment(due)), \(words.distance(to: due))"
        case .local(.floating): "\(words.exactMoment(due)) in any time zone, \(words.distance(to: due))"
        case .local(.date): words.momentWithDistance(due)
        }
    }

    private static func moment(_ moment: Timestamp, _ words: TimeInWords) -> String {
        "\(words.moment(moment)), \(words.distance(to: moment))"
    }

    private static func nextAlert(of item: Item, _ words: TimeInWords) -> String? {
        let alertTime = item.categoryMuted == true ? nil : item.nextAlert
        guard let end = item.heldUntil else { return alertTime.map { moment($0, words) } }
        return moment(end, words)
            + (alertTime.map { "; held back, its alert time is \(words.moment($0))" } ?? "")
    }

    /// Returns a line for each link, with the number that `edit --unlink` takes, or `nil` if there are none.
    private static func links(_ links: [ItemLink]) -> String? {
        if links.isEmpty { return nil }
        return links.enumerated().map { index, link in
            let details = [link.title, link.mediaType, link.attachment == true ? "attachment" : nil]
            let text = details.compactMap { $0?.oneLine() }.joined(separator: ", ")
            return "\(index + 1)  \(link.url.oneLine())\(text.isEmpty ? "" : "  \(text)")"
        }.joined(separator: "\n")
    }

    /// Returns time spans such as `1d, 1h`, or `nil` if there are none.
    private static func spans(_ seconds: [Int64]) -> String? {
        if seconds.isEmpty { return nil }
        return seconds.map(AlertWords.lead).joined(separator: ", ")
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
