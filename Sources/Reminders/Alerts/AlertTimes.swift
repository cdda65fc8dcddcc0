package import CivilTime
package import ObjectStore

/// An observer of saves that keeps `nextAlertDate` correct, and the moments of dates and floating times.
///
/// Each save that changes an item also writes its next alert time. The observer inspects every save of its context
/// before it happens. It does not see changes that a store makes without objects, such as `updateAll`. Rows that
/// `AlertRows` writes already contain the next alert time.
package final class AlertTimes {
    /// The number of items that one save updates.
    static let itemsPerBatch = 5_000
    private static let metadataKey = "alertPoints"
    private static let clockKey = "alertClock"
    /// Less than the time between any two alert times.
    private static let instant = 1e-3

    package private(set) var planner: AlertPlanner
    /// The rows that checks read and write.
    package let rows: AlertRows
    /// The time before which no alert is due, or `nil` if it is unknown and a check must find it.
    package var earliest: Timestamp?
    /// The time of the latest alerts that are recorded in the store, or up to `AlertPlanner.grace` before it.
    ///
    /// See `wasClockAhead`.
    private var clockMark: Timestamp?
    private var isClockMarkSaved = true
    let context: ManagedObjectContext
    let zone: LocalZone
    private let now: @Sendable () -> Timestamp
    private var observations: [ObservationToken] = []

    package init(
        context: ManagedObjectContext, planner: AlertPlanner, zone: LocalZone,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.context = context
        self.zone = zone
        rows = AlertRows(context: context)
        self.planner = planner
        self.now = now
        observations = [
            context.beforeSave { [unowned self] in try prepareSave() },
            context.observe { [unowned self] event in
                switch event {
                case .merged: earliest = nil
                case .rolledBack: isClockMarkSaved = false
                default: break
                }
            },
        ]
    }

    // MARK: - At every save

    private func prepareSave() throws {
        let now = now()
        var otherAlarms = try context.itemsOfChangedAlarms()
        for item in context.changedObjects.compactMap({ $0 as? ToDo }) where item.isInserted || item.isUpdated
        {
            try prepare(item, otherAlarms: otherAlarms.removeValue(forKey: item) ?? [], now)
        }
        for (item, anchors) in otherAlarms { try prepare(item, otherAlarms: anchors, now) }
    }

    /// - Parameter otherAlarms: the anchors of the alarms of the item that change.
    private func prepare(_ item: ToDo, otherAlarms: Set<Alarm.Anchor>, _ now: Timestamp) throws {
        item.setMomentsOfLocalTimes(in: zone.current)
        let distance = item.hasChanges(\.dueDate) ? item.zoneDistance : nil
        item.zoneDistance = nil
        if item.isRestored {
            try restore(item, now)
        } else {
            try update(item, movedBy: distance, otherAlarms, now)
        }
        item.isReplayed = false
        // If the save fails, `earliest` may be too early. The next check corrects that.
        if let known = earliest, let next = item.nextAlertDate { earliest = min(known, next) }
    }

    /// Keeps the alert time that was copied with the item if it is valid with the settings here.
    private func restore(_ item: ToDo, _ now: Timestamp) throws {
        let state = item.alertState(planner.settings)
        var corrected = state
        if corrected.forgetAlertsSentEarly(at: now) { try saveClockMark(.never) }
        if let next = state.next, planner.next(of: state, after: next - Self.instant) == next { return }
        let next = planner.next(of: state, after: now)
        if item.nextAlertDate != next { item.nextAlertDate = next }
    }

    private func update(
        _ item: ToDo, movedBy distance: Double?, _ otherAlarms: Set<Alarm.Anchor>, _ now: Timestamp
    ) throws {
        item.endVoidSnooze(isMovedByZone: distance != nil)
        if let distance { item.moveAlertRecords(by: distance) }
        let isDueSet = distance == nil && item.hasChanges(\.dueDate, \.dueLocal)
        // These changes show that the user knows which alert times are in the past.
        let isSet =
            item.isInserted || !otherAlarms.isEmpty || isDueSet || item.isStartSet
            || item.hasChanges(\.completed, \.doNotAlert)
        // A nag that is due is sent even if other properties of the item have changed since.
        guard
            isSet || distance != nil
                || item.hasChanges(\.startDate, \.snoozedUntil, \.alertedUpTo, \.nextAlertDate)
        else { return }
        // With another due time the alerts start again, even if one of its alert times is also one of the old due time.
        if !item.isInserted, isDueSet { item.alertedUpTo = nil }
        var state = item.alertState(planner.settings)
        let isReopened = item.hasChanges(\.completed) && !item.completed
        if item.isReplayed {
            // The user has seen the alerts that were sent before the undo or redo.
            if let last = state.lastAlert, last <= now { state.endAlertTimes(upTo: last, due: state.due) }
        } else if isReopened, !item.isInserted {
            state.forgetSentAlerts()
        } else if otherAlarms.contains(.due), !item.isInserted {
            state.forgetAlertsOfLeads()
        }
        if isSet {
            // The item may have been completed or muted when the clock was set back.
            _ = state.forgetAlertsSentEarly(at: now)
            if state.recordPastAlerts(at: now) { try saveClockMark(now) }
        }
        state.next = planner.next(of: state, after: now)
        item.apply(state)
    }

    // MARK: - Records of alerts

    /// Records, in one save, that alerts were sent or skipped.
    ///
    /// - Parameters:
    ///   - moment: the latest time at which an alert was sent or skipped.
    ///   - newState: returns the new state of an item, made from the state that was read.
    package func record(
        _ entries: [AlertRows.Entry], at moment: Timestamp,
        _ newState: (AlertRows.Entry) -> AlertState
    ) throws {
        do {
            guard needsClockMark(at: moment) else { return try rows.write(entries, newState) }
            try context.coordinator.batch {
                try saveClockMark(moment)
                try rows.write(entries, newState)
            }
        } catch {
            isClockMarkSaved = false
            throw error
        }
    }

    /// Whether the store records alerts that were sent or skipped at a time that is still in the future.
    ///
    /// This happens if the clock was set back. The items are read only if the time of the last records is in the future
    /// or is not stored.
    package func wasClockAhead(at now: Timestamp) throws -> Bool {
        let text = context.coordinator.store?.metadata.entries[Self.clockKey]
        clockMark = text.flatMap { Double($0) }.map { Timestamp(secondsSince1970: $0) }
        if let clockMark, clockMark <= now { return false }
        return try rows.haveAlerts(after: now + AlertPlanner.grace, now: now)
    }

    /// Records that no alert was sent or skipped at a time that is in the future, if the store does not show it.
    ///
    /// Without this record, the next start reads all items.
    package func recordClock(at now: Timestamp) throws {
        if let clockMark, clockMark <= now { return }
        try write("\(now.secondsSince1970)", of: Self.clockKey)
        clockMark = now
    }

    private func needsClockMark(at moment: Timestamp) -> Bool {
        // Without a stored time, the next start reads all items.
        guard let clockMark else { return false }
        return moment > clockMark + AlertPlanner.grace || !isClockMarkSaved
    }

    /// Saves the time of alerts that are about to be recorded, at most once in `AlertPlanner.grace`.
    private func saveClockMark(_ moment: Timestamp) throws {
        guard let mark = clockMark, needsClockMark(at: moment) else { return }
        let latest = max(mark, moment)
        try context.coordinator.reserveStores()
        try write("\(latest.secondsSince1970)", of: Self.clockKey)
        clockMark = latest
        isClockMarkSaved = true
    }

    // MARK: - When the settings change

    /// Whether an older version of todod computed the stored alert times.
    ///
    /// That version recorded an alert at the default lead time as one that was sent at the due time.
    package var areOfOneLead: Bool {
        context.coordinator.store?.metadata.entries[Self.metadataKey].map(AlertSettings.isOfOneLead) ?? false
    }

    /// Applies new settings.
    ///
    /// - Returns: whether the stored alert times depend on the changed settings. If so, call `refresh` until all items
    ///   are updated.
    package func apply(_ settings: AlertSettings) -> Bool {
        planner.settings = settings
        return !areAlertTimesCurrent
    }

    private var areAlertTimesCurrent: Bool {
        context.coordinator.store?.metadata.entries[Self.metadataKey] == planner.settings.alertTimesKey
    }

    /// Computes and saves the alert times of a batch of items with an ID greater than `id`.
    ///
    /// - Parameter whenSentEarly: set if the clock was set back. Alerts with a time that is now in the future count as
    ///   unsent again. The closure is called with these items in their new state.
    /// - Returns: the last ID of the batch, or `nil` if all items are updated, which is then recorded in the store.
    package func refresh(
        after id: Int64, whenSentEarly: (([AlertRows.Entry]) -> Void)? = nil
    ) throws -> Int64? {
        // The old settings may apply again before all items are updated. The entry of an older todod stays until then.
        // No current settings match it, and a daemon that starts in between must recognize it.
        if !areAlertTimesCurrent, !areOfOneLead { try write(nil, of: Self.metadataKey) }
        let request = ToDo.where {
            !$0.completed && !$0.doNotAlert && $0.id > id
                && ($0.dueDate != nil || $0.nextAlertDate != nil || $0.alarms.count > 0)
        }.ordered(by: \.id).limit(Self.itemsPerBatch)
        let entries = try rows.entries(request, settings: planner.settings)
        let now = now()
        var moved: [AlertRows.Entry] = []
        var sentEarly: [AlertRows.Entry] = []
        for var entry in entries where entry.state.isFinite {
            let isEarly = whenSentEarly != nil && entry.state.forgetAlertsSentEarly(at: now)
            let next = planner.renewedNext(of: entry.state, at: now)
            guard isEarly || next != entry.state.next else { continue }
            entry.state.next = next
            if isEarly { sentEarly.append(entry) } else { moved.append(entry) }
        }
        earliest = nil
        try rows.writeAlertTimes(of: moved)
        if !sentEarly.isEmpty {
            try rows.write(sentEarly) { $0.state }
            whenSentEarly?(sentEarly)
        }
        if let last = entries.last?.itemID, entries.count == Self.itemsPerBatch { return last }
        if !areAlertTimesCurrent { try write(planner.settings.alertTimesKey, of: Self.metadataKey) }
        return nil
    }

    /// Writes a metadata entry of the store, or removes it if `text` is `nil`.
    private func write(_ text: String?, of key: String) throws {
        guard let store = context.coordinator.store else { return }
        var entries = store.metadata.entries
        guard entries[key] != nil || text != nil else { return }
        entries[key] = text
        try store.setMetadataEntries(entries)
    }
}

extension Timestamp {
    /// A time that is later than any other.
    package static let never = Timestamp(secondsSince1970: .greatestFiniteMagnitude)
}
