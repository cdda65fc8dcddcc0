internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// All categories with the numbers of their items, in one chunk. Counting very many items takes time.
final class CategoryChunks: ReplyChunkSource {
    private let categories: RowStream
    /// The number of items in each category, which an index alone provides.
    private let items: RowStream
    private let openItems: RowStream
    private let zone: TimeZoneRules

    init(_ service: ServiceContext) throws {
        zone = service.times.zone
        let context = service.store.context
        let categories = try context.stream(
            Category.all.ordered(by: \.name, options: .caseInsensitive),
            of: [.key(\Category.id), .key(\Category.name), .key(\Category.doNotAlert)])
        let counts = { (request: FetchRequest<ToDo>) in
            try context.stream(
                request, of: ["category", .count], groupedBy: ["category"], beside: categories)
        }
        self.categories = categories
        items = try counts(ToDo.all)
        openItems = try counts(ToDo.where { !$0.completed })
    }

    func interrupt() { categories.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            let (items, openItems) = (try counts(items), try counts(openItems))
            var reply = ListCategories.Reply()
            while let row = try categories.next() {
                guard case .integer(let id) = row[0], case .string(let name) = row[1] else { continue }
                reply.categories.append(
                    CategorySummary(
                        id: id, name: name, muted: row[2] == .boolean(true), items: items[id] ?? 0,
                        open: openItems[id] ?? 0))
            }
            return ReplyChunk(message: Answer<ListCategories>.message(reply, zone: zone), isLast: true)
        }
    }

    /// Returns the counts by the IDs of the categories.
    private func counts(_ rows: RowStream) throws -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        while let row = try rows.next() {
            if case .integer(let id) = row[0], case .integer(let count) = row[1] { counts[id] = count }
        }
        return counts
    }
}
