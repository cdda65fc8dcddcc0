internal import CivilTime
internal import ObjectStore

extension ToDo {
    /// Returns the state of this item for `AlertPlanner`.
    package func alertState(_ settings: AlertSettings) -> AlertState {
        var state = AlertState(
            due: dueDate, defaultLeads: settings.defaultLeads, alertedUpTo: alertedUpTo)
        for alarm in alarms { state.append(alarm.time, alertedFor: alarm.alertedDueDate) }
        state.setStart(startDate, local: startLocal.flatMap(LocalTime.init), settings)
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
        let leads = alarms.filter { $0.time.isLead }
        if leads.isEmpty { alertedUpTo = state.alertedUpTo }
        for (alarm, lead) in zip(leads, state.leads) { alarm.alertedDueDate = lead.alertedDueDate }
        for (alarm, new) in zip(alarms.filter { !$0.time.isLead }, state.alarms) {
            alarm.alertedDueDate = new.alertedFor
        }
    }

    /// Records that the user has seen all alerts that were sent.
    package func acknowledge() {
        guard let last = lastAlertDate, acknowledgedDate.map({ $0 < last }) ?? true else { return }
        acknowledgedDate = last
    }

    /// Sets the moments that dates and floating times mean in a time zone, and `zoneDistance`.
    func setMomentsOfLocalTimes(in zone: TimeZoneRules) {
        if let due = dueLocal.flatMap(LocalTime.init)?.moment(in: zone), dueDate != due {
            if !isInserted, !hasChanges(\.dueLocal), let dueDate { zoneDistance = due - dueDate }
            dueDate = due
        }
        if let start = startLocal.flatMap(LocalTime.init)?.firstMoment(in: zone), startDate != start {
            if !isInserted, !hasChanges(\.startLocal) {
                // The alerts that were sent for the start stay sent.
                for alarm in alarms where alarm.anchor == .start && alarm.alertedDueDate == startDate {
                    alarm.alertedDueDate = start
                }
            }
            startDate = start
        }
    }

    /// Whether the start was set, and not only moved by another time zone.
    var isStartSet: Bool { hasChanges(\.startLocal) || startLocal == nil && hasChanges(\.startDate) }

    /// Moves the record of sent alerts along with a due time that another time zone has moved.
    func moveAlertRecords(by seconds: Double) {
        alertedUpTo = alertedUpTo.map { $0 + seconds }
        for alarm in alarms where alarm.time.isLead {
            alarm.alertedDueDate = alarm.alertedDueDate.map { $0 + seconds }
        }
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
        let present = try alarms.all().filter(\.time.isLead)
        guard Set(present.map(\.offset)) != Set(offsets) else { return }
        for alarm in present { try context?.delete(alarm) }
        for offset in Set(offsets).sorted(by: >) {
            guard let alarm = try context?.insert(Alarm.self) else { return }
            alarm.offset = offset
            alarm.toDo = self
        }
    }

    /// Replaces the alarms that the item has in addition to its lead times. Those that stay keep the records of their alerts.
    package func setAlarmTimes(_ times: [AlarmTime]) throws {
        let present = try alarms.all().filter { !$0.time.isLead }
        for alarm in present where !times.contains(alarm.time) { try context?.delete(alarm) }
        for time in Set(times).subtracting(present.map(\.time)).sorted() {
            guard let alarm = try context?.insert(Alarm.self) else { return }
            alarm.time = time
            alarm.toDo = self
        }
    }

    /// The item's own lead times in seconds, the longest first.
    package var leads: [Int32] { alarms.filter(\.time.isLead).map(\.offset).sorted(by: >) }

    /// The times of the alarms in addition to the lead times, in order.
    package var alarmTimes: [AlarmTime] { alarms.map(\.time).filter { !$0.isLead }.sorted() }
}
