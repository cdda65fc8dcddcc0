internal import CivilTime
internal import ObjectStore

extension ToDo {
    /// What the rule needs to know of this item.
    package func alertState(_ settings: AlertSettings) -> AlertState {
        let own = alarms.map { AlertState.Lead(offset: Double($0.offset), toldForDue: $0.toldForDue) }
        var state =
            own.isEmpty
            ? AlertState(due: dueDate, defaultLeads: settings.defaultLeads, alertedTo: alertedTo)
            : AlertState(due: dueDate, leads: own)
        state.snoozedUntil = snoozedUntil
        state.lastAlert = lastAlertDate
        state.isSilent = completed || doNotAlert
        state.isCategoryMuted = category?.doNotAlert ?? false
        state.next = nextAlertDate
        return state
    }

    /// Takes over what changes when an item is told. The state has to come from this item as it is now.
    package func take(_ state: AlertState) {
        snoozedUntil = state.snoozedUntil
        lastAlertDate = state.lastAlert
        nextAlertDate = state.next
        let alarms = Array(alarms)
        if alarms.isEmpty { alertedTo = state.alertedTo }
        for (alarm, lead) in zip(alarms, state.leads) { alarm.toldForDue = lead.toldForDue }
    }

    /// An item that is done, or that has just got another due time, is not snoozed any more.
    func endVoidSnooze() {
        if isRestored { return }
        let changes = changedProperties
        let isMoved = changes.contains("dueDate") && !changes.contains("snoozedUntil") && !keepsSnooze
        if completed || isMoved { snoozedUntil = nil }
    }

    /// Makes these the lead times of the item, in seconds; none means the default ones. The alerts of new ones are all to be
    /// sent; if it has these already, nothing changes.
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
