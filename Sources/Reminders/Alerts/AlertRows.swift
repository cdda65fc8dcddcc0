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
                kind: kind, itemID: itemID, uid: uid, name: name, due: state.due, localDue: state.localDue,
                category: category, priority: priority)
        }
    }

    private let context: ManagedObjectContext

    package init(context: ManagedObjectContext) {
        self.context = context
    }

    // MARK: - Reading

    private static let items = ItemColumns()
    private static let alarms = AlarmColumns()

    func prepare(_ request: FetchRequest<ToDo>) throws -> PreparedFetch {
        try context.prepare(request, of: Self.items.all.list)
    }

    func prepare(_ request: FetchRequest<Alarm>) throws -> PreparedFetch {
        try context.prepare(request, of: Self.alarms.all.list)
    }

    /// Returns the items that one prepared fetch finds, with the lead times that the other one finds.
    func entries(
        items: PreparedFetch, alarms: PreparedFetch, values: [String: AttributeValue],
        settings: AlertSettings
    ) throws -> [Entry] {
        let defaultLeads = settings.defaultLeads
        var entries: [Entry] = []
        try context.forEachRow(items, with: values) { entries.append(Self.entry($0, defaultLeads, settings)) }
        guard !entries.isEmpty else { return [] }
        return Self.entries(entries, with: try context.rows(alarms, with: values))
    }

    /// Returns the items that match a request, in its order.
    func entries(_ request: FetchRequest<ToDo>, settings: AlertSettings) throws -> [Entry] {
        let defaultLeads = settings.defaultLeads
        let items = try context.rows(request, of: Self.items.all.list)
        let ids = items.compactMap { $0.value(of: Self.items.id) }
        let alarms = Alarm.where { $0.toDo.id.isIn(ids) }
        return Self.entries(
            items.map { Self.entry($0, defaultLeads, settings) },
            with: try context.rows(alarms, of: Self.alarms.all.list))
    }

    /// Returns the items with these IDs that still exist.
    package func entries(_ ids: [Int64], settings: AlertSettings) throws -> [Entry] {
        try entries(ToDo.where { $0.id.isIn(ids) }, settings: settings)
    }

    /// Returns the items that match a request, in its order, without their lead times.
    package func entriesWithoutLeads(_ request: FetchRequest<ToDo>) throws -> [Entry] {
        try context.rows(request, of: Self.items.all.list).map { Self.entry($0, [], AlertSettings()) }
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
        let alarms = Alarm.where {
            $0.toDo.completed == false && $0.toDo.doNotAlert == false && $0.alertedDueDate == $0.toDo.dueDate
                && $0.alertedDueDate - $0.offset > limit
        }
        return try context.exists(alarms)
    }

    private static func entries(_ items: [Entry], with alarms: FetchedRows) -> [Entry] {
        guard !alarms.isEmpty else { return items }
        var entries = items
        let positions = Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].itemID, $0) })
        for row in alarms {
            guard let position = row.value(of: Self.alarms.toDo).flatMap({ positions[$0] }),
                let id = row.value(of: Self.alarms.id), let offset = row.value(of: Self.alarms.offset)
            else { continue }
            let alertedDueDate = row.value(of: Self.alarms.alertedDueDate)
            entries[position].state.append(.init(offset: Double(offset), alertedDueDate: alertedDueDate))
            entries[position].alarms.append((id: id, alertedDueDate: alertedDueDate))
        }
        return entries
    }

    private static func entry(
        _ row: any StoreRow, _ defaultLeads: [AlertState.Lead], _ settings: AlertSettings
    ) -> Entry {
        let columns = items
        let alertedUpTo = row.value(of: columns.alertedUpTo)
        var state = AlertState(
            due: row.value(of: columns.dueDate), defaultLeads: defaultLeads, alertedUpTo: alertedUpTo)
        if let local = row.value(of: columns.dueLocal).flatMap(LocalTime.init) {
            state.setLocalDue(local, settings)
        }
        state.isSilent =
            row.value(of: columns.completed) ?? false || row.value(of: columns.doNotAlert) ?? false
        state.lastAlert = row.value(of: columns.lastAlertDate)
        state.snoozedUntil = row.value(of: columns.snoozedUntil)
        state.next = row.value(of: columns.nextAlertDate)
        state.isCategoryMuted = row.value(of: columns.isCategoryMuted) ?? false
        return Entry(
            itemID: row.value(of: columns.id) ?? 0, uid: row.value(of: columns.uid) ?? "",
            name: row.value(of: columns.name) ?? "",
            category: row.value(of: columns.category), priority: row.value(of: columns.priority) ?? 0,
            state: state,
            alertedUpTo: alertedUpTo)
    }

    // MARK: - Writing

    // The keys of empty updates are looked up once.
    private static let noItems = TypedUpdates(
        of: ToDo.self, setting: \.lastAlertDate, \.snoozedUntil, \.alertedUpTo, \.nextAlertDate)
    private static let noAlarms = TypedUpdates(of: Alarm.self, setting: \.alertedDueDate)
    private static let noAlertTimes = TypedUpdates(of: ToDo.self, setting: \.nextAlertDate)

    /// Writes the state of items after their alerts were sent or skipped, all in one save.
    ///
    /// - Parameter newState: returns the new state of an item, made from the state that was read.
    package func write(_ entries: [Entry], _ newState: (Entry) -> AlertState) throws {
        var (items, alarms) = (Self.noItems, Self.noAlarms)
        for entry in entries {
            let state = newState(entry)
            let alertedUpTo = entry.alarms.isEmpty ? state.alertedUpTo : entry.alertedUpTo
            items.append(
                id: entry.itemID, state.lastAlert, state.snoozedUntil, alertedUpTo, state.next)
            for (alarm, lead) in zip(entry.alarms, state.leads)
            where alarm.alertedDueDate != lead.alertedDueDate {
                alarms.append(id: alarm.id, lead.alertedDueDate)
            }
        }
        try context.updateEach([items.updates, alarms.updates])
    }

    /// Writes only the next alert times of items.
    func writeAlertTimes(of entries: [Entry]) throws {
        var items = Self.noAlertTimes
        for entry in entries { items.append(id: entry.itemID, entry.state.next) }
        try context.updateEach([items.updates])
    }
}

/// The columns of an item.
private struct ItemColumns {
    let all: RowColumns<ToDo>
    let id: RowColumn<Int64>
    let uid, name, dueLocal, category: RowColumn<String>
    let priority: RowColumn<Int16>
    let dueDate, lastAlertDate, snoozedUntil, alertedUpTo, nextAlertDate: RowColumn<Timestamp>
    let completed, doNotAlert, isCategoryMuted: RowColumn<Bool>

    init() {
        var columns = RowColumns<ToDo>()
        id = columns.add(\.id)
        uid = columns.add(\.uid)
        name = columns.add(\.name)
        priority = columns.add(\.priority)
        dueDate = columns.add(\.dueDate)
        dueLocal = columns.add(\.dueLocal)
        completed = columns.add(\.completed)
        doNotAlert = columns.add(\.doNotAlert)
        lastAlertDate = columns.add(\.lastAlertDate)
        snoozedUntil = columns.add(\.snoozedUntil)
        alertedUpTo = columns.add(\.alertedUpTo)
        nextAlertDate = columns.add(\.nextAlertDate)
        category = columns.add(\.category?.name)
        isCategoryMuted = columns.add(\.category?.doNotAlert)
        all = columns
    }
}

/// The columns of a lead time.
private struct AlarmColumns {
    let all: RowColumns<Alarm>
    let id, toDo: RowColumn<Int64>
    let offset: RowColumn<Int32>
    let alertedDueDate: RowColumn<Timestamp>

    init() {
        var columns = RowColumns<Alarm>()
        id = columns.add(\.id)
        toDo = columns.add(idOf: \.toDo)
        offset = columns.add(\.offset)
        alertedDueDate = columns.add(\.alertedDueDate)
        all = columns
    }
}
