internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The counts and streaks of the repeating items of a query. The completions of one item are in memory at a time.
struct HistoryCountRows {
    private let query: HistoryQuery
    private let items: RowStream
    private var completions: PartsByItem<CompletionValue>
    private var occurrences: PartsByItem<OccurrenceValue>
    private let now: Timestamp
    private let zone: TimeZoneRules

    private static let itemColumns: [FetchColumn] = [
        .key("id"), .key("uid"), .key("name"), .key("category.name"), .key(\ToDo.completed),
        .key(\ToDo.dueDate), .key(\ToDo.dueLocal), .key(\ToDo.recurrence), .key(\ToDo.recurrenceStart),
        .key(\ToDo.repeatFromCompletion), .key(\ToDo.timeZone), .key(\ToDo.excludedDates),
        .key(\ToDo.addedDates),
    ]

    /// Begins to read from the same state of the store as `others`.
    init(_ query: HistoryQuery, _ service: ServiceContext, beside others: RowStream) throws {
        self.query = query
        let context = service.store.context
        items = try context.stream(query.repeatingItems, of: Self.itemColumns, beside: others)
        completions = try .completions(context, query.completions, beside: others)
        occurrences = try .occurrences(context, beside: others)
        now = service.times.now()
        zone = service.times.zone
    }

    /// Functions that end a read.
    var interruptions: [@Sendable () -> Void] {
        [items.interruption, completions.interruption, occurrences.interruption]
    }

    /// Returns the counts of the next item, or `nil` after the last one.
    mutating func next() throws -> HistoryCounts? {
        guard let row = try items.next(), case .integer(let id) = row[0] else { return nil }
        var counts = HistoryCounts()
        counts.id = id
        counts.uid = String(attributeValue: row[1]) ?? ""
        counts.name = String(attributeValue: row[2]) ?? ItemColumns.placeholderName
        counts.category = String(attributeValue: row[3])
        let all = try completions.next(of: row[0])
        let schedule = schedule(of: row, try occurrences.next(of: row[0]))
        let streaks = { [now, zone] completions in
            Streaks(
                of: completions, schedule, isFinished: row[4] == .boolean(true), at: now, in: zone)
        }
        let included = all.filter { query.includes($0.date) }
        counts.done = Int64(included.count { !$0.isSkipped })
        counts.skipped = Int64(included.count { $0.isSkipped })
        let whole = streaks(all)
        counts.streak = Int64(whole.present)
        counts.longestStreak = Int64((query.hasTimeSpan ? streaks(included) : whole).longest)
        return counts
    }

    private func schedule(of row: FetchedRow, _ occurrences: [OccurrenceValue]) -> Schedule {
        var schedule = Schedule()
        schedule.setDue(CalendarTime(row, at: 5), in: zone)
        schedule.rule = String(attributeValue: row[7]).map(RecurrenceRule.init(checked:))
        schedule.ruleStart = Timestamp(attributeValue: row[8])
        schedule.isAfterDone = row[9] == .boolean(true)
        schedule.timeZone = String(attributeValue: row[10])
        schedule.excludedDates = [String](attributeValue: row[11]) ?? []
        schedule.addedDates = [String](attributeValue: row[12]) ?? []
        schedule.occurrences = occurrences
        return schedule
    }
}
