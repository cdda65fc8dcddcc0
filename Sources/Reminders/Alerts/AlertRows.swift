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
        fileprivate var leads: [AlarmRecord] = []
        /// The other alarms, in the order of `state.alarms`.
        fileprivate var alarms: [AlarmRecord] = []

        /// Returns an alert for this item.
        package func alert(_ kind: Alert.Kind) -> Alert {
            Alert(
                kind: kind, itemID: itemID, uid: uid, name: name, due: state.due, localDue: state.localDue,
                category: category, priority: priority)
        }
    }

    /// The ID of an alarm, and its record when it was read.
    fileprivate typealias AlarmRecord = (id: Int64, alertedDueDate: Timestamp?)

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
        return Self.entries(entries, with: try context.rows(alarms, with: values), settings)
    }

    /// Returns the items that match a request, in its order.
    func entries(_ request: FetchRequest<ToDo>, settings: AlertSettings) throws -> [Entry] {
        let defaultLeads = settings.defaultLeads
        let items = try context.rows(request, of: Self.items.all.list)
        let ids = items.compactMap { $0.value(of: Self.items.id) }
        let alarms = Alarm.where { $0.toDo.id.isIn(ids) }
        return Self.entries(
            items.map { Self.entry($0, defaultLeads, settings) },
            with: try context.rows(alarms, of: Self.alarms.all.list), settings)
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
                    || $0.alertedUpTo > limit && $0.alertedUpTo <= $0.dueDate
                        && $0.alarms.count { $0.anchor == .due } == 0)
        }.ordered(by: \.dueDate).limit(1)
        if try !context.rows(items, of: \.id).isEmpty { return true }
        // The alert of an own alarm may have been skipped, and an item with such alarms may have no due time.
        let alarms = Alarm.where {
            $0.toDo.completed == false && $0.toDo.doNotAlert == false
                && $0.alertedDueDate - $0.offset > limit
                && ($0.anchor == .due && $0.alertedDueDate == $0.toDo.dueDate
                    || $0.anchor == .start && $0.alertedDueDate == $0.toDo.startDate
                    || $0.anchor == .moment && $0.alertedDueDate == $0.date)
        }
        return try context.exists(alarms)
    }

    private static func entries(_ items: [Entry], with alarms: FetchedRows, _ settings: AlertSettings)
        -> [Entry]
    {
        let columns = Self.alarms
        guard !alarms.isEmpty else { return items }
        var entries = items
        let positions = Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].itemID, $0) })
        for row in alarms {
            guard let position = row.value(of: columns.toDo).flatMap({ positions[$0] }),
                let id = row.value(of: columns.id), let offset = row.value(of: columns.offset)
            else { continue }
            let time = AlarmTime(
                row.value(of: columns.anchor) ?? .due, offset: offset, date: row.value(of: columns.date))
            let record = (id: id, alertedDueDate: row.value(of: columns.alertedDueDate))
            entries[position].state.append(time, alertedFor: record.alertedDueDate)
            if time.isLead {
                entries[position].leads.append(record)
            } else {
                entries[position].alarms.append(record)
                entries[position].state.setStart(
                    row.value(of: columns.startDate),
                    local: row.value(of: columns.startLocal).flatMap(LocalTime.init), settings)
            }
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
            let alertedUpTo = entry.leads.isEmpty ? state.alertedUpTo : entry.alertedUpTo
            items.append(
                id: entry.itemID, state.lastAlert, state.snoozedUntil, alertedUpTo, state.next)
            let records =
                zip(entry.leads, state.leads.map(\.alertedDueDate)).map { ($0, $1) }
                + zip(entry.alarms, state.alarms.map(\.alertedFor)).map { ($0, $1) }
            for (former, new) in records where former.alertedDueDate != new {
                alarms.append(id: former.id, new)
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

/// The columns of an alarm, and the start of its item.
private struct AlarmColumns {
    let all: RowColumns<Alarm>
    let id, toDo: RowColumn<Int64>
    let anchor: RowColumn<Alarm.Anchor>
    let offset: RowColumn<Int32>
    let date, alertedDueDate, startDate: RowColumn<Timestamp>
    let startLocal: RowColumn<String>

    init() {
        var columns = RowColumns<Alarm>()
        id = columns.add(\.id)
        toDo = columns.add(idOf: \.toDo)
        anchor = columns.add(\.anchor)
        offset = columns.add(\.offset)
        date = columns.add(\.date)
        alertedDueDate = columns.add(\.alertedDueDate)
        startDate = columns.add(\.toDo?.startDate)
        startLocal = columns.add(\.toDo?.startLocal)
        all = columns
    }
}
