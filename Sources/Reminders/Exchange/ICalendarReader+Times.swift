internal import CLibical
internal import CivilTime

// The times of a task: moments, dates and floating times.

extension ICalendarReader {
    /// Returns messages about times that may not be read as intended.
    func doubts(aboutTimesOf task: ICalendarTask) -> [String] {
        var doubts: [String] = []
        for (kind, name) in [(ICAL_DUE_PROPERTY, "DUE"), (ICAL_DTSTART_PROPERTY, "DTSTART")] {
            guard moment(task, kind) != nil else {
                if task.hasUnreadable(kind, name) {
                    doubts.append("its \(name) is not a time, and is omitted")
                }
                continue
            }
            if let zone = task.zoneName(kind), task.time(kind)?.zone == nil, zones.zone(named: zone) == nil {
                doubts.append(
                    "the time zone '\(zone)' is unknown; its \(name) is read in the local time zone")
            }
        }
        return doubts
    }

    func moment(_ task: ICalendarTask, _ kind: icalproperty_kind) -> Timestamp? {
        let named = rules(task, kind)
        guard let moment = task.time(kind).flatMap({ moment(of: $0, named) }) else { return nil }
        let ownName = kind == ICAL_DUE_PROPERTY ? "X-TODOD-DUE" : "X-TODOD-DTSTART"
        guard kind == ICAL_DUE_PROPERTY || kind == ICAL_DTSTART_PROPERTY,
            let exact = task.own(ownName).flatMap(self.moment),
            let named, named.civil(at: exact) == named.civil(at: moment)
        else { return moment }
        return exact
    }

    /// Returns the time in a property of todod.
    func moment(_ text: String) -> Timestamp? { moment(of: icaltime_from_string(text), nil) }

    /// Returns the end of a task.
    ///
    /// Without a due time, this is its start plus its duration, if it has one.
    func due(of task: ICalendarTask) -> Timestamp? {
        if let due = moment(task, ICAL_DUE_PROPERTY) { return due }
        return moment(task, ICAL_DTSTART_PROPERTY).map { $0 + Double(max(0, task.duration ?? 0)) }
    }

    /// Returns the start of a task to which todod has given a start of its own, or `nil` if it has not.
    func ownStart(of task: ICalendarTask) -> CalendarTime? {
        guard let own = task.own(ICalendarWriter.ownStart).flatMap({ time(of: icaltime_from_string($0)) })
        else { return nil }
        // DTSTART of a repeating task is its first due time. Otherwise another program may have moved DTSTART.
        return task.ruleText == nil ? calendarTime(task, ICAL_DTSTART_PROPERTY) ?? own : own
    }

    /// Returns the start of a task that has no due time, or `nil` if DTSTART is the due time.
    ///
    /// In a file, DTSTART alone is the due time, as some programs and earlier versions write it.
    func start(ofTaskWithoutDue task: ICalendarTask) -> CalendarTime? {
        guard use == .list, task.time(ICAL_DUE_PROPERTY) == nil, task.duration == nil, task.ruleText == nil
        else { return nil }
        return calendarTime(task, ICAL_DTSTART_PROPERTY)
    }

    /// Returns the start of a task that does not repeat, if it is before the end.
    func start(of task: ICalendarTask, before due: Timestamp?) -> CalendarTime? {
        guard let due, task.time(ICAL_DUE_PROPERTY) != nil || (task.duration ?? 0) > 0, task.ruleText == nil,
            let start = calendarTime(task, ICAL_DTSTART_PROPERTY)
        else { return nil }
        return start == calendarTime(task, ICAL_DUE_PROPERTY) || start.firstMoment(in: zone) > due
            ? nil : start
    }

    /// Returns a time in a property of todod.
    func time(of time: icaltimetype) -> CalendarTime? {
        guard let civil = civil(of: time) else { return nil }
        if icaltime_is_utc(time) != 0 { return .moment(TimeZoneRules.utc.moment(of: civil)) }
        return .local(time.is_date != 0 ? .date(civil.date) : .floating(civil))
    }

    /// Returns the end of a task if it is a date or a floating time.
    func localDue(of task: ICalendarTask) -> LocalTime? {
        if task.time(ICAL_DUE_PROPERTY) != nil { return local(task, ICAL_DUE_PROPERTY) }
        guard let start = local(task, ICAL_DTSTART_PROPERTY) else { return nil }
        guard let duration = task.duration, duration > 0 else { return start }
        return TimeZoneRules.utc.civil(at: start.momentInUTC + Double(duration)).map(start.moved)
    }

    /// Returns the time of a property.
    func calendarTime(_ task: ICalendarTask, _ kind: icalproperty_kind) -> CalendarTime? {
        CalendarTime(moment: moment(task, kind), local: local(task, kind))
    }

    /// Returns the time of a property if it is a date or has no time zone.
    func local(_ task: ICalendarTask, _ kind: icalproperty_kind) -> LocalTime? {
        guard let time = task.time(kind), icaltime_is_utc(time) == 0, let civil = civil(of: time) else {
            return nil
        }
        if time.is_date != 0 { return .date(civil.date) }
        return task.zoneName(kind) == nil && time.zone == nil ? .floating(civil) : nil
    }

    func civil(of time: icaltimetype) -> CivilDateTime? {
        guard let date = CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)) else {
            return nil
        }
        if time.is_date != 0 { return CivilDateTime(date, secondOfDay: 0) }
        return CivilDateTime(
            date, hour: Int(time.hour), minute: Int(time.minute), second: min(Int(time.second), 59))
    }

    /// Returns the time zone that a time of the task names, or `nil` if this machine does not know it.
    func rules(_ task: ICalendarTask, _ kind: icalproperty_kind) -> TimeZoneRules? {
        guard let name = task.zoneName(kind) else { return nil }
        return zones.zone(named: name) ?? task.zoneLocation(kind).flatMap(zones.zone)
    }

    /// Returns the name of that time zone, or the name in the file if this machine does not know it.
    func zoneName(_ task: ICalendarTask, _ kind: icalproperty_kind) -> String? {
        rules(task, kind)?.name ?? task.zoneName(kind)
    }

    /// Returns the moment of a time.
    ///
    /// The time is in UTC, in the zone that it names, in a zone that the file describes, or in the default zone.
    func moment(of time: icaltimetype, _ named: TimeZoneRules?) -> Timestamp? {
        guard let civil = civil(of: time) else { return nil }
        if time.is_date != 0 { return zone.moment(of: civil) }
        if icaltime_is_utc(time) != 0 { return TimeZoneRules.utc.moment(of: civil) }
        if let named { return named.moment(of: civil) }
        if let described = time.zone {
            let seconds = icaltime_as_timet_with_zone(time, described)
            return Timestamp(secondsSince1970: Double(seconds))
        }
        return zone.moment(of: civil)
    }
}
