internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The text of an export, made from rows.
///
/// In JSON it has one line for each category, tag, view and item, and in todo.txt one for each item.
final class ExportChunks: ReplyChunkSource {
    /// The formats that are written item by item.
    enum Format {
        case json, icalendar, todotxt, taskwarrior
    }

    private let categories: [ExportedCategory]
    private let tags: [ExportedTag]
    private let views: [ExportedView]
    private let rows: RowStream
    private var alarms: PartsByItem<ExportedAlarm>
    private var links: PartsByItem<LinkValue>
    private var completions: PartsByItem<CompletionValue>
    private var occurrences: PartsByItem<OccurrenceValue>
    private let used: UsedAdditions
    /// The additions that are written for every item.
    private var explicit: Set<ExchangeItem.Addition> = []
    private let format: Format
    private let zone: TimeZoneRules
    /// The number of items in a reply, or `nil` for a single reply.
    private let itemsPerReply: Int?
    private var calendar: ICalendarWriter
    private var hasBegun = false
    /// Whether an item was written, so that the next one needs a comma.
    private var hasItems = false
    private var isAtEnd = false

    init(
        categories: [ExportedCategory], tags: [ExportedTag], views: [ExportedView], rows: RowStream,
        alarms: PartsByItem<ExportedAlarm>, links: PartsByItem<LinkValue>,
        completions: PartsByItem<CompletionValue>, occurrences: PartsByItem<OccurrenceValue>,
        used: UsedAdditions, format: Format,
        now: Timestamp, zone: TimeZoneRules, timeOfDates: Int, itemsPerReply: Int?
    ) {
        self.categories = categories
        self.tags = tags
        self.views = views
        self.rows = rows
        self.alarms = alarms
        self.links = links
        self.completions = completions
        self.occurrences = occurrences
        self.used = used
        self.format = format
        self.zone = zone
        self.itemsPerReply = itemsPerReply
        calendar = ICalendarWriter(now: now, timeOfDates: timeOfDates)
    }

    func interrupt() {
        for interruption in [
            rows.interruption, alarms.interruption, links.interruption, completions.interruption,
            occurrences.interruption,
        ] {
            interruption()
        }
    }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            let text = try text()
            let message = MethodReply.bytes(continues: !isAtEnd) { fields in
                FieldWriter.write(Export.Reply(text: text), to: &fields)
            }
            return ReplyChunk(message: message, isLast: isAtEnd)
        }
    }

    private func isFull(bytes: Int, count: Int) -> Bool {
        guard let itemsPerReply else { return false }
        return count == itemsPerReply || bytes > ItemList.chunkBytes
    }

    private func text() throws -> String {
        if !hasBegun { explicit = try used.read() }
        var text = hasBegun ? "" : beginning
        hasBegun = true
        var count = 0
        while !isFull(bytes: text.utf8.count, count: count) {
            guard let row = try rows.next() else {
                isAtEnd = true
                return text + end
            }
            var exported = ExportedItem(row, try alarms.next(of: row[0]))
            exported.item.links = try links.next(of: row[0])
            exported.item.history = try completions.next(of: row[0]).sorted()
            exported.item.occurrences = try occurrences.next(of: row[0]).sorted {
                $0.recurrenceID < $1.recurrenceID
            }
            exported.explicit = explicit
            text += line(for: exported)
            hasItems = true
            count += 1
            if itemsPerReply == nil, text.utf8.count > ListItems.replyBytesLimit {
                throw APIError.expectedMore
            }
        }
        return text
    }

    // MARK: - Formats

    private var beginning: String {
        switch format {
        case .icalendar: return ICalendarWriter.header
        case .todotxt: return ""
        case .taskwarrior: return "["
        case .json:
            let lines = { (objects: [any NamedBody]) in
                objects.map { "\n" + self.json($0) }.joined(separator: ",")
            }
            // A version without tags or views can read a file that has none.
            let tags = tags.isEmpty ? "" : "\"tags\":[\(lines(tags))],"
            let views = views.isEmpty ? "" : "\"views\":[\(lines(views))],"
            return
                "{\"todod\":\(OwnContent.version),\"categories\":[\(lines(categories))],\(tags)\(views)\"items\":["
        }
    }

    private func line(for exported: ExportedItem) -> String {
        switch format {
        case .icalendar: calendar.lines(for: exported.item)
        case .todotxt: TodoTxtWriter(zone: zone).line(for: exported.item)
        case .taskwarrior: (hasItems ? ",\n" : "\n") + TaskwarriorWriter(zone: zone).task(exported.item)
        case .json: (hasItems ? ",\n" : "\n") + json(exported)
        }
    }

    private var end: String {
        switch format {
        case .icalendar: ICalendarWriter.footer
        case .todotxt: ""
        case .taskwarrior: "\n]\n"
        case .json: "]}\n"
        }
    }

    private func json(_ body: some NamedBody) -> String {
        var writer = JSONWriter()
        body.write(to: &writer, zone: zone)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
