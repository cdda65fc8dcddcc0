internal import CivilTime
internal import ObjectStore
internal import Reminders

/// An alarm of an item, and the due time, the start or the moment for which its alert was sent.
typealias ExportedAlarm = (time: AlarmTime, alertedFor: Timestamp?)

extension PartsByItem<ExportedAlarm> {
    /// Begins to read the alarms from the same state of the store as the items.
    static func alarms(_ context: ManagedObjectContext, beside items: RowStream) throws -> Self {
        let rows = try context.stream(
            Reminders.Alarm.all.ordered(by: \.toDo),
            of: [.key(\Reminders.Alarm.toDo), .key(\Reminders.Alarm.alertedDueDate)] + AlarmRows.columns,
            beside: items)
        return try Self(rows) { row in
            AlarmTime(row, at: 2).map { ($0, Timestamp(attributeValue: row[1])) }
        }
    }
}
