internal import CivilTime
internal import ObjectStore
internal import Reminders

/// The alarms of items that come by their ids, read beside them.
struct ExportedAlarms {
    /// One alarm of an item: how many seconds before it is due, and for which due time it was given.
    typealias Alarm = (lead: Int, toldForDue: Timestamp?)

    private let rows: RowStream
    /// The first alarm of an item to come.
    private var ahead: FetchedRow?

    /// Begins to read the state that the items are read of.
    init(_ context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(
            FetchRequest<Reminders.Alarm>(orderedBy: [FetchOrder("toDo")]),
            of: [.key("toDo"), .key("offset"), .key("toldForDue")], beside: items)
        ahead = try rows.next()
    }

    func interrupt() { rows.interrupt() }

    /// Those of the item with that id. Ask for the items in the order of their ids.
    mutating func next(of item: AttributeValue) throws -> [Alarm] {
        guard case .integer(let id) = item else { return [] }
        var alarms: [Alarm] = []
        while let alarm = ahead {
            if case .integer(let owner) = alarm[0] {
                if owner > id { break }
                if owner == id, case .integer(let offset) = alarm[1] {
                    alarms.append((Int(offset), Timestamp(attributeValue: alarm[2])))
                }
            }
            ahead = try rows.next()
        }
        return alarms
    }
}
