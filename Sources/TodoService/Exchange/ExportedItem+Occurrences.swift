internal import CivilTime
internal import Reminders
internal import TodoAPI

extension ExportedItem {
    /// Checks the single occurrences. Throws an error that names the field of an invalid value.
    func checkOccurrences(field: String) throws(APIError) {
        for (name, dates) in [("excludedDates", item.excludedDates), ("addedDates", item.addedDates)] {
            for (index, date) in dates.enumerated() {
                try Self.checkTime(date, field: "\(field).\(name)[\(index)]")
            }
        }
        var seen: Set<String> = []
        for (index, occurrence) in item.occurrences.enumerated() {
            let place = "\(field).occurrences[\(index)]"
            try Self.checkTime(occurrence.recurrenceID, field: "\(place).recurrenceID")
            guard seen.insert(occurrence.recurrenceID).inserted else {
                throw .invalidValue(
                    field: "\(place).recurrenceID", reason: "another occurrence of the item has it too")
            }
            guard (0...9).contains(occurrence.priority ?? 0) else {
                throw .invalidValue(field: "\(place).priority", reason: "expected 0 to 9")
            }
            if let name = occurrence.name {
                guard ReminderModel.nameLengths.contains(name.unicodeScalars.count) else {
                    throw .invalidValue(
                        field: "\(place).name",
                        reason: "expected 1 to \(ReminderModel.nameLengths.upperBound) characters")
                }
            }
            guard occurrence.notes?.utf8.count ?? 0 <= Item.notesBytesLimit else {
                throw .invalidValue(
                    field: "\(place).notes", reason: "it is longer than \(Item.notesBytesLimit) bytes")
            }
            guard occurrence.remainder?.count ?? 0 <= ICalendarKeptText.bytesLimit else {
                throw .invalidValue(
                    field: "\(place).remainder",
                    reason: "it is longer than \(ICalendarKeptText.bytesLimit) bytes")
            }
        }
    }

    private static func checkTime(_ text: String, field: String) throws(APIError) {
        guard CalendarTime(basicText: text) == nil else { return }
        throw .invalidValue(
            field: field, reason: "expected a time such as 20261127, 20261127T200000 or 20261127T190000Z")
    }
}
