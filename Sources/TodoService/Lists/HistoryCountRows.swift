internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The counts and streaks of the repeating items of a query. The completions of one item are in memory at a time.
struct HistoryCountRows {
    private let query: HistoryQuery
    private let items: RowStream
    private let completions: RowStream
    private let now: Timestamp
    private let zone: TimeZoneRules
    /// The first completion of an item that is still to be read.
    private var ahead: FetchedRow?
    private var hasBegun = false

    private static let itemColumns: [FetchColumn] = [
        .key("id"), .key("uid"), .key("name"), .key("category.name"), .key(\ToDo.completed),
        .key(\ToDo.dueDate), .key(\ToDo.dueLocal), .key(\ToDo.recurrence), .key(\ToDo.recurrenceStart),
        .key(\ToDo.repeatFromCompletion), .key(\ToDo.timeZone), .key(\ToDo.excludedDates),
    ]

    /// Begins to read from the same state of the store as `others`.
    init(_ query: HistoryQuery, _ service: ServiceContext, beside others: RowStream) throws {
        self.query = query
        let context = service.store.context
        items = try context.stream(query.repeatingItems, of: Self.itemColumns, beside: others)
        completions = try context.stream(
            query.completionsByItem, of: [.key(\Completion.toDo)] + CompletionValue.columns, beside: others)
        now = service.times.now()
        zone = service.times.zone
    }

    /// Functions that end a read.
    var interruptions: [@Sendable () -> Void] { [items.interruption, completions.interruption] }

    /// Returns the counts of the next item, or `nil` after the last one.
    mutating func next() throws -> HistoryCounts? {
        if !hasBegun {
            hasBegun = true
            ahead = try completions.next()
        }
        guard let row = try items.next(), case .integer(let id) = row[0] else { return nil }
        var counts = HistoryCounts()
        counts.id = id
        counts.uid = String(attributeValue: row[1]) ?? ""
        counts.name = String(attributeValue: row[2]) ?? ItemColumns.placeholderName
        counts.category = String(attributeValue: row[3])
        let all = try completions(of: id)
        let included = all.filter { query.includes($0.date) }
        counts.done = Int64(included.count { !$0.isSkipped })
        counts.skipped = Int64(included.count { $0.isSkipped })
        let streaks = streaks(all, of: row)
        counts.streak = Int64(streaks.present)
        counts.longestStreak = Int64((query.hasTimeSpan ? self.streaks(included, of: row) : streaks).longest)
        return counts
    }

    private func streaks(_ completions: [CompletionValue], of row: FetchedRow) -> Streaks {
        var schedule = Schedule()
        schedule.setDue(CalendarTime(row, at: 5), in: zone)
        schedule.rule = String(attributeValue: row[7]).map(RecurrenceRule.init(checked:))
        schedule.ruleStart = Timestamp(attributeValue: row[8])
        schedule.isAfterDone = row[9] == .boolean(true)
        schedule.timeZone = String(attributeValue: row[10])
        schedule.excludedDates = [String](attributeValue: row[11]) ?? []
        return Streaks(
            of: completions, schedule, isFinished: row[4] == .boolean(true), at: now, in: zone)
    }

    /// Returns the completions of an item. Must be called in the order of the IDs.
    private mutating func completions(of item: Int64) throws -> [CompletionValue] {
        var values: [CompletionValue] = []
        while let row = ahead {
            if case .integer(let owner) = row[0] {
                if owner > item { break }
                if owner == item, let value = CompletionValue(row, at: 1) { values.append(value) }
            }
            ahead = try completions.next()
        }
        return values
    }
}
