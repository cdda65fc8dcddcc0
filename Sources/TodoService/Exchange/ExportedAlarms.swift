internal import CivilTime
internal import ObjectStore
internal import Reminders

/// The alarms of items that are read in the order of their IDs.
struct ExportedAlarms {
    /// An alarm of an item: its lead time in seconds, and the due time for which its alert was sent.
    typealias Alarm = (lead: Int, alertedDueDate: Timestamp?)

    private let rows: RowStream
    /// The first alarm of an item that is still to be read.
    private var ahead: FetchedRow?

    /// Begins to read the alarms from the same state of the store as the items.
    init(_ context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(
            Reminders.Alarm.all.ordered(by: \.toDo),
            of: [
                .key(\Reminders.Alarm.toDo), .key(\Reminders.Alarm.offset),
                .key(\Reminders.Alarm.alertedDueDate),
            ], beside: items)
        ahead = try rows.next()
    }

    func interrupt() { rows.interruption() }

    /// Returns the alarms of the item with this ID. Must be called in the order of the IDs.
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
