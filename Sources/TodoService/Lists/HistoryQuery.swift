internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The completions that a client requests.
struct HistoryQuery {
    let limit: Int?
    let wantsCounts: Bool
    /// The notes on the readings that were chosen for the times, as in `DatePhrase.Reading`.
    let note: String?
    private let ids: [Int64]?
    private let category: Category?
    private let since: Timestamp?
    /// The time before which the completions are.
    private let end: Timestamp?

    /// Creates a query.
    ///
    /// - Throws: an error that names the wrong field. All fields are checked before anything is read.
    init(_ parameters: ListHistory.Parameters, _ service: ServiceContext) throws {
        let zone = try service.times.zone(named: parameters.timeZone)
        let bound = { (text: String?, field: String) throws(APIError) -> Bound? in
            guard let text else { return nil }
            let bound = try service.times.filterBound(text, field: field, in: zone, purpose: .past)
            // The last moment is included.
            return (bound.moment, bound.endOfDay ?? bound.moment + Self.leastSeconds, bound.note)
        }
        let first = try bound(parameters.since, "since")
        let last = try bound(parameters.until, "until")
        if let first, let last, last.end <= first.moment {
            throw APIError.invalidValue(field: "until", reason: "it is before 'since'")
        }
        since = first?.moment
        end = last?.end
        let notes = [first?.note, last?.note].compactMap(\.self)
        note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        if let limit = parameters.limit, limit < 0 {
            throw APIError.invalidValue(field: "limit", reason: "it is negative")
        }
        limit = parameters.limit.map { Int(clamping: $0) }
        wantsCounts = parameters.counts ?? false
        category = try parameters.category.map(service.store.category)
        ids = try parameters.ids.map { try Self.known($0, service.store) }
    }

    private typealias Bound = (moment: Timestamp, end: Timestamp, note: String?)

    /// The precision of times in the API.
    private static let leastSeconds = 1e-6

    /// Returns the ids without repetitions.
    ///
    /// - Throws: `ItemNotFound` with all ids that do not exist.
    private static func known(_ ids: [Int64], _ store: ItemStore) throws -> [Int64] {
        guard !ids.isEmpty else { throw APIError.invalidValue(field: "ids", reason: "'ids' is empty") }
        guard ids.count <= ListHistory.idsLimit else {
            throw APIError.invalidValue(
                field: "ids", reason: "there are more than \(ListHistory.idsLimit)")
        }
        let unique = Set(ids).sorted()
        let found = Set(try store.context.ids(ToDo.where { $0.id.isIn(unique) }))
        guard found.count == unique.count else {
            throw APIError.itemNotFound(ids: unique.filter { !found.contains($0) })
        }
        return unique
    }

    // MARK: - Requests

    /// The completions of occurrences, the newest first.
    var occurrences: FetchRequest<Completion> {
        var request = completions
        if let since { request = request.where { $0.date >= since } }
        if let end { request = request.where { $0.date < end } }
        request = request.ordered(by: \.date, ascending: false).ordered(by: \.id, ascending: false)
        return limit.map { request.limit($0) } ?? request
    }

    /// The completed items, the last one first.
    var items: FetchRequest<ToDo> {
        var request = selectedItems.where { $0.completed && $0.completedDate != nil }
        if let since { request = request.where { $0.completedDate >= since } }
        if let end { request = request.where { $0.completedDate < end } }
        request = request.ordered(by: \.completedDate, ascending: false).ordered(by: \.id, ascending: false)
        return limit.map { request.limit($0) } ?? request
    }

    /// The repeating items, in the order of their IDs.
    var repeatingItems: FetchRequest<ToDo> {
        selectedItems.where { $0.recurrence != nil && $0.dueDate != nil }.ordered(by: \.id)
    }

    /// Whether the query includes a completion at this time.
    func includes(_ moment: Timestamp) -> Bool {
        moment >= since ?? moment && end.map { moment < $0 } ?? true
    }

    /// Whether the query is limited to a time span.
    var hasTimeSpan: Bool { since != nil || end != nil }

    /// The completions of all times.
    var completions: FetchRequest<Completion> {
        var request = Completion.all
        if let ids { request = request.where { $0.toDo.id.isIn(ids) } }
        if let category { request = request.where { $0.toDo.category == category } }
        return request
    }

    private var selectedItems: FetchRequest<ToDo> {
        var request = ToDo.all
        if let ids { request = request.where { $0.id.isIn(ids) } }
        if let category { request = request.where { $0.category == category } }
        return request
    }
}
