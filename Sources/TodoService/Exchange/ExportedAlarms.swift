internal import CivilTime
internal import ObjectStore
internal import Reminders

/// The alarms of items that are read in the order of their IDs.
struct ExportedAlarms {
    /// An alarm of an item: its lead time in seconds, and the due time for which its alert was sent.
    typealias Alarm = (lead: Int, alertedDueDate: Timestamp?)

    private let rows: TypedRowStream<(Int64?, Int32, Timestamp?)>
    /// The first alarm of an item that is still to be read.
    private var ahead: (owner: Int64?, offset: Int32, alertedDueDate: Timestamp?)?

    /// Begins to read the alarms from the same state of the store as the items.
    init(_ context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(
            Reminders.Alarm.all.ordered(by: \.toDo), of: \.toDo?.id, \.offset, \.alertedDueDate,
            beside: items)
        ahead = try rows.next()
    }

    func interrupt() { rows.interruption() }

    /// Returns the alarms of the item with this ID. Must be called in the order of the IDs.
    mutating func next(of item: AttributeValue) throws -> [Alarm] {
        guard case .integer(let id) = item else { return [] }
        var alarms: [Alarm] = []
        while let alarm = ahead {
            if let owner = alarm.owner {
                if owner > id { break }
                if owner == id { alarms.append((Int(alarm.offset), alarm.alertedDueDate)) }
            }
            ahead = try rows.next()
        }
        return alarms
    }
}
