internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The links of all items. They are all read when the first one is requested.
final class LinkRows {
    private let rows: RowStream
    /// The links of each item, in their order.
    private var links: [Int64: [ItemLink]]?

    /// Begins to read the links from the same state of the store as `items`.
    init(in context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(
            Link.all.ordered(by: \.place, nilIsLast: true).ordered(by: \.id),
            of: [.key(\Link.toDo)] + LinkValue.columns, beside: items)
    }

    func links(of item: Int64) throws -> [ItemLink] {
        let all = try links ?? read()
        links = all
        return all[item] ?? []
    }

    private func read() throws -> [Int64: [ItemLink]] {
        var all: [Int64: [ItemLink]] = [:]
        while let row = try rows.next() {
            guard case .integer(let item) = row[0], let link = LinkValue(row, at: 1) else { continue }
            all[item, default: []].append(ItemLink(link))
        }
        return all
    }
}
