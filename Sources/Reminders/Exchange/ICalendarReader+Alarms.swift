internal import CLibical
internal import CivilTime

extension ICalendarReader {
    /// Sets the lead times and the alerts.
    mutating func takeAlarms(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        let own = { (name: String) in
            (task.own(name) ?? "").split(separator: "/").compactMap { Int32($0) }
        }
        var leads = Set(own(ICalendarWriter.ownLeads).map(Int.init))
        var alerts = Set(own(ICalendarWriter.ownStartLeads).map(AlarmTime.beforeStart))
        let hasOwn = !leads.isEmpty || !alerts.isEmpty
        for _ in 0..<task.placeAlarmCount {
            remarks.append(remark("'\(item.name)': an alarm for a place is omitted"))
        }
        for trigger in task.triggers {
            guard let time = alarmTime(of: trigger, task, item) else {
                // The item has its lead time already.
                if item.due == nil, hasOwn { continue }
                let reason =
                    item.due == nil
                    ? "an alarm without a due time" : "an alarm more than 68 years away from the due time"
                remarks.append(remark("'\(item.name)': \(reason) is omitted"))
                continue
            }
            if case .beforeDue(let lead) = time { leads.insert(Int(lead)) } else { alerts.insert(time) }
        }
        let limit = ReminderModel.alarmsLimit
        let omitted = max(0, leads.count - limit) + max(0, alerts.count - limit)
        if omitted > 0 {
            remarks.append(
                remark("'\(item.name)': \(omitted) of its alarms are omitted: an item has at most \(limit)"))
        }
        // Those that are nearest to the due time stay.
        item.leads = Array(leads.sorted(by: >).suffix(limit))
        item.alerts = Array(alerts.sorted().prefix(limit))
    }

    /// Returns the time of an alarm, or `nil` if the task has no time from which it is counted.
    private func alarmTime(
        of trigger: ICalendarTask.Trigger, _ task: ICalendarTask, _ item: ExchangeItem
    ) -> AlarmTime? {
        switch trigger.own.flatMap(AlarmTime.init) {
        case .beforeStart(let seconds)? where item.start != nil && !trigger.isMoved:
            return .beforeStart(seconds)
        case .moment?:
            // An alarm that todod has set for a moment stays at a moment when another program moves it.
            if let moment = trigger.moment.flatMap({ self.moment(of: $0, nil) }) { return .moment(moment) }
        default: break
        }
        let isDate = item.localDue?.isDate == true
        let due = isDate ? item.localDue?.firstMoment(in: zone) : item.due
        if let written = trigger.moment {
            guard let moment = moment(of: written, nil) else { return nil }
            // The alarm of a repeating task belongs to each occurrence. Some programs write the due time as a moment.
            guard let due, item.recurrence != nil || moment == due else { return .moment(moment) }
            return lead(Int((due - moment).rounded()), isDate: isDate)
        }
        if trigger.isFromStart, item.start != nil, item.recurrence == nil || due == nil {
            let base = item.localStart?.isDate == true ? defaultTime : 0
            return Int32(exactly: base - trigger.seconds).map { .beforeStart($0) }
        }
        guard let due else { return nil }
        let from = trigger.isFromStart ? moment(task, ICAL_DTSTART_PROPERTY) ?? due : due
        return lead(Int((due - from).rounded()) - trigger.seconds, isDate: isDate)
    }

    private func lead(_ seconds: Int, isDate: Bool) -> AlarmTime? {
        Int32(exactly: seconds + (isDate ? defaultTime : 0)).map { .beforeDue($0) }
    }
}
