internal import ObjectStore
internal import Reminders

/// The leads of items that come by their ids, read beside them.
struct ExportedLeads {
    private let rows: RowStream
    /// The first alarm of an item to come.
    private var ahead: FetchedRow?

    /// Begins to read the state of the store that it has now.
    init(_ context: ManagedObjectContext) throws {
        rows = try context.stream(
            FetchRequest<Alarm>(orderedBy: [FetchOrder("toDo"), FetchOrder("offset", ascending: false)]),
            of: [.key("toDo"), .key("offset")])
        ahead = try rows.next()
    }

    func interrupt() { rows.interrupt() }

    /// Those of the item with that id, the longest first. Ask for the items in the order of their ids.
    mutating func next(of item: AttributeValue) throws -> [Int] {
        guard case .integer(let id) = item else { return [] }
        var leads: [Int] = []
        while let alarm = ahead {
            if case .integer(let owner) = alarm[0] {
                if owner > id { break }
                if owner == id, case .integer(let offset) = alarm[1] { leads.append(Int(offset)) }
            }
            ahead = try rows.next()
        }
        return leads
    }
}
