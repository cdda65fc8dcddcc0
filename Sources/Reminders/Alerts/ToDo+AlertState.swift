internal import CivilTime
internal import ObjectStore

extension ToDo {
    /// Returns the state of this item for `AlertPlanner`.
    package func alertState(_ settings: AlertSettings) -> AlertState {
        let own = alarms.map { AlertState.Lead(offset: Double($0.offset), alertedDueDate: $0.alertedDueDate) }
        var state =
            own.isEmpty
            ? AlertState(due: dueDate, defaultLeads: settings.defaultLeads, alertedUpTo: alertedUpTo)
            : AlertState(due: dueDate, leads: own)
        if let local = dueLocal.flatMap(LocalTime.init) { state.setLocalDue(local, settings) }
        state.snoozedUntil = snoozedUntil
        state.lastAlert = lastAlertDate
        state.isSilent = completed || doNotAlert
        state.isCategoryMuted = category?.doNotAlert ?? false
        state.next = nextAlertDate
        return state
    }

    /// Sets the properties that change when an alert is sent or skipped.
    ///
    /// The state must be made from the current values of this item.
    package func apply(_ state: AlertState) {
        snoozedUntil = state.snoozedUntil
        lastAlertDate = state.lastAlert
        nextAlertDate = state.next
        let alarms = Array(alarms)
        if alarms.isEmpty { alertedUpTo = state.alertedUpTo }
        for (alarm, lead) in zip(alarms, state.leads) { alarm.alertedDueDate = lead.alertedDueDate }
    }

    /// Sets the moments that dates and floating times mean in a time zone, and `zoneDistance`.
    func setMomentsOfLocalTimes(in zone: TimeZoneRules) {
        if let due = dueLocal.flatMap(LocalTime.init)?.moment(in: zone), dueDate != due {
            if !isInserted, !hasChanges(\.dueLocal), let dueDate { zoneDistance = due - dueDate }
            dueDate = due
        }
        if let start = startLocal.flatMap(LocalTime.init)?.firstMoment(in: zone), startDate != start {
            startDate = start
        }
    }

    /// Moves the record of sent alerts along with a due time that another time zone has moved.
    func moveAlertRecords(by seconds: Double) {
        alertedUpTo = alertedUpTo.map { $0 + seconds }
        for alarm in alarms { alarm.alertedDueDate = alarm.alertedDueDate.map { $0 + seconds } }
    }

    /// Ends the snooze of an item that is completed or has just been given another due time.
    ///
    /// - Parameter isMovedByZone: whether only another time zone has changed the moment of the due time.
    func endVoidSnooze(isMovedByZone: Bool) {
        if isRestored { return }
        let isMoved = hasChanges(\.dueDate) && !isMovedByZone && !hasChanges(\.snoozedUntil) && !keepsSnooze
        if completed || isMoved { snoozedUntil = nil }
    }

    /// Replaces the item's own lead times, in seconds.
    ///
    /// With none, the default lead times apply. All alerts for the new lead times are to be sent. If the item has these
    /// lead times already, nothing changes.
    package func setLeads(_ offsets: [Int32]) throws {
        guard Set(alarms.map(\.offset)) != Set(offsets) else { return }
        for alarm in try alarms.all() { try context?.delete(alarm) }
        for offset in Set(offsets).sorted(by: >) {
            guard let alarm = try context?.insert(Alarm.self) else { return }
            alarm.offset = offset
            alarm.toDo = self
        }
    }
}
