internal import CLibical
internal import CivilTime

// The occurrences of a repeating task that its rule does not describe: EXDATE, RDATE, and tasks with RECURRENCE-ID.

extension ICalendarReader {
    /// The most excluded, added or changed occurrences of an item.
    private static let occurrencesLimit = 1_000

    /// How the times of occurrences in a file become due times of the item's rule.
    private struct Clock {
        let zone: TimeZoneRules
        /// The number of seconds on the clock from a start to its due time.
        let delay: Int
        /// The time of day of the starts in the file, in seconds.
        let startSecond: Int
    }

    /// Sets the excluded, added and changed occurrences, and moves the item to its first open occurrence.
    mutating func takeOccurrences(
        of task: ICalendarTask, _ part: ICalendarPart, into item: inout ExchangeItem,
        _ remark: (String) -> Remark
    ) throws(Failure) {
        let changes = changedOccurrences[part.writtenValue("UID") ?? ""] ?? []
        guard item.recurrence != nil, let clock = clock(of: task, item) else {
            remarks += changes.map {
                Remark(
                    line: $0.line, text: "a changed time of '\(item.name)' is omitted, as it does not repeat")
            }
            return
        }
        item.excludedDates = texts("EXDATE", of: task, part, item, clock, remark)
        item.addedDates = texts("RDATE", of: task, part, item, clock, remark)
        for change in changes.prefix(Self.occurrencesLimit) {
            guard let value = try occurrence(change, of: item, clock) else { continue }
            if item.occurrences.contains(where: { $0.recurrenceID == value.recurrenceID }) {
                remarks.append(
                    Remark(
                        line: change.line,
                        text: "a second change of the same time of '\(item.name)' is omitted"))
            } else {
                item.occurrences.append(value)
            }
        }
        item.occurrences.sort { $0.recurrenceID < $1.recurrenceID }
        if changes.count > Self.occurrencesLimit {
            remarks.append(
                remark("'\(item.name)': changed times after the first \(Self.occurrencesLimit) are omitted"))
        }
        moveToOpenOccurrence(&item, remark)
    }

    /// Returns the clock of a task, or `nil` if it has no due time.
    private func clock(of task: ICalendarTask, _ item: ExchangeItem) -> Clock? {
        let zone = item.localDue == nil ? item.timeZone.flatMap(zones.zone) ?? zone : .utc
        guard let due = item.ruleDue, let last = zone.civil(at: due) else { return nil }
        // In a file of todod, the start is the first due time.
        guard task.own("X-TODOD-RECURRENCE-START") == nil,
            let start = ruleMoment(task, ICAL_DTSTART_PROPERTY, of: item), start < due,
            let first = zone.civil(at: start)
        else { return Clock(zone: zone, delay: 0, startSecond: last.secondOfDay) }
        let delay =
            item.localDue?.isDate == true
            ? (last.date.daysSince1970 - first.date.daysSince1970) * CivilDateTime.secondsPerDay
            : last.secondsSince1970 - first.secondsSince1970
        return Clock(zone: zone, delay: delay, startSecond: first.secondOfDay)
    }

    private mutating func moveToOpenOccurrence(_ item: inout ExchangeItem, _ remark: (String) -> Remark) {
        let isRuleAlone = item.excludedDates.isEmpty && item.addedDates.isEmpty && item.occurrences.isEmpty
        guard !item.isCompleted, !isRuleAlone else { return }
        var schedule = Schedule()
        schedule.setDue(CalendarTime(moment: item.due, local: item.localDue), in: zone)
        schedule.start = CalendarTime(moment: item.start, local: item.localStart)
        (schedule.rule, schedule.ruleStart, schedule.timeZone) = (
            item.recurrence, item.recurrenceStart, item.timeZone
        )
        schedule.passed = Int32(clamping: item.occurrencesDone ?? 0)
        (schedule.excludedDates, schedule.addedDates) = (item.excludedDates, item.addedDates)
        schedule.occurrences = item.occurrences
        // Other programs write the first time of the rule, also if it is moved or an added one is earlier. In a list, they move the
        // task to its open time, and leave the added times before it.
        let isNew = use == .file && !scanner.isOwn && schedule.passed == 0
        guard let open = schedule.atOpenOccurrence(in: zone, isNew: isNew) else {
            let dates = item.occurrences.compactMap(\.completedDate)
            item.isCompleted = true
            item.completedDate = dates.max()
            item.isCancelled = dates.isEmpty
            return
        }
        guard open != schedule else { return }
        item.setDue(open.dueTime, in: zone)
        item.setStart(open.start, in: zone)
        item.recurrenceStart = open.ruleStart ?? schedule.ruleDue
        if item.recurrence?.count != nil { item.occurrencesDone = Int(open.passed) }
    }

    // MARK: - Times

    /// Returns the due times of the rule that a property names, in the form in which the store has them.
    private mutating func texts(
        _ name: String, of task: ICalendarTask, _ part: ICalendarPart, _ item: ExchangeItem, _ clock: Clock,
        _ remark: (String) -> Remark
    ) -> [String] {
        let (times, invalid) = times(name, of: part, beside: task)
        if let invalid {
            remarks.append(
                remark("'\(item.name)': '\(invalid.prefix(60))' of its \(name) is not a time, and is omitted")
            )
        }
        let texts = Set(times.compactMap { text(of: $0, of: item, clock) }).sorted()
        guard texts.count > Self.occurrencesLimit else { return texts }
        remarks.append(
            remark(
                "'\(item.name)': the times of its \(name) after the first \(Self.occurrencesLimit) are omitted"
            ))
        return Array(texts.prefix(Self.occurrencesLimit))
    }

    /// Returns the times in a property, and the first value that is none.
    private func times(
        _ name: String, of part: ICalendarPart, beside task: ICalendarTask
    ) -> (times: [CalendarTime], invalid: String?) {
        var times: [CalendarTime] = []
        var invalid: String?
        for property in part.properties where property.component == nil && property.name == name {
            let zoneName = property.parameter("TZID")
            let isOfStart = zoneName == task.zoneName(ICAL_DTSTART_PROPERTY)
            let rules =
                zoneName.flatMap(zones.zone(named:))
                ?? (isOfStart ? rules(task, ICAL_DTSTART_PROPERTY) : nil) ?? zone
            for value in property.value?.split(separator: ",") ?? [] {
                // A period begins with its start.
                let text = String(value.split(separator: "/").first ?? "").filter { !$0.isWhitespace }
                switch CalendarTime(basicText: text) {
                case nil: invalid = invalid ?? text
                case .local(.floating(let civil))? where zoneName != nil:
                    times.append(.moment(rules.moment(of: civil)))
                case let time?: times.append(time)
                }
            }
        }
        return (times, invalid)
    }

    /// Returns the due time of an occurrence whose start is `time`, or `nil` outside of the years 1 to 9999.
    ///
    /// - Parameter isDue: whether `time` is already a due time.
    private func text(
        of time: CalendarTime, of item: ExchangeItem, _ clock: Clock, isDue: Bool = false
    ) -> String? {
        var civil: CivilDateTime?
        if case .local(.date(let date)) = time, item.localDue?.isDate != true {
            // A date beside a rule of times is the day of an occurrence.
            civil = CivilDateTime(date, secondOfDay: clock.startSecond)
        } else {
            civil = clock.zone.civil(at: item.ruleMoment(of: time, in: zone))
        }
        guard let civil,
            let due = CivilDateTime(secondsSince1970: civil.secondsSince1970 + (isDue ? 0 : clock.delay))
        else { return nil }
        if let local = item.localDue { return CalendarTime.local(local.moved(to: due)).basicText }
        return CalendarTime.moment(clock.zone.moment(of: due)).basicText
    }

    // MARK: - Changed occurrences

    /// Returns the occurrence that a task with RECURRENCE-ID describes, or `nil` if that is not a time.
    private mutating func occurrence(
        _ part: ICalendarPart, of item: ExchangeItem, _ clock: Clock
    ) throws(Failure) -> OccurrenceValue? {
        let calendar = try parse(part)
        defer { icalcomponent_free(calendar) }
        guard let component = icalcomponent_get_first_component(calendar, ICAL_VTODO_COMPONENT) else {
            return nil
        }
        let task = ICalendarTask(component)
        let remark = { (text: String) in Remark(line: part.line, text: text) }
        guard let time = times("RECURRENCE-ID", of: part, beside: task).times.first,
            let id = text(of: time, of: item, clock)
        else {
            remarks.append(
                remark("a changed time of '\(item.name)' is omitted: its RECURRENCE-ID is not a time"))
            return nil
        }
        let isRange = part.properties.contains {
            $0.name == "RECURRENCE-ID" && $0.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        }
        if isRange {
            remarks.append(
                remark("'\(item.name)': a change of all later times (RANGE) is imported for one time"))
        }
        var value = OccurrenceValue(recurrenceID: id)
        let name =
            task.exact("X-TODOD-SUMMARY", beside: task.text(ICAL_SUMMARY_PROPERTY))
            ?? task.text(ICAL_SUMMARY_PROPERTY)
        value.name = name.flatMap { $0 == item.name || !$0.isVisible ? nil : $0 }
        let notes = notes(task)
        value.notes = notes == item.notes ? nil : notes
        let priority = part.writtenValue("PRIORITY").flatMap { Int($0) }.map { min(max($0, 0), 9) }
        value.priority = priority == item.priority ? nil : priority
        takeTimes(of: task, id: time, into: &value, of: item, clock)
        value.isCancelled = task.text(ICAL_STATUS_PROPERTY) == "CANCELLED"
        let completed = moment(task, ICAL_COMPLETED_PROPERTY)
        if completed != nil || task.text(ICAL_STATUS_PROPERTY) == "COMPLETED" {
            value.completedDate =
                completed ?? moment(task, ICAL_LASTMODIFIED_PROPERTY)
                ?? CalendarTime(basicText: id)?.moment(in: zone)
        }
        let own = ICalendarWriter(
            now: Timestamp(secondsSince1970: 0), timeOfDates: defaultTime, use: use
        ).task(value, of: item)
        let result = ICalendarKeptText.parts(of: part.text, beside: own, skipping: [], keepsTimes: false)
        value.remainder = result.text.map { Array($0.utf8) }
        if !result.tooLarge.isEmpty {
            remarks.append(
                remark(
                    "'\(item.name)': \(Set(result.tooLarge).sorted().joined(separator: ", ")) of a changed time omitted, as it keeps at most \(ICalendarKeptText.bytesLimit) bytes"
                ))
        }
        return value
    }

    private func takeTimes(
        of task: ICalendarTask, id: CalendarTime, into value: inout OccurrenceValue, of item: ExchangeItem,
        _ clock: Clock
    ) {
        let start = calendarTime(task, ICAL_DTSTART_PROPERTY)
        let due = calendarTime(task, ICAL_DUE_PROPERTY)
        let dueText =
            due.map { text(of: $0, of: item, clock, isDue: true) }
            ?? start.map { text(of: $0, of: item, clock) }
        if let dueText = dueText ?? nil, dueText != value.recurrenceID {
            value.due = CalendarTime(basicText: dueText)
        }
        if let own = task.own(ICalendarWriter.ownStart).flatMap({ time(of: icaltime_from_string($0)) }) {
            value.start = own
        } else if let start, start != due, start != id {
            value.start = start
        }
    }
}
