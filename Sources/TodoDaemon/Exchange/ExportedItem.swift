internal import CivilTime
internal import Reminders
internal import TodoAPI

/// An item as an export in JSON has it: one list of fields for reading and for writing.
struct ExportedItem: NamedBody {
    static let varlinkType = "ExportedItem"

    var item = ExchangeItem(uid: "", name: "")
    var lastAlert: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        var priority: Int64? = Int64(item.priority)
        var isCompleted: Bool? = item.isCompleted
        var isMuted: Bool? = item.isMuted
        var leads: [Int64]? = item.leads.map { Int64($0) }
        var rule = item.recurrence?.text
        var isAfterDone: Bool? = item.isAfterDone ? true : nil
        var occurrences = item.occurrencesDone.flatMap { $0 == 0 ? nil : Int64($0) }
        try fields.field("uid", &item.uid)
        try fields.field("name", &item.name)
        try fields.field("notes", &item.notes)
        try fields.field("priority", &priority)
        try fields.field("category", &item.category)
        try fields.field("due", &item.due)
        try fields.field("leads", &leads)
        try fields.field("completed", &isCompleted)
        try fields.field("muted", &isMuted)
        try fields.field("snoozedUntil", &item.snoozedUntil)
        try fields.field("lastAlert", &lastAlert)
        try fields.field("recurrence", &rule)
        try fields.field("recurrenceStart", &item.recurrenceStart)
        try fields.field("occurrencesDone", &occurrences)
        try fields.field("afterDone", &isAfterDone)
        try fields.field("timeZone", &item.timeZone)
        try fields.field("createdAt", &item.createdDate)
        try fields.field("modifiedAt", &item.modifiedDate)
        try fields.field("completedAt", &item.completedDate)
        guard let number = Int(exactly: priority ?? 0), (0...9).contains(number) else {
            throw FieldError(
                field: "priority", reason: "expected a number from 0 to 9, found \(priority ?? 0)")
        }
        do throws(RecurrenceError) {
            item.recurrence = try rule.map { text throws(RecurrenceError) in try RecurrenceRule(text) }
        } catch {
            throw FieldError(field: "recurrence", reason: error.reason)
        }
        item.occurrencesDone = Int(occurrences ?? 0)
        item.isAfterDone = isAfterDone ?? false
        item.priority = number
        item.isCompleted = isCompleted ?? false
        item.isMuted = isMuted ?? false
        item.leads = Set(leads ?? []).sorted(by: >).map(Int.init)
    }
}

/// A category as an export in JSON has it.
struct ExportedCategory: NamedBody {
    static let varlinkType = "ExportedCategory"

    var uid = ""
    var name = ""
    var isMuted = false

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.field("muted", &isMuted)
    }
}

/// All of an export in JSON.
struct ExportedStore: MessageBody {
    /// The version of this form.
    static let version: Int64 = 1

    var version: Int64 = 0
    var categories: [ExportedCategory] = []
    var items: [ExportedItem] = []

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("todod", &version)
        try fields.field("categories", &categories)
        try fields.field("items", &items)
    }
}
