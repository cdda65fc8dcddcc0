internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

// The mapping between the properties of the model and the fields of an export.

/// A visitor that collects the names of the stored fields.
private struct StoredFieldNames: StoredFieldVisitor {
    var names: [String] = []

    mutating func stored(
        _ name: String, _ value: inout some AttributeValueConvertible, keepsMissing: Bool
    ) { names.append(name) }
}

/// A visitor that sets the fields to the values of a row or an object. It ignores values of other types.
private struct StoredFieldReader<Values: StoredValues>: StoredFieldVisitor {
    let values: Values
    var position: Int

    mutating func stored(
        _ name: String, _ value: inout some AttributeValueConvertible, keepsMissing: Bool
    ) {
        if let stored = type(of: value).init(attributeValue: values[position]) { value = stored }
        position += 1
    }
}

private protocol StoredValues {
    subscript(position: Int) -> AttributeValue { get }
}

extension FetchedRow: StoredValues {}
extension Array<AttributeValue>: StoredValues {}

/// A visitor that copies the fields to an item, except its category.
private struct StoredFieldWriter: StoredFieldVisitor {
    let toDo: ToDo
    let columns: ExportedColumns
    var position = 0

    mutating func stored(
        _ name: String, _ value: inout some AttributeValueConvertible, keepsMissing: Bool
    ) {
        let stored = value.attributeValue
        if let column = columns.positions[position], !stored.isNull || !keepsMissing {
            toDo.setValue(stored, inColumn: column)
        }
        position += 1
    }
}

/// The columns of the stored fields in the entity of items.
struct ExportedColumns {
    /// Contains `nil` for the category.
    fileprivate let positions: [Int?]

    init(_ model: ManagedObjectModel) {
        let entity = model.entity(of: ToDo.self)
        positions = ExportedItem.keys.map { entity?.column(named: $0) }
    }
}

extension ExportedItem {
    /// The keys of the stored fields in the model.
    static let keys = {
        var (item, names) = (ExportedItem(), StoredFieldNames())
        item.visit(&names)
        return names.names.map { ItemField(rawValue: $0)?.key ?? $0 }
    }()

    /// Returns the columns: the ID, then the values, then the record of alerts, the parent, the blockers and the tags.
    ///
    /// - Parameter hasTags: whether the store has tags. If it has none, they are not searched for each item.
    static func columns(hasTags: Bool = true) -> [FetchColumn] {
        [.key(\ToDo.id)] + keys.map { .key($0) } + [.key(\ToDo.alertedUpTo), .key(\ToDo.nextAlertDate)]
            + [.key("parent.uid"), .values("blockers.uid")]
            + (hasTags ? [ItemField.tags.column] : [])
    }

    /// Creates an item from a row with `columns`, and from its alarms.
    init(_ row: FetchedRow, _ alarms: [ExportedAlarm]) {
        var reader = StoredFieldReader(values: row, position: 1)
        visit(&reader)
        alertState = ExportedAlertState()
        alertState?.due = Timestamp(attributeValue: row[reader.position])
        alertState?.next = Timestamp(attributeValue: row[reader.position + 1])
        item.parent = String(attributeValue: row[reader.position + 2])
        item.blockers = [String](attributeValue: row[reader.position + 3]) ?? []
        if row.columns.count > reader.position + 4 {
            item.tags = [String](attributeValue: row[reader.position + 4]) ?? []
        }
        setAlarms(alarms)
    }

    /// Sets the fields to the values for `keys`.
    mutating func read(_ values: [AttributeValue]) {
        var reader = StoredFieldReader(values: values, position: 0)
        visit(&reader)
    }

    /// Sets the lead times and the alerts, and the time for which the alert of each was sent.
    mutating func setAlarms(_ alarms: [ExportedAlarm]) {
        item.leads = []
        item.alerts = []
        alertState?.leads = []
        alertState?.alerts = []
        for alarm in alarms.sorted(by: { $0.time < $1.time }) {
            if case .beforeDue(let lead) = alarm.time {
                item.leads.append(Int(lead))
                guard let due = alarm.alertedFor else { continue }
                alertState?.leads.append(ExportedAlertState.Lead(lead: Int64(lead), due: due))
            } else {
                item.alerts.append(alarm.time)
                guard let moment = alarm.alertedFor else { continue }
                alertState?.alerts.append(ExportedAlertState.Alert(alert: alarm.time.text, at: moment))
            }
        }
    }

    init(_ toDo: ToDo, _ columns: ExportedColumns) {
        let category = (toDo.category?.name).attributeValue
        read(columns.positions.map { $0.map(toDo.value(inColumn:)) ?? category })
        alertState = ExportedAlertState()
        alertState?.due = toDo.alertedUpTo
        alertState?.next = toDo.nextAlertDate
        item.tags = toDo.tags.map(\.name).sorted()
        item.parent = toDo.parent?.uid
        item.blockers = toDo.blockers.map(\.uid).sorted()
        item.links = toDo.linkValues
        item.history = toDo.completionValues
        item.occurrences = toDo.occurrenceValues
        setAlarms(toDo.alarms.map { ($0.time, $0.alertedDueDate) })
    }

    /// Copies the values to `toDo`. Some values that are missing in the file stay as they are.
    mutating func fill(
        _ toDo: ToDo, _ columns: ExportedColumns, category: Category?, tags: Set<Tag>,
        relations: ImportedRelations, in zone: TimeZoneRules
    ) throws {
        // An item that changes its parent has no position until it has the one of the file.
        if toDo.parent !== relations.parent { toDo.parent = nil }
        var writer = StoredFieldWriter(toDo: toDo, columns: columns)
        visit(&writer)
        relations.apply(to: toDo)
        toDo.category = category
        let others = toDo.isInserted ? [] : toDo.tags.filter { !tags.contains($0) }
        for tag in others { toDo.tags.remove(tag) }
        for tag in tags { toDo.tags.insert(tag) }
        try toDo.setLinks(item.links)
        try toDo.setCompletions(item.history, in: zone)
        try toDo.setOccurrences(item.occurrences, in: zone)
        try toDo.setLeads(item.leads.map { Int32(clamping: $0) })
        try toDo.setAlarmTimes(item.alerts)
        toDo.keepsSnooze = true
        if let alertState { fill(toDo, with: alertState) }
    }

    private func fill(_ toDo: ToDo, with alertState: ExportedAlertState) {
        toDo.isRestored = true
        toDo.lastAlertDate = lastAlert
        toDo.alertedUpTo = alertState.due
        toDo.nextAlertDate = alertState.next
        for alarm in toDo.alarms { alarm.alertedDueDate = alertState.record(of: alarm.time) }
    }
}
