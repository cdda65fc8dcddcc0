package import CivilTime
package import ObjectStore

/// Keeps `nextAlertDate` right: the save that changes an item writes its next alert point too, whoever changes it.
///
/// It looks at every save of its context before it happens. Changes that a store makes without objects, such as
/// `updateAll`, it does not see; what `AlertRecords` writes so has its points already.
package final class AlertPoints {
    /// How many items are brought up to date in one save.
    static let portion = 5_000
    private static let metadataKey = "alertPoints"
    private static let clockKey = "alertClock"
    /// Less than any time between two points.
    private static let instant = 1e-3
    /// A person who changes one of these knows what is past.
    private static let settingProperties: Set = ["dueDate", "completed", "doNotAlert"]
    /// What else the next point of an item is made of, apart from its alarms.
    private static let pointProperties: Set = ["snoozedUntil", "toldForDue", "nextAlertDate"]

    package private(set) var planner: AlertPlanner
    /// What looks read and write.
    package let records: AlertRecords
    /// Before this moment no item is to be told; nil when that is not known, and a look has to find it out.
    package var earliest: Timestamp?
    /// The moment of the last alerts that the store has records of, to within `AlertPlanner.grace`: see `wasClockAhead`.
    private var clockMark: Timestamp?
    private var isClockMarkSaved = true
    private let context: ManagedObjectContext
    private let now: @Sendable () -> Timestamp
    private var observation: Observation?

    package init(
        context: ManagedObjectContext, planner: AlertPlanner, now: @escaping @Sendable () -> Timestamp
    ) {
        self.context = context
        records = AlertRecords(context: context)
        self.planner = planner
        self.now = now
        observation = context.observe { [unowned self] event in
            switch event {
            case .willSave: prepareSave()
            case .merged: earliest = nil
            case .rolledBack: isClockMarkSaved = false
            default: break
            }
        }
    }

    // MARK: - At every save

    private func prepareSave() {
        let now = now()
        var withOtherAlarms = (try? context.itemsOfChangedAlarms()) ?? []
        for item in context.changedObjects.compactMap({ $0 as? ToDo }) where item.isInserted || item.isUpdated
        {
            prepare(item, hasOtherAlarms: withOtherAlarms.remove(item) != nil, now)
        }
        for item in withOtherAlarms { prepare(item, hasOtherAlarms: true, now) }
    }

    private func prepare(_ item: ToDo, hasOtherAlarms: Bool, _ now: Timestamp) {
        if item.isRestored {
            restore(item, now)
        } else {
            update(item, hasOtherAlarms: hasOtherAlarms, now)
        }
        item.isReplayed = false
        // When nothing comes of the save it is earlier than it might be, which a look finds out.
        if let known = earliest, let next = item.nextAlertDate { earliest = min(known, next) }
    }

    /// The next point that comes with the item stays if it is one by the settings here.
    private func restore(_ item: ToDo, _ now: Timestamp) {
        let state = item.alertState(planner.settings)
        var corrected = state
        if corrected.forgetWhatWasToldEarly(at: now) { try? saveClockMark(.never) }
        if let next = state.next, planner.next(of: state, after: next - Self.instant) == next { return }
        let next = planner.next(of: state, after: now)
        if item.nextAlertDate != next { item.nextAlertDate = next }
    }

    private func update(_ item: ToDo, hasOtherAlarms: Bool, _ now: Timestamp) {
        item.endVoidSnooze()
        let changes = Set(item.changedProperties)
        let isSet = item.isInserted || hasOtherAlarms || !changes.isDisjoint(with: Self.settingProperties)
        // A nag whose time has come is told, whatever else of the item is changed until then.
        guard isSet || !changes.isDisjoint(with: Self.pointProperties) else { return }
        // Another due time starts again, though an alert time of it may be one of the old due time.
        if !item.isInserted, changes.contains("dueDate") { item.alertedTo = nil }
        var state = item.alertState(planner.settings)
        let isReopened = changes.contains("completed") && !item.completed
        if item.isReplayed {
            // The person has seen the alerts before the undo or redo.
            if let last = state.lastAlert, last <= now { state.pass(last, due: state.due) }
        } else if isReopened || hasOtherAlarms, !item.isInserted {
            state.forgetWhatWasTold()
        }
        if isSet {
            // It may have been completed or muted when the clock was set back.
            _ = state.forgetWhatWasToldEarly(at: now)
            if state.knowWhatIsPast(at: now) { try? saveClockMark(now) }
        }
        state.next = planner.next(of: state, after: now)
        item.take(state)
    }

    // MARK: - Records of alerts

    /// Records that alerts were sent or passed over, all in one save.
    ///
    /// - Parameters:
    ///   - moment: the latest moment at which that happened.
    ///   - newState: the state of an item now, made of the state that was read.
    package func record(
        _ entries: [AlertRecords.Entry], at moment: Timestamp,
        _ newState: (AlertRecords.Entry) -> AlertState
    ) throws {
        do {
            try context.coordinator.batch {
                try saveClockMark(moment)
                try records.write(entries, newState)
            }
        } catch {
            isClockMarkSaved = false
            throw error
        }
    }

    /// Whether the store has records of alerts that a clock ahead of the present one has sent or passed over.
    ///
    /// The items are read only if the store says that its last records are later than now, or does not say of which moment
    /// they are.
    package func wasClockAhead(at now: Timestamp) throws -> Bool {
        let text = context.coordinator.store?.metadata.entries[Self.clockKey]
        clockMark = text.flatMap { Double($0) }.map { Timestamp(secondsSince1970: $0) }
        if let clockMark, clockMark <= now { return false }
        if try records.haveAlerts(after: now + AlertPlanner.grace, now: now) { return true }
        // If it fails, the next start reads the items again.
        if (try? write("\(now.secondsSince1970)", of: Self.clockKey)) != nil { clockMark = now }
        return false
    }

    /// Saves the moment of records that are to be saved, once in `AlertPlanner.grace`.
    private func saveClockMark(_ moment: Timestamp) throws {
        // Without it the next start reads all items.
        guard let mark = clockMark, moment > mark + AlertPlanner.grace || !isClockMarkSaved else { return }
        let latest = max(mark, moment)
        try context.coordinator.reserveStores()
        try write("\(latest.secondsSince1970)", of: Self.clockKey)
        clockMark = latest
        isClockMarkSaved = true
    }

    // MARK: - When the settings change

    /// Whether an older todod computed the stored points. It recorded an alert at the default lead time as one that was sent
    /// at the due time.
    package var areOfOneLead: Bool {
        context.coordinator.store?.metadata.entries[Self.metadataKey].map(AlertSettings.isOfOneLead) ?? false
    }

    /// Puts other settings in force, and says whether the points that are stored depend on them: then call `refresh`
    /// until all is done.
    package func use(_ settings: AlertSettings) -> Bool {
        planner.settings = settings
        return !arePointsOfSettings
    }

    private var arePointsOfSettings: Bool {
        context.coordinator.store?.metadata.entries[Self.metadataKey] == planner.settings.pointsKey
    }

    /// Computes the points of some items anew, those with an id beyond `id`, and saves them.
    ///
    /// - Parameter whenToldEarly: given when the clock was set back. What was told of points that lie ahead again is
    ///   forgotten, and these are the items, as they are now.
    /// - Returns: the last id that was done; nil when all are, which the store then knows.
    package func refresh(
        beyond id: Int64, whenToldEarly: (([AlertRecords.Entry]) -> Void)? = nil
    ) throws -> Int64? {
        // The old settings may be current again before all are done. The entry of an older todod stays until then: no
        // settings have it now, and a daemon that starts in between has to know it.
        if !arePointsOfSettings, !areOfOneLead { try write(nil, of: Self.metadataKey) }
        let request = FetchRequest<ToDo>(
            matching: try FetchPredicate(
                "completed == NO AND doNotAlert == NO AND id > %@ AND (dueDate != nil OR nextAlertDate != nil)",
                id),
            orderedBy: [FetchOrder("id")], limit: Self.portion)
        let entries = try records.entries(request, planner.settings)
        let now = now()
        var moved: [AlertRecords.Entry] = []
        var toldEarly: [AlertRecords.Entry] = []
        for var entry in entries {
            let isEarly = whenToldEarly != nil && entry.state.forgetWhatWasToldEarly(at: now)
            let next = planner.renewedNext(of: entry.state, at: now)
            guard isEarly || next != entry.state.next else { continue }
            entry.state.next = next
            if isEarly { toldEarly.append(entry) } else { moved.append(entry) }
        }
        earliest = nil
        try records.writePoints(of: moved)
        if !toldEarly.isEmpty {
            try records.write(toldEarly) { $0.state }
            whenToldEarly?(toldEarly)
        }
        if let last = entries.last?.itemID, entries.count == Self.portion { return last }
        if !arePointsOfSettings { try write(planner.settings.pointsKey, of: Self.metadataKey) }
        return nil
    }

    /// Writes a metadata entry of the store, or removes it.
    private func write(_ text: String?, of key: String) throws {
        guard let store = context.coordinator.store else { return }
        var entries = store.metadata.entries
        guard entries[key] != nil || text != nil else { return }
        entries[key] = text
        try store.setMetadataEntries(entries)
    }
}

extension Timestamp {
    /// Later than any other moment.
    package static let never = Timestamp(secondsSince1970: .greatestFiniteMagnitude)
}
