internal import CLibical
internal import CivilTime

// The rule of a task, and the time from which it counts.

extension ICalendarReader {
    /// The end of the remark about a rule that cannot be moved from the start to the due time.
    static let usesRuleOfStart = "the rule of its start (DTSTART) is used for its due time"

    mutating func takeRecurrence(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        item.recurrenceStart = task.own("X-TODOD-RECURRENCE-START").flatMap(moment)
        let rule = task.ruleText
        if task.count(ICAL_EXRULE_PROPERTY) > 0 {
            remarks.append(remark("'\(item.name)': its EXRULE is not used"))
        }
        if task.count(ICAL_RRULE_PROPERTY) > 1 {
            remarks.append(remark("'\(item.name)': of several rules the first is kept"))
        }
        // Without a rule, the first time and the added times are all.
        let single = task.count(ICAL_RDATE_PROPERTY) > 0 && item.due != nil ? "FREQ=DAILY;COUNT=1" : nil
        guard let text = ownRule(of: task, item) ?? rule ?? single else { return }
        // An item of todod can have a rule without a due time. Its export has no RRULE.
        guard item.due != nil || rule == nil else {
            return remarks.append(remark("'\(item.name)' does not repeat: it has a rule but no time"))
        }
        do throws(RecurrenceError) {
            item.recurrence = try RecurrenceRule(text)
        } catch {
            return remarks.append(remark("'\(item.name)' does not repeat: \(error.reason)"))
        }
        if case .date(let date)? = item.localDue, item.recurrence?.isOfDays == false {
            let time = CivilDateTime(date, secondOfDay: defaultTime)
            item.setDue(.moment(zone.moment(of: time)), in: zone)
            item.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
            return remarks.append(
                remark("'\(item.name)': its rule needs a time of day, and \(time.text.suffix(5)) is used"))
        }
        if let due = item.localDue {
            item.timeZone = nil
            item.recurrence = item.recurrence?.withLocalEnd(in: zone, isDate: due.isDate)
        } else {
            item.timeZone =
                zoneName(task, ICAL_DUE_PROPERTY) ?? zoneName(task, ICAL_DTSTART_PROPERTY) ?? item.timeZone
                ?? (isInUTC(task) && task.own("X-TODOD-CLOCK") != "LOCAL" ? TimeZoneRules.utc.name : nil)
        }
        takeStart(task, into: &item, remark)
    }

    /// Returns the rule that only todod understands, or `nil` if there is none or RRULE has changed since the export.
    private func ownRule(of task: ICalendarTask, _ item: ExchangeItem) -> String? {
        guard let own = task.own("X-TODOD-RRULE") else { return nil }
        guard let written = task.ruleText, let rule = try? RecurrenceRule(own),
            let start = ruleMoment(task, ICAL_DTSTART_PROPERTY, of: item),
            let due = task.own(ICalendarWriter.ownRuleDue).flatMap({ time(of: icaltime_from_string($0)) })
                .map({ item.ruleMoment(of: $0, in: zone) }) ?? ruleMoment(task, ICAL_DUE_PROPERTY, of: item)
        else { return own }
        let exported = rule.exported(
            done: item.occurrencesDone ?? 0, from: start, to: due,
            in: rules(task, ICAL_DUE_PROPERTY) ?? .utc, isLocal: item.localDue != nil)
        return (try? RecurrenceRule(exported)) == (try? RecurrenceRule(written)) ? own : nil
    }

    /// Whether the times of the task, and so those of its rule, are in UTC.
    private func isInUTC(_ task: ICalendarTask) -> Bool {
        [ICAL_DUE_PROPERTY, ICAL_DTSTART_PROPERTY].contains { kind in
            task.time(kind).map { icaltime_is_utc($0) != 0 } ?? false
        }
    }

    /// Sets the time from which the rule of an item counts.
    ///
    /// The rule of a task applies to its start times. Each due time is as long after its start as the first one, so the
    /// rule of the due times counts from the first due time. In an export of todod, DTSTART is the first due time.
    private mutating func takeStart(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        guard let rule = item.recurrence, let due = item.ruleDue,
            let start = ruleMoment(task, ICAL_DTSTART_PROPERTY, of: item)
        else {
            item.recurrenceStart =
                item.recurrenceStart ?? startInOmittedHour(of: item, task, ICAL_DUE_PROPERTY)
            return
        }
        if let own = item.recurrenceStart {
            item.recurrenceStart = own > due ? own : start
            return
        }
        let clock = item.localDue == nil ? item.timeZone.flatMap(zones.zone) ?? zone : .utc
        if item.localDue?.isDate == true, start > due, let time = calendarTime(task, ICAL_DTSTART_PROPERTY),
            let end = item.due, time.firstMoment(in: zone) <= end
        {
            // The time of a start on the due date has no counterpart in a rule of dates.
            item.recurrenceStart = due
            return item.setStart(time, in: zone)
        }
        guard start < due, let first = clock.civil(at: start), let last = clock.civil(at: due) else {
            item.recurrenceStart = startInOmittedHour(of: item, task, ICAL_DTSTART_PROPERTY) ?? start
            return
        }
        item.recurrenceStart = startInOmittedHour(of: item, task, ICAL_DUE_PROPERTY) ?? due
        item.setStart(calendarTime(task, ICAL_DTSTART_PROPERTY), in: zone)
        guard let delayed = rule.delayed(from: first, to: last, in: clock) else {
            return remarks.append(remark("'\(item.name)': \(Self.usesRuleOfStart)"))
        }
        item.recurrence = item.localDue.map { delayed.withLocalEnd(in: clock, isDate: $0.isDate) } ?? delayed
    }

    /// Returns the moment with which the rule of an item counts the time of a property.
    func ruleMoment(
        _ task: ICalendarTask, _ kind: icalproperty_kind, of item: ExchangeItem
    ) -> Timestamp? {
        guard item.localDue != nil else { return moment(task, kind) }
        return calendarTime(task, kind).map { item.ruleMoment(of: $0, in: zone) }
    }

    /// Returns the time from which the rule counts if a change of the clocks skips the time of a property, or `nil`
    /// otherwise.
    private func startInOmittedHour(
        of item: ExchangeItem, _ task: ICalendarTask, _ kind: icalproperty_kind
    ) -> Timestamp? {
        guard let rule = item.recurrence, item.localDue == nil, let first = moment(task, kind),
            let time = task.time(kind), time.is_date == 0, icaltime_is_utc(time) == 0
        else { return nil }
        let second = Int(time.hour) * 3_600 + Int(time.minute) * 60 + min(Int(time.second), 59)
        let start = rule.start(first: first, at: second, in: item.timeZone.flatMap(zones.zone) ?? zone)
        return start == first ? nil : start
    }
}
