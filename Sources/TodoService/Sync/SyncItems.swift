internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Reads and writes the items of synchronized lists.
///
/// Nothing is saved here. The caller saves, and then calls `end`.
final class SyncItems {
    private let service: ServiceContext
    private let columns: ExportedColumns
    private var tags: TagImporter
    private var filled: [ToDo] = []
    /// Whether an item was changed because of another one, such as the subtasks of a completed item.
    private(set) var haveOthersChanged = false
    let format: SyncFormat

    init(_ service: ServiceContext) {
        self.service = service
        columns = ExportedColumns(service.store.context.model)
        tags = TagImporter(service: service)
        format = SyncFormat(
            zone: service.times.zone, defaultTime: service.times.defaultTime, now: service.times.now())
    }

    private var context: ManagedObjectContext { service.store.context }

    /// Must be called after the items are saved, or if they are not.
    func end() {
        for item in filled { item.keepsSnooze = false }
        filled = []
    }

    // MARK: - Reading

    /// Returns an item, with the relations to items that do not exist here yet.
    func item(_ toDo: ToDo, _ entry: SyncEntry?) -> ExchangeItem {
        var item = ExportedItem(toDo, columns).item
        guard let entry, entry.hasMissingRelations else { return item }
        item.parent = item.parent ?? entry.missingParent
        item.blockers = Set(item.blockers).union(entry.missingBlockers).sorted()
        return item
    }

    func state(of toDo: ToDo, _ entry: SyncEntry?) -> SyncState { format.state(of: item(toDo, entry)) }

    // MARK: - Writing

    /// Writes an item, or adds it if there is none. Relations to items that do not exist yet are stored with the entry.
    ///
    /// - Throws: an error if the item has a value that todod does not accept.
    func write(_ item: ExchangeItem, to known: ToDo?, _ entry: SyncEntry, category: Category?) throws -> ToDo
    {
        var exported = ExportedItem(item)
        try exported.check(field: "task")
        exported.item.setMomentsOfLocalTimes(in: service.times.zone)
        exported.item.name = try name(of: item)
        // The rule of a text is counted from the open occurrence, unless it says otherwise.
        exported.item.occurrencesDone = item.occurrencesDone ?? 0
        let relations = try ImportedRelations(of: exported.item, known: known, in: context)
        let toDo = try known ?? context.insertToDo(at: service.times.now())
        remember(missing: exported.item, relations, in: entry)
        exported.item.remainder = item.remainder
        try exported.fill(
            toDo, columns, category: category, tags: try tags.tags(named: exported.item.tags),
            relations: relations, in: service.times.zone)
        toDo.acknowledgedDate = item.acknowledged
        filled.append(toDo)
        return toDo
    }

    private func name(of item: ExchangeItem) throws(APIError) -> String {
        let lengths = ReminderModel.nameLengths
        if item.hasExactName, lengths.contains(item.name.unicodeScalars.count) { return item.name }
        return try TypedValue.name(item.name, field: "SUMMARY", lengths: lengths)
    }

    private func remember(missing item: ExchangeItem, _ relations: ImportedRelations, in entry: SyncEntry) {
        let found = Set(relations.blockers.map(\.uid))
        entry.missingParent = relations.parent == nil ? item.parent : nil
        entry.missingBlockers = item.blockers.filter { !found.contains($0) }
        entry.hasMissingRelations = entry.missingParent != nil || !entry.missingBlockers.isEmpty
    }

    /// Sets the parents and the blockers that exist by now.
    func completeRelations(in list: SyncList) throws {
        let waiting = try context.fetch(
            SyncEntry.where { $0.list == list && $0.hasMissingRelations == true })
        for entry in waiting {
            guard let toDo = entry.toDo else { continue }
            let item = item(toDo, entry)
            let relations = try ImportedRelations(of: item, known: toDo, in: context)
            guard relations.parent != toDo.parent || relations.blockers.count > toDo.blockers.count else {
                continue
            }
            haveOthersChanged = true
            relations.apply(to: toDo)
            remember(missing: item, relations, in: entry)
        }
    }

    /// Deletes an item that another program has deleted. Its subtasks stay.
    func delete(_ toDo: ToDo) throws {
        for child in try toDo.children.all() {
            haveOthersChanged = true
            for entry in try child.syncEntries.all() {
                entry.missingParent = toDo.uid
                entry.hasMissingRelations = true
            }
            child.parent = nil
        }
        service.events.closeAlerts(of: [toDo.id])
        try context.delete(toDo)
    }

    // MARK: - Completions and alerts

    /// Records what another program has done with the occurrences of a repeating item, after it was written.
    ///
    /// - Parameter former: the item before.
    /// - Returns: whether the item has moved on, which the server does not know.
    func recordOccurrences(of toDo: ToDo, since former: ExchangeItem?, _ task: SyncTask) throws -> Bool {
        guard let former, former.recurrence != nil, !former.isCompleted, !toDo.isCancelled else {
            return false
        }
        let moment = task.item.completedDate ?? task.modifiedDate ?? service.times.now()
        if task.item.isSeriesCompleted { return false }
        if toDo.completed, toDo.recurrence != nil {
            if let there = task.item.due, let here = former.due, there < here {
                // That occurrence was completed here, too.
                (toDo.completed, toDo.completedDate) = (false, nil)
                return true
            }
            // Other programs use the same word for one completed occurrence and for the whole item.
            haveOthersChanged = true
            try toDo.completeOccurrenceWithSubtasks(at: moment, in: service.times.zone)
            return !toDo.completed
        }
        guard toDo.recurrence != nil, let due = former.due, let later = toDo.dueDate, due < later,
            isLaterOccurrence(later, of: former)
        else { return false }
        try toDo.record(
            CompletionValue(date: moment, due: CalendarTime(moment: due, local: former.localDue)),
            in: service.times.zone)
        return false
    }

    /// The number of occurrences after the open one that another program may have passed over.
    private static let passedLimit = 100

    /// Whether a due time is that of an occurrence after the open one.
    private func isLaterOccurrence(_ due: Timestamp, of item: ExchangeItem) -> Bool {
        var schedule = Schedule()
        schedule.setDue(CalendarTime(moment: item.due, local: item.localDue), in: service.times.zone)
        schedule.rule = item.recurrence
        schedule.ruleStart = item.recurrenceStart
        schedule.passed = Int32(clamping: item.occurrencesDone ?? 0)
        schedule.timeZone = item.timeZone
        // A rule that counts from the completion may have any next time.
        if item.isAfterDone { return true }
        for _ in 0..<Self.passedLimit {
            guard let moment = schedule.due, moment < due,
                let next = schedule.skipped(at: moment, in: service.times.zone)
            else { break }
            schedule = next
        }
        return schedule.due == due
    }

    /// Lets the alerts of new times be sent that came since the task was changed and the list was synchronized. A save ends all
    /// alerts of the past, because a user of this machine would know of them.
    func resumeAlerts(of toDo: ToDo, _ task: SyncTask, since last: Timestamp, _ settings: AlertSettings) {
        guard !toDo.completed, let changed = task.modifiedDate else { return }
        var state = toDo.alertState(settings)
        let snooze = state.snoozedUntil
        state.forgetSentAlerts()
        state.endAlertTimes(upTo: min(max(last, changed), service.times.now()), due: state.due)
        state.snoozedUntil = snooze
        toDo.apply(state)
    }

    /// Ends the alerts that the user has seen elsewhere. Must be called after the item was saved.
    func acknowledge(_ toDo: ToDo, _ task: SyncTask, _ settings: AlertSettings) {
        if toDo.completed { return service.events.closeAlerts(of: [toDo.id]) }
        guard let moment = task.item.acknowledged else { return }
        let now = service.times.now()
        var state = toDo.alertState(settings)
        let snooze = state.snoozedUntil
        state.endAlertTimes(upTo: min(moment, now), due: state.due)
        state.snoozedUntil = snooze
        toDo.apply(state)
        if let last = toDo.lastAlertDate, last <= moment { service.events.closeAlerts(of: [toDo.id]) }
    }
}
