internal import CivilTime
internal import ObjectStore
internal import Reminders

// The mapping between the properties of the model and the fields of an export.

extension ExportedItem {
    private static let keys = [
        "uid", "name", "notes", "priority", "category.name", "dueDate", "completed", "doNotAlert",
        "snoozedUntil", "lastAlertDate", "recurrence", "recurrenceStart", "occurrencesDone",
        "repeatFromCompletion", "timeZone", "createdDate", "modifiedDate", "completedDate", "toldForDue",
        "nextAlertDate",
    ]

    /// The ID, then the properties.
    static var columns: [FetchColumn] { [.key("id")] + keys.map { .key($0) } }

    /// Creates an item from a row with `columns`, and from its alarms.
    init(_ row: FetchedRow, _ alarms: [ExportedAlarms.Alarm]) {
        alertState = ExportedAlertState()
        for (position, key) in Self.keys.enumerated() { set(key, row[position + 1]) }
        take(alarms)
    }

    /// Sets the lead times, and the due time for which the alert of each was sent.
    mutating func take(_ alarms: [ExportedAlarms.Alarm]) {
        let alarms = alarms.sorted { $0.lead > $1.lead }
        item.leads = alarms.map(\.lead)
        alertState?.leads = alarms.filter { $0.alertedTo != nil }.map {
            ExportedAlertState.Lead(lead: Int64($0.lead), due: $0.alertedTo)
        }
    }

    private mutating func set(_ key: String, _ value: AttributeValue) {
        switch (key, value) {
        case ("uid", .string(let text)): item.uid = text
        case ("name", .string(let text)): item.name = text
        case ("notes", .string(let text)): item.notes = text
        case ("priority", .integer(let number)): item.priority = Int(number)
        case ("category.name", .string(let text)): item.category = text
        case ("dueDate", .date(let moment)): item.due = moment
        case ("completed", .boolean(let flag)): item.isCompleted = flag
        case ("doNotAlert", .boolean(let flag)): item.isMuted = flag
        case ("snoozedUntil", .date(let moment)): item.snoozedUntil = moment
        case ("lastAlertDate", .date(let moment)): lastAlert = moment
        case ("recurrence", .string(let text)): item.recurrence = RecurrenceRule(checked: text)
        case ("recurrenceStart", .date(let moment)): item.recurrenceStart = moment
        case ("occurrencesDone", .integer(let number)): item.occurrencesDone = Int(number)
        case ("repeatFromCompletion", .boolean(let flag)): item.isAfterDone = flag
        case ("timeZone", .string(let text)): item.timeZone = text
        case ("createdDate", .date(let moment)): item.createdDate = moment
        case ("modifiedDate", .date(let moment)): item.modifiedDate = moment
        case ("completedDate", .date(let moment)): item.completedDate = moment
        case ("toldForDue", .date(let moment)): alertState?.due = moment
        case ("nextAlertDate", .date(let moment)): alertState?.next = moment
        default: break
        }
    }

    init(_ toDo: ToDo) {
        item = ExchangeItem(uid: toDo.uid, name: toDo.name)
        item.notes = toDo.notes
        item.priority = Int(toDo.priority)
        item.category = toDo.category?.name
        item.due = toDo.dueDate
        item.recurrence = toDo.recurrence.map(RecurrenceRule.init(checked:))
        item.recurrenceStart = toDo.recurrenceStart
        item.occurrencesDone = Int(toDo.occurrencesDone)
        item.isAfterDone = toDo.repeatFromCompletion
        item.timeZone = toDo.timeZone
        item.isCompleted = toDo.completed
        item.isMuted = toDo.doNotAlert
        item.snoozedUntil = toDo.snoozedUntil
        lastAlert = toDo.lastAlertDate
        item.createdDate = toDo.createdDate
        item.modifiedDate = toDo.modifiedDate
        item.completedDate = toDo.completedDate
        alertState = ExportedAlertState()
        alertState?.due = toDo.alertedTo
        alertState?.next = toDo.nextAlertDate
        take(toDo.alarms.map { (Int($0.offset), $0.alertedTo) })
    }

    /// Copies the values to `toDo`. Values that are missing in the file stay as they are.
    func fill(_ toDo: ToDo, category: Category?) throws {
        toDo.name = item.name
        toDo.notes = item.notes
        toDo.priority = Int16(clamping: item.priority)
        toDo.category = category
        toDo.dueDate = item.due
        // Alerts would be sent again for new alarms, even with the same lead times.
        if Set(toDo.alarms.map { Int($0.offset) }) != Set(item.leads) {
            try toDo.setLeads(item.leads.map { Int32(clamping: $0) })
        }
        toDo.recurrence = item.recurrence?.text
        toDo.recurrenceStart = item.recurrenceStart
        if let done = item.occurrencesDone { toDo.occurrencesDone = Int32(clamping: max(0, done)) }
        toDo.repeatFromCompletion = item.isAfterDone
        toDo.timeZone = item.timeZone
        toDo.completed = item.isCompleted
        toDo.doNotAlert = item.isMuted
        toDo.snoozedUntil = item.snoozedUntil
        toDo.keepsSnooze = true
        if let lastAlert { toDo.lastAlertDate = lastAlert }
        if let created = item.createdDate { toDo.createdDate = created }
        if let modified = item.modifiedDate { toDo.modifiedDate = modified }
        toDo.completedDate = item.completedDate
        if let alertState { fill(toDo, with: alertState) }
    }

    private func fill(_ toDo: ToDo, with alertState: ExportedAlertState) {
        toDo.isRestored = true
        toDo.lastAlertDate = lastAlert
        toDo.alertedTo = alertState.due
        toDo.nextAlertDate = alertState.next
        for alarm in toDo.alarms { alarm.alertedTo = alertState.due(ofLead: Int64(alarm.offset)) }
    }
}
