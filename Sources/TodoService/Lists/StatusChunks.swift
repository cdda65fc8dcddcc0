internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The status of the daemon, in one chunk. Counting very many items takes time.
final class StatusChunks: ReplyChunkSource {
    private var status: Status.Reply
    private let items: RowStream
    private let openItems: RowStream
    private let categories: RowStream
    /// The items without a value that each item must have, which another program has removed.
    private let incompleteItems: RowStream
    private let zone: TimeZoneRules

    /// Begins to count items and categories.
    ///
    /// - Parameter status: the status without the numbers of items and categories.
    init(_ status: Status.Reply, _ service: ServiceContext) throws {
        self.status = status
        zone = service.times.zone
        let context = service.store.context
        items = try context.stream(ToDo.all, of: [.count])
        openItems = try context.stream(ToDo.where { !$0.completed }, of: [.count], beside: items)
        categories = try context.stream(Category.all, of: [.count], beside: items)
        // By name, because a required property cannot be compared with nil.
        let isIncomplete = Self.requiredProperties.map { FetchPredicate(.key($0), .equal, .null).root }
        incompleteItems = try context.stream(
            FetchRequest<ToDo>(matching: FetchPredicate(.or(isIncomplete)))
                .ordered(by: \.id).limit(Self.shownIncompleteItems),
            of: [.key("id")] + Self.requiredProperties.map { .key($0) }, beside: items)
    }

    private static let requiredProperties = ["name", "uid", "priority", "completed", "doNotAlert"]
    /// The maximum number of incomplete items that are named.
    private static let shownIncompleteItems = 5

    func interrupt() { items.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            status.items = try count(items)
            status.openItems = try count(openItems)
            status.categories = try count(categories)
            let warnings = try (status.warnings ?? []) + incompleteItemWarnings()
            status.warnings = warnings.isEmpty ? nil : warnings
            return ReplyChunk(message: Answer<Status>.message(status, zone: zone), isLast: true)
        }
    }

    private func incompleteItemWarnings() throws -> [String] {
        var warnings: [String] = []
        while let row = try incompleteItems.next() {
            guard case .integer(let id) = row[0] else { continue }
            let missing = Self.requiredProperties.indices.filter { row[$0 + 1].isNull }.map {
                ItemField.name(ofProperty: Self.requiredProperties[$0])
            }
            warnings.append(
                "item \(id) has no value for \(missing.joined(separator: " and ")), which another program has removed; "
                    + "'todod --check' lists all such values, to be corrected with sqlite3")
        }
        return warnings
    }

    private func count(_ rows: RowStream) throws -> Int64 {
        if case .integer(let count)? = try rows.next()?[0] { count } else { 0 }
    }
}
