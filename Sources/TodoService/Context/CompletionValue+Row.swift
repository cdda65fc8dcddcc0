internal import CivilTime
internal import ObjectStore
internal import Reminders

extension CompletionValue {
    /// The columns of a row from which a value is created.
    static let columns: [FetchColumn] = [
        .key(\Completion.date), .key(\Completion.dueDate), .key(\Completion.dueLocal),
        .key(\Completion.isSkipped),
    ]

    /// Creates the value from the `columns` that begin at a position, or returns `nil` if the time is unreadable.
    init?(_ row: FetchedRow, at position: Int) {
        guard let date = Timestamp(attributeValue: row[position]) else { return nil }
        self.init(
            date: date, due: CalendarTime(row, at: position + 1),
            isSkipped: row[position + 3] == .boolean(true))
    }
}

extension CalendarTime {
    /// Creates a time from the column with the moment at a position and the one with the local time after it, or returns
    /// `nil` if both are empty.
    init?(_ row: FetchedRow, at position: Int) {
        self.init(
            moment: Timestamp(attributeValue: row[position]),
            local: String(attributeValue: row[position + 1]).flatMap(LocalTime.init))
    }
}
