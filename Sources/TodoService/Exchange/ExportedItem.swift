internal import CivilTime
internal import Reminders
internal import TodoAPI

/// An item in an export as JSON. One list of fields serves for reading and writing.
struct ExportedItem: NamedBody {
    static let varlinkType = "ExportedItem"

    var item = ExchangeItem(uid: "", name: "")
    var lastAlert: Timestamp?
    /// The record of sent alerts, or `nil` if the file has none. Alerts that are past by now are not sent then.
    var alertState: ExportedAlertState?

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
        try fields.field("told", &alertState)
        try fields.field("recurrence", &rule)
        try fields.exactField("recurrenceStart", &item.recurrenceStart)
        try fields.field("occurrencesDone", &occurrences)
        try fields.field("afterDone", &isAfterDone)
        try fields.field("timeZone", &item.timeZone)
        try fields.exactField("createdAt", &item.createdDate)
        try fields.exactField("modifiedAt", &item.modifiedDate)
        try fields.exactField("completedAt", &item.completedDate)
        if rule != item.recurrence?.text {
            do throws(RecurrenceError) {
                item.recurrence = try rule.map { text throws(RecurrenceError) in try RecurrenceRule(text) }
            } catch {
                throw fields.failure(of: "recurrence", reason: error.reason)
            }
        }
        item.occurrencesDone = Int(occurrences ?? 0)
        item.isAfterDone = isAfterDone ?? false
        item.priority = Int(priority ?? 0)
        item.isCompleted = isCompleted ?? false
        item.isMuted = isMuted ?? false
        item.leads = (leads ?? []).map(Int.init)
    }
}

extension ExportedItem {
    /// Creates an item from a program that has no record of sent alerts.
    init(_ item: ExchangeItem) { self.item = item }

    /// Checks the values and sorts the lead times. Throws an error that names the field of an invalid value.
    mutating func check(field: String) throws(APIError) {
        func require(_ number: Int, in range: ClosedRange<Int>, field name: String, unit: String)
            throws(APIError)
        {
            guard !range.contains(number) else { return }
            throw .invalidValue(
                field: "\(field).\(name)",
                reason: "expected \(range.lowerBound) to \(range.upperBound)\(unit), found \(number)")
        }
        let uidLength = item.uid.unicodeScalars.count
        guard ReminderModel.uidLengths.contains(uidLength) else {
            throw .invalidValue(
                field: "\(field).uid",
                reason: uidLength == 0
                    ? "it is empty" : "it is longer than \(ReminderModel.uidLengths.upperBound) characters")
        }
        let numbers = 0...Int(Int32.max)
        try require(item.priority, in: 0...9, field: "priority", unit: "")
        try require(item.occurrencesDone ?? 0, in: numbers, field: "occurrencesDone", unit: "")
        for (index, lead) in item.leads.enumerated() {
            try require(lead, in: numbers, field: "leads[\(index)]", unit: " seconds")
        }
        guard item.notes.map({ $0.utf8.count <= Item.notesBytesLimit }) ?? true else {
            throw .invalidValue(
                field: "\(field).notes", reason: "they are longer than \(Item.notesBytesLimit) bytes")
        }
        let leads = Set(item.leads)
        item.leads = leads.sorted(by: >)
        alertState?.leads.removeAll { !leads.contains(Int($0.lead)) }
        guard item.leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "\(field).leads", reason: "an item has at most \(Item.leadsLimit)")
        }
    }

    /// Ends a snooze that has no effect: the snooze of a completed item, or one that has ended.
    ///
    /// The snooze stays if the file has a record of sent alerts, or if the store has the same snooze.
    mutating func endVoidSnooze(at now: Timestamp, known: Timestamp?) {
        guard alertState == nil, let end = item.snoozedUntil else { return }
        let isPending = known.map { $0.secondsSince1970.rounded(.down) == end.secondsSince1970 || $0 == end }
        if item.isCompleted || end <= now, isPending != true { item.snoozedUntil = nil }
    }

    /// Whether it is snoozed until a time that is not after `alert`.
    func hasSnoozed(until alert: Timestamp?) -> Bool {
        guard let end = item.snoozedUntil, let alert else { return false }
        return end <= alert
    }

    /// Whether it records a sent alert that the other state of the item does not record.
    func tells(moreThan other: ExportedItem) -> Bool {
        guard alertState != nil else { return false }
        var sum = self
        sum.addAlertState(of: other)
        let isKnown =
            sum.alertState?.due == other.alertState?.due && sum.alertState?.leads == other.alertState?.leads
        return !isKnown || sum.lastAlert != other.lastAlert
    }

    /// Adds the sent alerts of another state of the item. Does nothing to an item without a record of sent alerts.
    mutating func addAlertState(of other: ExportedItem) {
        guard alertState != nil, let others = other.alertState else { return }
        alertState?.add(others, present: item.due)
        lastAlert = [lastAlert, other.lastAlert].compactMap(\.self).max()
    }
}
