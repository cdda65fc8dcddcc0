package import CivilTime

/// The due time of an item and the rule by which it repeats.
package struct Schedule: Hashable, Sendable {
    /// The due time, or the moment that `localDue` means in the time zone of the daemon.
    package fileprivate(set) var due: Timestamp?
    /// The date or the floating time at which the item is due, or `nil` for a moment.
    ///
    /// The times of the rule then have no time zone. They are counted as if the clock showed UTC.
    package fileprivate(set) var localDue: LocalTime?
    /// The time before which lists omit the item. It keeps its distance to the due time of a repeating item.
    package var start: CalendarTime?
    /// The rule, or `nil` if the item does not repeat.
    ///
    /// The properties below are then unused.
    package var rule: RecurrenceRule?
    /// The time from which the rule counts, or `nil` for the due time. It is in UTC if `localDue` is set.
    package var ruleStart: Timestamp?
    /// The number of occurrences that have passed.
    package var passed: Int32 = 0
    /// Whether the next occurrence is counted from the completion of the item.
    package var isAfterDone = false
    /// The occurrences that the rule has and the item does not, and those that only the item has, as in `ToDo`.
    package var excludedDates: [String] = []
    package var addedDates: [String] = []
    /// The changed occurrences.
    package var occurrences: [OccurrenceValue] = []
    /// The IANA name of the time zone in which the times of day stay the same when the clocks change.
    package var timeZone: String?

    package init() {}

    /// Sets the due time, or removes it.
    package mutating func setDue(_ time: CalendarTime?, in zone: TimeZoneRules) {
        due = time?.moment(in: zone)
        localDue = time?.local
    }

    /// Whether the item is due on a date, or not at all.
    package var hasNoTime: Bool { due == nil || localDue?.isDate == true }

    /// Whether the item has a next time.
    package var repeats: Bool { rule != nil && due != nil }

    /// The due time as the user sees it.
    package var dueTime: CalendarTime? { CalendarTime(moment: due, local: localDue) }

    /// Returns the schedule after the open time is completed at `moment`, or `nil` if it was the last one or the item
    /// does not repeat.
    ///
    /// - Parameter local: the time zone of a schedule that does not name one.
    package func done(at moment: Timestamp, in local: TimeZoneRules) -> Schedule? {
        series(in: local)?.done(at: clock(moment, in: local)).map { moved(to: $0, in: local) }
    }

    /// Returns the schedule after the open time is skipped at `moment`, or `nil` if it was the last one or the item
    /// does not repeat.
    package func skipped(at moment: Timestamp, in local: TimeZoneRules) -> Schedule? {
        series(in: local)?.skipped(at: clock(moment, in: local)).map { moved(to: $0, in: local) }
    }

    /// Returns the words for the rule, or `nil` if the item does not repeat.
    package func words(in local: TimeZoneRules) -> String? {
        rule?.words(due: ruleDue, in: ruleZone(in: local))
    }

    /// Returns the schedule with the same times of day in each time zone. A date stays a date.
    package func floating(in local: TimeZoneRules) -> Schedule {
        guard localDue == nil, let due else { return self }
        let zone = ruleZone(in: local)
        let inUTC = { (moment: Timestamp) in zone.civil(at: moment).map(TimeZoneRules.utc.moment) }
        var schedule = self
        schedule.setDue(zone.civil(at: due).map { .local(.floating($0)) } ?? .moment(due), in: local)
        if case .moment(let moment)? = start, let civil = zone.civil(at: moment) {
            schedule.start = .local(.floating(civil))
        }
        schedule.ruleStart = ruleStart.flatMap(inUTC)
        schedule.timeZone = nil
        schedule.rule = rule?.withLocalEnd(in: zone, isDate: false)
        return schedule
    }

    /// Returns the schedule with the moments that its floating times mean in a time zone. A date stays a date.
    package func fixed(in local: TimeZoneRules) -> Schedule {
        guard case .floating(let civil)? = localDue else { return self }
        var schedule = self
        schedule.setDue(.moment(local.moment(of: civil)), in: local)
        if case .local(.floating(let civil))? = start { schedule.start = .moment(local.moment(of: civil)) }
        schedule.ruleStart = ruleStart.flatMap { TimeZoneRules.utc.civil(at: $0).map(local.moment) }
        schedule.timeZone = rule == nil || TimeZoneRules(named: local.name) == nil ? nil : local.name
        return schedule
    }

    /// The due time with which the rule is counted.
    package var ruleDue: Timestamp? { localDue?.momentInUTC ?? due }

    /// Returns the time zone in which the rule is counted.
    package func ruleZone(in local: TimeZoneRules) -> TimeZoneRules {
        localDue == nil ? timeZone.flatMap(TimeZoneRules.init(named:)) ?? local : .utc
    }

    private func series(in local: TimeZoneRules) -> Series? {
        guard let rule, let due = ruleDue else { return nil }
        var series = Series(
            rule, start: ruleStart ?? due, due: due, passed: Int(passed), isAfterDone: isAfterDone,
            in: ruleZone(in: local))
        series.single = singleTimes(in: local)
        return series
    }

    /// Returns the occurrences that the rule alone does not describe.
    func singleTimes(in local: TimeZoneRules) -> SingleTimes {
        let moment = { (text: String) in
            CalendarTime(basicText: text).map { ruleMoment(of: $0, in: local) }
        }
        var single = SingleTimes()
        single.excluded = Set(excludedDates.compactMap(moment))
        single.added = Set(addedDates.compactMap(moment))
        for occurrence in occurrences {
            guard let time = moment(occurrence.recurrenceID) else { continue }
            let due = occurrence.due.map { ruleMoment(of: $0, in: local) } ?? time
            single.changed[time] = .some(occurrence.isOver ? nil : due)
        }
        return single
    }

    /// Returns the moment with which the rule counts a time.
    package func ruleMoment(of time: CalendarTime, in local: TimeZoneRules) -> Timestamp {
        guard localDue != nil else { return time.moment(in: ruleZone(in: local)) }
        return time.local?.momentInUTC ?? clock(time.moment(in: local), in: local)
    }

    /// Returns the schedule at the open occurrence or, if the item has none at its due time, at the next one after it.
    ///
    /// - Parameter isNew: whether no occurrence was completed, so that the first one is open.
    /// - Returns: `nil` if no occurrence is left.
    package func atOpenOccurrence(in local: TimeZoneRules, isNew: Bool) -> Schedule? {
        guard let series = series(in: local), !series.single.isEmpty, !isAfterDone else { return self }
        let next: Series?
        if isNew {
            next = series.atFirstAmongSingleTimes()
        } else {
            let due = series.single.due(at: series.single.time(ofDue: series.due))
            next =
                due.flatMap { $0 <= series.due ? series.moved(to: $0, passing: 0) : nil }
                ?? series.skippedAmongSingleTimes(at: series.due)
        }
        guard let next, next.due != series.due else { return next == nil ? nil : self }
        return moved(to: next, in: local)
    }

    /// Returns the moment at which the times of the rule are compared with the clock.
    private func clock(_ moment: Timestamp, in local: TimeZoneRules) -> Timestamp {
        guard localDue != nil, let civil = local.civil(at: moment) else { return moment }
        return TimeZoneRules.utc.moment(of: civil)
    }

    /// Returns a time of the item or of a subtask after the schedule has moved to `next`.
    ///
    /// It keeps its distance to the due time: in days at the same time of day or, for a rule within the day, in seconds.
    package func moved(_ time: CalendarTime?, with next: Schedule, in local: TimeZoneRules) -> CalendarTime? {
        next.ruleDue.flatMap { moved(time, to: $0, keepsTimeOfDay: true, in: local) } ?? time
    }

    private func moved(
        _ time: CalendarTime?, to next: Timestamp, keepsTimeOfDay: Bool, in local: TimeZoneRules
    ) -> CalendarTime? {
        let zone = ruleZone(in: local)
        guard let time, let due = ruleDue, let former = zone.civil(at: due), let later = zone.civil(at: next)
        else {
            return time
        }
        let days = later.date.daysSince1970 - former.date.daysSince1970
        let seconds =
            keepsTimeOfDay
            ? days * CivilDateTime.secondsPerDay : later.secondsSince1970 - former.secondsSince1970
        let isWithinDay = rule?.stepWithinDay != nil
        switch time {
        case .local(let time):
            let distance =
                time.isDate
                ? Double(days * CivilDateTime.secondsPerDay) : isWithinDay ? next - due : Double(seconds)
            return TimeZoneRules.utc.civil(at: time.momentInUTC + distance).map {
                .local(time.moved(to: $0))
            }
        case .moment(let moment):
            if isWithinDay { return .moment(moment + (next - due)) }
            let clock = localDue == nil ? zone : local
            guard let civil = clock.civil(at: moment),
                let moved = CivilDateTime(secondsSince1970: civil.secondsSince1970 + seconds)
            else { return nil }
            return .moment(clock.moment(of: moved))
        }
    }

    /// Sets the start after the due time was set.
    ///
    /// A clock change that skips the start delays it. If it would be after the due time, it keeps its distance in seconds.
    package mutating func setStart(_ start: CalendarTime?, since former: Schedule) {
        self.start = start
        guard case .moment(let moment)? = start, let due, moment > due,
            case .moment(let first)? = former.start,
            let last = former.due, first <= last
        else { return }
        self.start = .moment(due + (first - last))
    }

    private func moved(to series: Series, in local: TimeZoneRules) -> Schedule {
        var schedule = self
        if let localDue, let civil = TimeZoneRules.utc.civil(at: series.due) {
            schedule.setDue(.local(localDue.moved(to: civil)), in: local)
        } else {
            schedule.setDue(.moment(series.due), in: local)
        }
        // An added time has its own time of day.
        let isAdded = [series.due, ruleDue].contains { $0.map(series.single.added.contains) ?? false }
        schedule.setStart(moved(start, to: series.due, keepsTimeOfDay: !isAdded, in: local), since: self)
        schedule.ruleStart = series.start
        schedule.passed = Int32(clamping: series.passed)
        return schedule
    }
}

extension ToDo {
    package var schedule: Schedule {
        get {
            var schedule = Schedule()
            schedule.due = dueDate
            schedule.localDue = dueLocal.flatMap(LocalTime.init)
            schedule.start = startTime
            schedule.rule = recurrence.map(RecurrenceRule.init(checked:))
            schedule.ruleStart = recurrenceStart
            schedule.passed = occurrencesDone
            schedule.isAfterDone = repeatFromCompletion
            schedule.timeZone = timeZone
            if recurrence != nil {
                (schedule.excludedDates, schedule.addedDates) = (excludedDates, addedDates)
            }
            return schedule
        }
        set {
            dueDate = newValue.due
            dueLocal = newValue.localDue?.text
            startLocal = newValue.start?.local?.text
            switch newValue.start {
            case nil: startDate = nil
            case .moment(let moment)?: startDate = moment
            case .local?: break  // The save sets the moment.
            }
            recurrence = newValue.rule?.text
            recurrenceStart = newValue.ruleStart
            occurrencesDone = newValue.passed
            repeatFromCompletion = newValue.isAfterDone
            timeZone = newValue.timeZone
        }
    }

    /// The due time as the user sees it.
    package var dueTime: CalendarTime? {
        CalendarTime(moment: dueDate, local: dueLocal.flatMap(LocalTime.init))
    }

    /// The start as the user sees it.
    package var startTime: CalendarTime? {
        CalendarTime(moment: startDate, local: startLocal.flatMap(LocalTime.init))
    }

    /// Moves a repeating item to another time.
    ///
    /// All alerts for this time are to be sent, and none of the work for it is done yet.
    package func move(to schedule: Schedule) {
        self.schedule = schedule
        snoozedUntil = nil
        percentComplete = 0
    }
}
