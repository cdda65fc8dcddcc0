internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// All categories with the numbers of their items, in one piece. To count very many items takes its time.
///
/// `@unchecked Sendable`: `next` is called by one queue only, and `interrupt` may come from any.
final class CategoryPieces: PieceMaker, @unchecked Sendable {
    private let categories: RowStream
    /// How many items there are of each category, done or not.
    private let counts: RowStream
    private let zone: TimeZoneRules

    init(_ workspace: Workspace) throws {
        zone = workspace.zone
        let context = workspace.context
        categories = try context.stream(
            FetchRequest<Category>(orderedBy: [FetchOrder("name", options: .caseInsensitive)]),
            of: [.key("id"), .key("name"), .key("doNotAlert")])
        counts = try context.stream(
            FetchRequest<ToDo>(), of: ["category", "completed", .count],
            groupedBy: ["category", "completed"],
            beside: categories)
    }

    func interrupt() { categories.interrupt() }

    func next() -> Result<Piece, any Error> {
        Result {
            let counts = try counted()
            var reply = ListCategories.Reply()
            while let row = try categories.next() {
                guard case .integer(let id) = row[0], case .string(let name) = row[1] else { continue }
                let (items, open) = counts[id] ?? (0, 0)
                reply.categories.append(
                    CategorySummary(
                        id: id, name: name, muted: row[2] == .boolean(true), items: items, open: open))
            }
            return Piece(message: Answer<ListCategories>.message(reply, zone: zone), isLast: true)
        }
    }

    /// How many items each category has, by its id, and how many of them are open.
    private func counted() throws -> [Int64: (items: Int64, open: Int64)] {
        var counted: [Int64: (items: Int64, open: Int64)] = [:]
        while let row = try counts.next() {
            guard case .integer(let id) = row[0], case .integer(let count) = row[2] else { continue }
            counted[id, default: (0, 0)].items += count
            if row[1] == .boolean(false) { counted[id, default: (0, 0)].open += count }
        }
        return counted
    }
}
