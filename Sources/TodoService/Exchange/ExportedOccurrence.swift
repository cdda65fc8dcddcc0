internal import CivilTime
internal import Reminders
internal import TodoAPI

/// A changed occurrence of an item in an export as JSON.
struct ExportedOccurrence: NamedBody {
    static let varlinkType = "ExportedOccurrence"

    private var recurrenceID = ""
    private var name: String?
    private var notes: String?
    private var priority: Int64?
    private var due: ExportedTime?
    private var start: ExportedTime?
    private var completedAt: Timestamp?
    private var cancelled: Bool?
    private var remainder: String?

    init() {}

    init(_ value: OccurrenceValue) {
        recurrenceID = value.recurrenceID
        name = value.name
        notes = value.notes
        priority = value.priority.map { Int64($0) }
        due = value.due.map(ExportedTime.init)
        start = value.start.map(ExportedTime.init)
        completedAt = value.completedDate
        cancelled = value.isCancelled ? true : nil
        remainder = value.remainder.map { String(decoding: $0, as: UTF8.self) }
    }

    var value: OccurrenceValue {
        var value = OccurrenceValue(recurrenceID: recurrenceID)
        value.name = name
        value.notes = notes
        value.priority = priority.map { Int(clamping: $0) }
        value.due = CalendarTime(moment: due?.moment, local: due?.local)
        value.start = CalendarTime(moment: start?.moment, local: start?.local)
        value.completedDate = completedAt
        value.isCancelled = cancelled ?? false
        value.remainder = remainder.map { Array($0.utf8) }
        return value
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("recurrenceID", &recurrenceID)
        try fields.field("name", &name)
        try fields.field("notes", &notes)
        try fields.field("priority", &priority)
        try fields.field("due", &due)
        try fields.field("start", &start)
        try fields.exactField("completedAt", &completedAt)
        try fields.field("cancelled", &cancelled)
        try fields.field("remainder", &remainder)
    }
}
