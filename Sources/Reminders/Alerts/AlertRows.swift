internal import CivilTime
package import ObjectStore

/// The items as the minute check reads and writes them.
///
/// The check uses rows because creating a thousand objects for the alerts of one minute takes several times as long.
///
/// It writes only the properties that change when an alert is sent, so code that inspects changed objects before a save
/// can ignore these writes. Objects in memory are refreshed, and observers are notified of the save as usual.
package struct AlertRows {
    /// One item with its lead times.
    package struct Entry: Sendable {
        package let itemID: Int64
        package let uid: String
        package let name: String
        package let category: String?
        package let priority: Int16
        package var state: AlertState
        /// The item's `alertedUpTo` when it was read.
        fileprivate let alertedUpTo: Timestamp?
        /// The item's own lead times, in the order of `state.leads`, each with its `alertedDueDate` when it was read.
        fileprivate var alarms: [(id: Int64, alertedDueDate: Timestamp?)] = []

        /// Returns an alert for this item.
        package func alert(_ kind: Alert.Kind) -> Alert {
            Alert(
                kind: kind, itemID: itemID, uid: uid, name: name, due: state.due, category: category,
                priority: priority)
        }
    }

    private let context: ManagedObjectContext

    package init(context: ManagedObjectContext) {
        self.context = context
    }

    // MARK: - Reading

    private static let itemColumns: [FetchColumn] = [
        "id", "uid", "name", "priority", "dueDate", "completed", "doNotAlert",
        "lastAlertDate", "snoozedUntil", "toldForDue", "nextAlertDate", "category.name",
        "category.doNotAlert",
    ]

    private static let alarmColumns: [FetchColumn] = ["id", "toDo", "offset", "toldForDue"]

    func prepare(_ request: FetchRequest<ToDo>) throws -> PreparedFetch {
        try context.prepare(request, of: Self.itemColumns)
    }

    func prepare(_ request: FetchRequest<Alarm>) throws -> PreparedFetch {
        try context.prepare(request, of: Self.alarmColumns)
    }

    /// Returns the items that one prepared fetch finds, with the lead times that the other one finds.
    func entries(
        items: PreparedFetch, alarms: PreparedFetch, values: [String: AttributeValue],
        settings: AlertSettings
    ) throws -> [Entry] {
        let defaultLeads = settings.defaultLeads
        var entries: [Entry] = []
        try context.forEachRow(items, with: values) { entries.append(Self.entry($0, defaultLeads)) }
        guard !entries.isEmpty else { return [] }
        return Self.entries(entries, with: try context.rows(alarms, with: values))
    }

    /// Returns the items that match a request, in its order.
    func entries(_ request: FetchRequest<ToDo>, settings: AlertSettings) throws -> [Entry] {
        let defaultLeads = settings.defaultLeads
        let items = try context.rows(request, of: Self.itemColumns)
        let ids = items.indices.map { items[$0, 0] }
        let alarms = FetchRequest<Alarm>(matching: Self.isOne(of: ids, "toDo"))
        return Self.entries(
            items.map { Self.entry($0, defaultLeads) }, with: try context.rows(alarms, of: Self.alarmColumns))
    }

    /// Returns the items with these IDs that still exist.
    package func entries(_ ids: [Int64], settings: AlertSettings) throws -> [Entry] {
        try entries(
            FetchRequest(matching: Self.isOne(of: ids.map { .integer($0) }, "id")), settings: settings)
    }

    /// Returns the items that match a request, in its order, without their lead times.
    package func entriesWithoutLeads(_ request: FetchRequest<ToDo>) throws -> [Entry] {
        try context.rows(request, of: Self.itemColumns).map { Self.entry($0, []) }
    }

    /// Whether an item that is due after `now` has the record of an alert that was sent, or skipped, after `limit`.
    func haveAlerts(after limit: Timestamp, now: Timestamp) throws -> Bool {
        // The order makes the store use an index. Otherwise it would read the rows of all items.
        let items = ToDo.where {
            !$0.completed && !$0.doNotAlert && $0.dueDate > now
                && ($0.lastAlertDate > limit
                    || $0.alertedUpTo > limit && $0.alertedUpTo <= $0.dueDate && $0.alarms.count == 0)
        }.ordered(by: \.dueDate).limit(1)
        if try !context.rows(items, of: \.id).isEmpty { return true }
        // Own lead times may have been skipped without an alert.
        let alarms = FetchRequest<Alarm>(
            matching: try FetchPredicate(
                """
                toDo.completed == NO AND toDo.doNotAlert == NO AND toldForDue == toDo.dueDate \
                AND toldForDue - offset > %@
                """, limit),
            limit: 1)
        return try !context.rows(alarms, of: \.id).isEmpty
    }

    private static func isOne(of values: [AttributeValue], _ key: String) -> FetchPredicate {
        FetchPredicate(.key(key), .in, .list(values.map { .value($0) }))
    }

    private static func entries(_ items: [Entry], with alarms: FetchedRows) -> [Entry] {
        guard !alarms.isEmpty else { return items }
        var entries = items
        let positions = Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].itemID, $0) })
        for row in alarms.indices {
            guard let position = Int64(attributeValue: alarms[row, 1]).flatMap({ positions[$0] }),
                let id = Int64(attributeValue: alarms[row, 0]),
                let offset = Int32(attributeValue: alarms[row, 2])
            else { continue }
            let alertedDueDate = Timestamp(attributeValue: alarms[row, 3])
            entries[position].state.append(.init(offset: Double(offset), alertedDueDate: alertedDueDate))
            entries[position].alarms.append((id: id, alertedDueDate: alertedDueDate))
        }
        return entries
    }

    private static func entry(_ row: any StoreRow, _ defaultLeads: [AlertState.Lead]) -> Entry {
        let moment = { (column: Int) in Timestamp(attributeValue: row.value(at: column)) }
        let isSet = { (column: Int) in Bool(attributeValue: row.value(at: column)) ?? false }
        let text = { (column: Int) in String(attributeValue: row.value(at: column)) }
        let alertedUpTo = moment(9)
        var state = AlertState(due: moment(4), defaultLeads: defaultLeads, alertedUpTo: alertedUpTo)
        state.isSilent = isSet(5) || isSet(6)
        state.lastAlert = moment(7)
        state.snoozedUntil = moment(8)
        state.next = moment(10)
        state.isCategoryMuted = isSet(12)
        return Entry(
            itemID: Int64(attributeValue: row.value(at: 0)) ?? 0, uid: text(1) ?? "", name: text(2) ?? "",
            category: text(11), priority: Int16(attributeValue: row.value(at: 3)) ?? 0, state: state,
            alertedUpTo: alertedUpTo)
    }

    // MARK: - Writing

    // The keys of empty updates are looked up once.
    private static let noItems = ObjectUpdates(
        of: ToDo.self, setting: [\.lastAlertDate, \.snoozedUntil, \.alertedUpTo, \.nextAlertDate])
    private static let noAlarms = ObjectUpdates(of: Alarm.self, setting: [\.alertedDueDate])
    private static let noAlertTimes = ObjectUpdates(of: ToDo.self, setting: [\.nextAlertDate])

    /// Writes the state of items after their alerts were sent or skipped, all in one save.
    ///
    /// - Parameter newState: returns the new state of an item, made from the state that was read.
    package func write(_ entries: [Entry], _ newState: (Entry) -> AlertState) throws {
        var (items, alarms) = (Self.noItems, Self.noAlarms)
        for entry in entries {
            let state = newState(entry)
            let alertedUpTo = entry.alarms.isEmpty ? state.alertedUpTo : entry.alertedUpTo
            items.append(
                id: entry.itemID,
                values: [
                    state.lastAlert.attributeValue, state.snoozedUntil.attributeValue,
                    alertedUpTo.attributeValue, state.next.attributeValue,
                ])
            for (alarm, lead) in zip(entry.alarms, state.leads)
            where alarm.alertedDueDate != lead.alertedDueDate {
                alarms.append(id: alarm.id, values: [lead.alertedDueDate.attributeValue])
            }
        }
        try context.updateEach([items, alarms])
    }

    /// Writes only the next alert times of items.
    func writeAlertTimes(of entries: [Entry]) throws {
        var items = Self.noAlertTimes
        for entry in entries { items.append(id: entry.itemID, values: [entry.state.next.attributeValue]) }
        try context.updateEach([items])
    }
}
