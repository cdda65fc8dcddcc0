internal import CLibical
package import CivilTime
internal import Glibc

/// A reader of the tasks (VTODO) in an iCalendar file of any program.
package struct ICalendarReader {
    /// A message about data that is not imported as it is written, and the line of the task.
    package struct Remark: Hashable, Sendable, CustomStringConvertible {
        package let line: Int
        package let text: String

        package var description: String { "line \(line): \(text)" }
    }

    /// The reason why the file cannot be read.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let line: Int
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// The time zone of times that do not name one.
    private let zone: TimeZoneRules
    /// The time of a date without a time, in seconds since midnight.
    private let defaultTime: Int
    private let zones = ICalendarZones()
    private var scanner: ICalendarScanner
    /// The text of all time zones that the file describes, in any place.
    private var timeZones = ""
    /// The number of tasks in the file, including those that are skipped.
    package private(set) var taskCount = 0
    var tagRemarks = TagRemarks()
    var remarks: [Remark] = []
    /// The number of tasks with each property that items do not have.
    var lost: [String: Int] = [:]
    /// The number of components of each kind other than a task.
    private var others: [String: Int] = [:]
    /// The number of calendars with each property that is not imported.
    private var calendarProperties: [String: Int] = [:]
    private var seen: Set<String> = []

    /// Scans a whole file.
    ///
    /// - Throws: `Failure` if the text is not an iCalendar file or is incomplete.
    package init(_ text: String, zone: TimeZoneRules, defaultTime: Int) throws(Failure) {
        self.zone = zone
        self.defaultTime = defaultTime
        scanner = ICalendarScanner(text)
        var preview = scanner
        while let part = try preview.next() {
            switch part {
            case .task: taskCount += 1
            case .timeZone(let text): timeZones += text
            case .other(let name): others[name, default: 0] += 1
            case .calendarProperty(let name): calendarProperties[name, default: 0] += 1
            }
        }
    }

    /// Returns the next item, or `nil` after the last one.
    package mutating func next() throws(Failure) -> ExchangeItem? {
        while let part = try scanner.next() {
            guard case .task(let task) = part else { continue }
            guard
                let calendar = icalparser_parse_string(
                    "BEGIN:VCALENDAR\r\n" + timeZones + task.text + "END:VCALENDAR\r\n")
            else { throw Failure(line: task.line, reason: "this task cannot be read") }
            defer { icalcomponent_free(calendar) }
            guard let component = icalcomponent_get_first_component(calendar, ICAL_VTODO_COMPONENT) else {
                throw Failure(line: task.line, reason: "this task cannot be read")
            }
            let read = ICalendarTask(component, ruleText: task.writtenValue("RRULE"))
            if let item = item(read, of: task) { return item }
        }
        return nil
    }

    /// Returns the remarks about the tasks read since the last call.
    package mutating func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    /// A summary of the data that is not imported.
    ///
    /// It is complete when all items are read.
    package var sums: [String] {
        let number = { (count: Int, noun: String) in "\(count) \(noun)\(count == 1 ? "" : "s")" }
        let omitted = { (counts: [String: Int], owner: String) in
            counts.sorted { $0.key < $1.key }.map { "\($0.key) of \(number($0.value, owner)) omitted" }
        }
        return tagRemarks.lines + omitted(lost, "task") + omitted(calendarProperties, "calendar")
            + others.sorted { $0.key < $1.key }.map {
                "\(number($0.value, $0.key)) omitted: only tasks (VTODO) are imported"
            }
    }

    // MARK: - One task

    /// Returns the item of a task, or `nil` if the task is skipped.
    private mutating func item(_ task: ICalendarTask, of part: ICalendarPart) -> ExchangeItem? {
        let remark = { (text: String) in Remark(line: part.line, text: text) }
        guard task.text(ICAL_RECURRENCEID_PROPERTY) == nil else {
            remarks.append(remark("a single changed time of a repeating task is omitted"))
            return nil
        }
        guard task.text(ICAL_STATUS_PROPERTY) != "CANCELLED" else {
            remarks.append(remark("a cancelled task is omitted"))
            return nil
        }
        let uid =
            task.exact("X-TODOD-UID", beside: task.text(ICAL_UID_PROPERTY)) ?? task.text(ICAL_UID_PROPERTY)
            ?? Self.uid(madeFrom: part.text)
        guard seen.insert(uid).inserted else {
            remarks.append(remark("a second task with the UID \(uid) is omitted"))
            return nil
        }
        let summary = task.text(ICAL_SUMMARY_PROPERTY)
        let exactName = task.exact("X-TODOD-SUMMARY", beside: summary)
        var item = ExchangeItem(uid: uid, name: exactName ?? summary ?? "")
        item.hasExactName = exactName != nil
        if exactName == nil, !item.name.isVisible {
            item.name = "(no name)"
            remarks.append(remark("a task without a SUMMARY is called '(no name)'"))
        }
        remarks += takeLinks(of: part, into: &item).map { remark("'\(item.name)': \($0)") }
        item.notes = notes(task, hasURL: item.url != nil)
        let priority = part.writtenValue("PRIORITY")
        item.priority = priority.flatMap { Int($0) }.map { min(max($0, 0), 9) } ?? 0
        if let priority, Int(priority) != Int(item.priority) {
            remarks.append(
                remark(
                    "'\(item.name)': its PRIORITY '\(priority)' is not from 0 to 9; \(item.priority) is used"
                ))
        }
        takeCategories(of: task, part, into: &item)
        item.createdDate = moment(task, ICAL_CREATED_PROPERTY)
        item.modifiedDate = moment(task, ICAL_LASTMODIFIED_PROPERTY)
        item.completedDate = moment(task, ICAL_COMPLETED_PROPERTY)
        item.isCompleted =
            item.completedDate != nil || task.text(ICAL_STATUS_PROPERTY) == "COMPLETED"
            || task.text(ICAL_PERCENTCOMPLETE_PROPERTY) == "100"
                && task.text(ICAL_STATUS_PROPERTY) != "IN-PROCESS"
        if !item.isCompleted { item.completedDate = task.own("X-TODOD-COMPLETED").flatMap(moment) }
        remarks += takeWork(of: task, part, into: &item).map { remark("'\(item.name)': \($0)") }
        let ownStart = task.own(ICalendarWriter.ownStart).flatMap { time(of: icaltime_from_string($0)) }
        if ownStart == nil || task.time(ICAL_DUE_PROPERTY) != nil {
            item.due = due(of: task)
            item.localDue = localDue(of: task)
        }
        item.setMomentsOfLocalTimes(in: zone)
        item.setStart(ownStart ?? start(of: task, before: item.due), in: zone)
        for property in ExchangeItem.ownProperties { take(property, of: task, into: &item) }
        remarks += doubts(aboutTimesOf: task).map { remark("'\(item.name)': \($0)") }
        takeRecurrence(task, into: &item, remark)
        takeAlarms(task, into: &item, remark)
        remarkOnOmissions(of: task, part, item, remark)
        return item
    }

    /// Returns the description, followed by the location, for which items have no property, and by text that should be
    /// a URL.
    private func notes(_ task: ICalendarTask, hasURL: Bool) -> String? {
        let description = task.text(ICAL_DESCRIPTION_PROPERTY)
        let exact = task.exact("X-TODOD-DESCRIPTION", beside: description)
        let parts = [
            exact ?? description,
            task.text(ICAL_LOCATION_PROPERTY).map { "Location: \($0)" },
            hasURL ? nil : task.text(ICAL_URL_PROPERTY).map { "URL: \($0)" },
        ]
        let known = parts.compactMap(\.self).filter { !$0.isEmpty }
        return known.isEmpty ? exact : known.joined(separator: "\n")
    }

    private func take(
        _ property: ExchangeItem.OwnProperty, of task: ICalendarTask, into item: inout ExchangeItem
    ) {
        let written = task.own(property.name)
        switch property.value {
        case .text(let path): item[keyPath: path] = written.map { ICalendarExactText.read($0) ?? $0 }
        case .flag(let path): item[keyPath: path] = written == "TRUE"
        case .number(let path): item[keyPath: path] = written.map { Int(Int32($0) ?? 0) }
        case .moment(let path): item[keyPath: path] = written.flatMap(moment)
        }
    }

    private mutating func takeRecurrence(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        item.recurrenceStart = task.own("X-TODOD-RECURRENCE-START").flatMap(moment)
        let rule = task.ruleText
        if task.hasSingleTimes {
            remarks.append(
                remark("'\(item.name)': single times that are added or omitted are not kept"))
        }
        if task.count(ICAL_RRULE_PROPERTY) > 1 {
            remarks.append(remark("'\(item.name)': of several rules the first is kept"))
        }
        guard let text = ownRule(of: task, item) ?? rule else { return }
        // An item of todod can have a rule without a due time. Its export has no RRULE.
        guard item.due != nil || rule == nil else {
            return remarks.append(remark("'\(item.name)' does not repeat: it has a rule but no time"))
        }
        do throws(RecurrenceError) {
            item.recurrence = try RecurrenceRule(text)
        } catch {
            return remarks.append(remark("'\(item.name)' does not repeat: \(error.reason)"))
        }
        if let due = item.localDue { return takeLocalStart(task, due, into: &item, remark) }
        item.timeZone =
            zoneName(task, ICAL_DUE_PROPERTY) ?? zoneName(task, ICAL_DTSTART_PROPERTY) ?? item.timeZone
            ?? (isInUTC(task) && task.own("X-TODOD-CLOCK") != "LOCAL" ? TimeZoneRules.utc.name : nil)
        takeStart(task, into: &item, remark)
    }

    /// Sets the time from which the rule of a date or a floating time counts, as `takeStart` does for a moment.
    private mutating func takeLocalStart(
        _ task: ICalendarTask, _ due: LocalTime, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        item.timeZone = nil
        item.recurrence = item.recurrence?.withLocalEnd(in: zone, isDate: due.isDate)
        guard let rule = item.recurrence, let start = local(task, ICAL_DTSTART_PROPERTY) else { return }
        if let own = item.recurrenceStart {
            item.recurrenceStart = own > due.momentInUTC ? own : start.momentInUTC
            return
        }
        let clock = TimeZoneRules.utc
        guard start.momentInUTC < due.momentInUTC, let first = clock.civil(at: start.momentInUTC),
            let last = clock.civil(at: due.momentInUTC)
        else {
            item.recurrenceStart = start.momentInUTC
            return
        }
        item.recurrenceStart = due.momentInUTC
        item.setStart(.local(start), in: zone)
        if let delayed = rule.delayed(from: first, to: last, in: clock) {
            item.recurrence = delayed.withLocalEnd(in: clock, isDate: due.isDate)
        } else {
            remarks.append(remark("'\(item.name)': the rule of its start (DTSTART) is used for its due time"))
        }
    }

    /// Returns the rule that only todod understands, or `nil` if there is none or RRULE has changed since the export.
    private func ownRule(of task: ICalendarTask, _ item: ExchangeItem) -> String? {
        guard let own = task.own("X-TODOD-RRULE") else { return nil }
        guard let written = task.ruleText, let rule = try? RecurrenceRule(own),
            let start = local(task, ICAL_DTSTART_PROPERTY)?.momentInUTC
                ?? moment(task, ICAL_DTSTART_PROPERTY),
            let due = local(task, ICAL_DUE_PROPERTY)?.momentInUTC ?? moment(task, ICAL_DUE_PROPERTY)
        else { return own }
        let exported = rule.exported(
            done: item.occurrencesDone ?? 0, from: start, to: due,
            in: rules(task, ICAL_DUE_PROPERTY) ?? .utc)
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
        guard let rule = item.recurrence, let due = item.due, let start = moment(task, ICAL_DTSTART_PROPERTY)
        else {
            item.recurrenceStart =
                item.recurrenceStart ?? startInOmittedHour(of: item, task, ICAL_DUE_PROPERTY)
            return
        }
        if let own = item.recurrenceStart {
            item.recurrenceStart = own > due ? own : start
            return
        }
        let zone = item.timeZone.flatMap(zones.zone) ?? zone
        guard start < due, let first = zone.civil(at: start), let last = zone.civil(at: due) else {
            item.recurrenceStart = startInOmittedHour(of: item, task, ICAL_DTSTART_PROPERTY) ?? start
            return
        }
        item.recurrenceStart = startInOmittedHour(of: item, task, ICAL_DUE_PROPERTY) ?? due
        item.setStart(.moment(start), in: zone)
        if let delayed = rule.delayed(from: first, to: last, in: zone) {
            item.recurrence = delayed
        } else {
            remarks.append(
                remark(
                    "'\(item.name)': the rule of its start (DTSTART) is used for its due time"))
        }
    }

    /// Returns the time from which the rule counts if a change of the clocks skips the time of a property, or `nil`
    /// otherwise.
    private func startInOmittedHour(
        of item: ExchangeItem, _ task: ICalendarTask, _ kind: icalproperty_kind
    ) -> Timestamp? {
        guard let rule = item.recurrence, let first = moment(task, kind), let time = task.time(kind),
            time.is_date == 0, icaltime_is_utc(time) == 0
        else { return nil }
        let second = Int(time.hour) * 3_600 + Int(time.minute) * 60 + min(Int(time.second), 59)
        let start = rule.start(first: first, at: second, in: item.timeZone.flatMap(zones.zone) ?? zone)
        return start == first ? nil : start
    }

    private mutating func takeAlarms(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        let own = task.own("X-TODOD-LEADS")?.split(separator: "/").compactMap { Int32($0).map { Int($0) } }
        var leads = Set((own ?? []).filter { $0 >= 0 })
        defer { item.leads = leads.sorted(by: >) }
        let triggers = task.triggers
        for _ in 0..<task.placeAlarmCount {
            remarks.append(remark("'\(item.name)': an alarm for a place is omitted"))
        }
        guard let due = item.localDue?.isDate == true ? item.localDue?.firstMoment(in: zone) : item.due else {
            if !triggers.isEmpty {
                remarks.append(remark("'\(item.name)': an alarm without a due time is omitted"))
            }
            return
        }
        if triggers.count > 0 { leads = [] }
        for trigger in triggers {
            let from = trigger.isFromStart ? moment(task, ICAL_DTSTART_PROPERTY) ?? due : due
            let sent = trigger.moment.flatMap { moment(of: $0, nil) } ?? from + Double(trigger.seconds)
            let base = item.localDue?.isDate == true ? defaultTime : 0
            let lead = Int((due - sent).rounded()) + base
            if lead < 0 {
                remarks.append(remark("'\(item.name)': an alarm after the due time is omitted"))
            } else if lead > Int(Int32.max) {
                remarks.append(
                    remark("'\(item.name)': an alarm more than 68 years before the due time is omitted"))
            } else {
                leads.insert(lead)
            }
        }
    }

    // MARK: - Times

    /// Returns messages about times that may not be read as intended.
    private func doubts(aboutTimesOf task: ICalendarTask) -> [String] {
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
    private func due(of task: ICalendarTask) -> Timestamp? {
        if let due = moment(task, ICAL_DUE_PROPERTY) { return due }
        return moment(task, ICAL_DTSTART_PROPERTY).map { $0 + Double(max(0, task.duration ?? 0)) }
    }

    /// Returns the start of a task that does not repeat, if it is before the end.
    private func start(of task: ICalendarTask, before due: Timestamp?) -> CalendarTime? {
        guard let due, task.time(ICAL_DUE_PROPERTY) != nil, task.ruleText == nil,
            let moment = moment(task, ICAL_DTSTART_PROPERTY)
        else { return nil }
        let start = local(task, ICAL_DTSTART_PROPERTY).map(CalendarTime.local) ?? .moment(moment)
        let isSame = start.local == local(task, ICAL_DUE_PROPERTY) && start.moment(in: zone) == due
        return isSame || start.firstMoment(in: zone) > due ? nil : start
    }

    /// Returns a time in a property of todod.
    private func time(of time: icaltimetype) -> CalendarTime? {
        guard let civil = civil(of: time) else { return nil }
        if icaltime_is_utc(time) != 0 { return .moment(TimeZoneRules.utc.moment(of: civil)) }
        return .local(time.is_date != 0 ? .date(civil.date) : .floating(civil))
    }

    /// Returns the end of a task if it is a date or a floating time.
    private func localDue(of task: ICalendarTask) -> LocalTime? {
        if task.time(ICAL_DUE_PROPERTY) != nil { return local(task, ICAL_DUE_PROPERTY) }
        guard let start = local(task, ICAL_DTSTART_PROPERTY) else { return nil }
        guard let duration = task.duration, duration > 0 else { return start }
        return TimeZoneRules.utc.civil(at: start.momentInUTC + Double(duration)).map(start.moved)
    }

    /// Returns the time of a property if it is a date or has no time zone.
    private func local(_ task: ICalendarTask, _ kind: icalproperty_kind) -> LocalTime? {
        guard let time = task.time(kind), icaltime_is_utc(time) == 0, let civil = civil(of: time) else {
            return nil
        }
        if time.is_date != 0 { return .date(civil.date) }
        return task.zoneName(kind) == nil && time.zone == nil ? .floating(civil) : nil
    }

    private func civil(of time: icaltimetype) -> CivilDateTime? {
        guard let date = CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)) else {
            return nil
        }
        if time.is_date != 0 { return CivilDateTime(date, secondOfDay: 0) }
        return CivilDateTime(
            date, hour: Int(time.hour), minute: Int(time.minute), second: min(Int(time.second), 59))
    }

    /// Returns the time zone that a time of the task names, or `nil` if this machine does not know it.
    private func rules(_ task: ICalendarTask, _ kind: icalproperty_kind) -> TimeZoneRules? {
        guard let name = task.zoneName(kind) else { return nil }
        return zones.zone(named: name) ?? task.zoneLocation(kind).flatMap(zones.zone)
    }

    /// Returns the name of that time zone, or the name in the file if this machine does not know it.
    private func zoneName(_ task: ICalendarTask, _ kind: icalproperty_kind) -> String? {
        rules(task, kind)?.name ?? task.zoneName(kind)
    }

    /// Returns the moment of a time.
    ///
    /// The time is in UTC, in the zone that it names, in a zone that the file describes, or in the default zone.
    private func moment(of time: icaltimetype, _ named: TimeZoneRules?) -> Timestamp? {
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

    /// Returns an identifier that is the same for the same text, so that a second import finds the item again.
    private static func uid(madeFrom text: String) -> String {
        let hash = { (start: UInt64) in
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let starts: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15]
        return "todod-"
            + starts.map { start in
                let digits = String(hash(start), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
    }
}
