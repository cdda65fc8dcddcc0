internal import CivilTime
internal import ObjectStore
internal import Reminders

extension OccurrenceValue {
    /// The columns of a row from which a value is created.
    static let columns: [FetchColumn] = [
        .key(\Occurrence.recurrenceID), .key(\Occurrence.name), .key(\Occurrence.notes),
        .key(\Occurrence.priority), .key(\Occurrence.dueDate), .key(\Occurrence.dueLocal),
        .key(\Occurrence.startDate), .key(\Occurrence.startLocal), .key(\Occurrence.completedDate),
        .key(\Occurrence.isCancelled), .key(\Occurrence.remainder),
    ]

    /// Creates the value from the `columns` that begin at a position, or returns `nil` if it has no identifier.
    init?(_ row: FetchedRow, at position: Int) {
        guard let id = String(attributeValue: row[position]) else { return nil }
        self.init(recurrenceID: id)
        name = String(attributeValue: row[position + 1])
        notes = String(attributeValue: row[position + 2])
        priority = Int(attributeValue: row[position + 3])
        due = CalendarTime(row, at: position + 4)
        start = CalendarTime(row, at: position + 6)
        completedDate = Timestamp(attributeValue: row[position + 8])
        isCancelled = row[position + 9] == .boolean(true)
        remainder = [UInt8](attributeValue: row[position + 10])
    }
}
