internal import CivilTime
internal import ObjectStore
internal import Reminders

// Which property of the model goes into which field of an export, both ways.

extension ExportedItem {
    /// The properties that are read; `category.name` besides.
    static let keys = [
        "uid", "name", "notes", "priority", "category.name", "dueDate", "leadTime", "completed", "doNotAlert",
        "snoozedUntil", "lastAlertDate", "createdDate", "modifiedDate", "completedDate",
    ]
    /// The properties that follow from others, so that no export holds them.
    static let derivedKeys = ["nextAlertDate"]

    static var columns: [FetchColumn] { keys.map { .key($0) } }

    init(_ row: FetchedRow) {
        for (position, key) in Self.keys.enumerated() { set(key, row[position]) }
    }

    private mutating func set(_ key: String, _ value: AttributeValue) {
        switch (key, value) {
        case ("uid", .string(let text)): item.uid = text
        case ("name", .string(let text)): item.name = text
        case ("notes", .string(let text)): item.notes = text
        case ("priority", .integer(let number)): item.priority = Int(number)
        case ("category.name", .string(let text)): item.category = text
        case ("dueDate", .date(let moment)): item.due = moment
        case ("leadTime", .integer(let seconds)): item.leads = [Int(seconds)]
        case ("completed", .boolean(let flag)): item.isCompleted = flag
        case ("doNotAlert", .boolean(let flag)): item.isMuted = flag
        case ("snoozedUntil", .date(let moment)): item.snoozedUntil = moment
        case ("lastAlertDate", .date(let moment)): lastAlert = moment
        case ("createdDate", .date(let moment)): item.createdDate = moment
        case ("modifiedDate", .date(let moment)): item.modifiedDate = moment
        case ("completedDate", .date(let moment)): item.completedDate = moment
        default: break
        }
    }

    init(_ toDo: ToDo) {
        item = ExchangeItem(uid: toDo.uid, name: toDo.name)
        item.notes = toDo.notes
        item.priority = Int(toDo.priority)
        item.category = toDo.category?.name
        item.due = toDo.dueDate
        item.leads = toDo.leadTime.map { [Int($0)] } ?? []
        item.isCompleted = toDo.completed
        item.isMuted = toDo.doNotAlert
        item.snoozedUntil = toDo.snoozedUntil
        lastAlert = toDo.lastAlertDate
        item.createdDate = toDo.createdDate
        item.modifiedDate = toDo.modifiedDate
        item.completedDate = toDo.completedDate
    }

    /// Puts what this holds into `toDo`; what the file does not tell stays as it is.
    func fill(_ toDo: ToDo, category: Category?) {
        toDo.name = item.name
        toDo.notes = item.notes
        toDo.priority = Int16(clamping: item.priority)
        toDo.category = category
        toDo.dueDate = item.due
        toDo.leadTime = item.leads.first.map { Int32(clamping: $0) }
        toDo.completed = item.isCompleted
        toDo.doNotAlert = item.isMuted
        toDo.snoozedUntil = item.snoozedUntil
        if let lastAlert { toDo.lastAlertDate = lastAlert }
        if let created = item.createdDate { toDo.createdDate = created }
        if let modified = item.modifiedDate { toDo.modifiedDate = modified }
        toDo.completedDate = item.completedDate
    }
}
