internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The completions of a query, read from two streams and merged by time.
///
/// The last occurrence of a repeating item also completes the item. It is one entry.
struct HistoryRows {
    private let occurrences: RowStream
    private let items: RowStream
    private let limit: Int?
    private var nextOccurrence: HistoryEntry?
    private var nextItem: HistoryEntry?
    private var hasBegun = false
    private var count = 0
    /// The last entries of occurrences, as far as items can have been completed with them.
    private var recent: [HistoryEntry] = []

    /// Begins to read.
    init(_ query: HistoryQuery, in context: ManagedObjectContext) throws {
        occurrences = try context.stream(query.occurrences, of: HistoryEntry.completionColumns)
        items = try context.stream(query.items, of: HistoryEntry.itemColumns, beside: occurrences)
        limit = query.limit
    }

    /// The stream whose state of the store others can share.
    var stream: RowStream { occurrences }

    /// A function that ends a read.
    var interruptions: [@Sendable () -> Void] { [occurrences.interruption, items.interruption] }

    /// Returns the next entry, or `nil` after the last one.
    mutating func next() throws -> HistoryEntry? {
        if !hasBegun {
            hasBegun = true
            nextOccurrence = try readOccurrence()
            nextItem = try readItem()
        }
        guard count < limit ?? .max else { return nil }
        while let item = nextItem, nextOccurrence.map({ $0.at < item.at }) ?? true {
            nextItem = try readItem()
            if recent.contains(where: { $0.id == item.id && $0.at - item.at < 1 }) { continue }
            count += 1
            return item
        }
        guard let entry = nextOccurrence else { return nil }
        nextOccurrence = try readOccurrence()
        // A file of another program may have truncated the time of the item to its second.
        recent.removeAll { $0.at - entry.at >= 1 }
        recent.append(entry)
        count += 1
        return entry
    }

    private func readOccurrence() throws -> HistoryEntry? {
        while let row = try occurrences.next() {
            if let entry = HistoryEntry(row) { return entry }
        }
        return nil
    }

    private func readItem() throws -> HistoryEntry? {
        while let row = try items.next() {
            if let entry = HistoryEntry(row) { return entry }
        }
        return nil
    }
}

extension HistoryEntry {
    /// The columns of a completion from which an entry is created.
    static let completionColumns: [FetchColumn] =
        [.key("toDo"), .key("toDo.uid"), .key("toDo.name"), .key("toDo.category.name")]
        + CompletionValue.columns

    /// The columns of an item that was completed.
    static let itemColumns: [FetchColumn] = [
        .key("id"), .key("uid"), .key("name"), .key("category.name"), .key(\ToDo.completedDate),
        .key(\ToDo.dueDate), .key(\ToDo.dueLocal),
    ]

    /// Creates an entry from a row, or returns `nil` if another program has removed its item or its time.
    init?(_ row: FetchedRow) {
        guard case .integer(let id) = row[0], let date = Timestamp(attributeValue: row[4]) else { return nil }
        self.init()
        self.id = id
        uid = String(attributeValue: row[1]) ?? ""
        name = String(attributeValue: row[2]) ?? ItemColumns.placeholderName
        category = String(attributeValue: row[3])
        at = date
        due = CalendarTime(row, at: 5)
        skipped = row.columns.count > 7 && row[7] == .boolean(true) ? true : nil
    }
}
