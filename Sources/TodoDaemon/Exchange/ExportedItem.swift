internal import CivilTime
internal import Reminders
internal import TodoAPI

/// An item as an export in JSON has it: one list of fields for reading and for writing.
struct ExportedItem: NamedBody {
    static let varlinkType = "ExportedItem"

    var item = ExchangeItem(uid: "", name: "")
    var lastAlert: Timestamp?
    /// Nil where the file does not tell: then what is past by now is not told any more.
    var telling: ExportedTelling?

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
        try fields.exactField("due", &item.due)
        try fields.field("leads", &leads)
        try fields.field("completed", &isCompleted)
        try fields.field("muted", &isMuted)
        try fields.exactField("snoozedUntil", &item.snoozedUntil)
        try fields.exactField("lastAlert", &lastAlert)
        try fields.field("told", &telling)
        try fields.field("recurrence", &rule)
        try fields.exactField("recurrenceStart", &item.recurrenceStart)
        try fields.field("occurrencesDone", &occurrences)
        try fields.field("afterDone", &isAfterDone)
        try fields.field("timeZone", &item.timeZone)
        try fields.exactField("createdAt", &item.createdDate)
        try fields.exactField("modifiedAt", &item.modifiedDate)
        try fields.exactField("completedAt", &item.completedDate)
        guard let number = Int(exactly: priority ?? 0), (0...9).contains(number) else {
            throw fields.failure("priority", "expected a number from 0 to 9, found \(priority ?? 0)")
        }
        do throws(RecurrenceError) {
            item.recurrence = try rule.map { text throws(RecurrenceError) in try RecurrenceRule(text) }
        } catch {
            throw fields.failure("recurrence", error.reason)
        }
        item.occurrencesDone = Int(occurrences ?? 0)
        item.isAfterDone = isAfterDone ?? false
        item.priority = number
        item.isCompleted = isCompleted ?? false
        item.isMuted = isMuted ?? false
        for (index, lead) in (leads ?? []).enumerated() where Int32(exactly: lead) == nil || lead < 0 {
            throw fields.failure("leads[\(index)]", "expected 0 to \(Int32.max) seconds, found \(lead)")
        }
        item.leads = Set(leads ?? []).sorted(by: >).map(Int.init)
    }
}

extension ExportedItem {
    /// Whether it is snoozed until a time at which it had been told.
    func hasSnoozed(until alert: Timestamp?) -> Bool {
        guard let end = item.snoozedUntil, let alert else { return false }
        return end <= alert
    }

    /// Whether it says of something that it was told that another state of the item does not know of.
    func tells(moreThan other: ExportedItem) -> Bool {
        guard telling != nil else { return false }
        var sum = self
        sum.addTelling(of: other)
        let isKnown = sum.telling?.due == other.telling?.due && sum.telling?.leads == other.telling?.leads
        return !isKnown || sum.lastAlert != other.lastAlert
    }

    /// Adds what another state of the item has told. Does nothing to an item that does not say what it has told.
    mutating func addTelling(of other: ExportedItem) {
        guard telling != nil, let others = other.telling else { return }
        telling?.add(others, present: item.due)
        lastAlert = [lastAlert, other.lastAlert].compactMap(\.self).max()
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
