internal import CLibical
package import CivilTime
internal import Glibc

/// Reads the tasks (VTODO) of an iCalendar file one after the other, whichever program wrote it.
package struct ICalendarReader {
    /// Something that did not come over, and where it stands.
    package struct Remark: Hashable, Sendable, CustomStringConvertible {
        package let line: Int
        package let text: String

        package var description: String { "line \(line): \(text)" }
    }

    /// Why nothing of the file can be read.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let line: Int
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// The clock on the wall where a time names no zone.
    private let zone: TimeZoneRules
    /// The second of the day meant by a date without a time.
    private let defaultTime: Int
    private var scanner: ICalendarScanner
    /// What the file says of its time zones, wherever that stands.
    private var timeZones = ""
    /// How many tasks there are, those that are left out among them.
    package private(set) var taskCount = 0
    private var remarks: [Remark] = []
    private var seen: Set<String> = []

    /// Looks through a whole file; what is no calendar, or broken off, is an error.
    package init(_ text: String, zone: TimeZoneRules, defaultTime: Int) throws(Failure) {
        self.zone = zone
        self.defaultTime = defaultTime
        scanner = ICalendarScanner(text)
        var look = scanner
        while let part = try look.next() {
            switch part {
            case .task: taskCount += 1
            case .timeZone(let text): timeZones += text
            }
        }
    }

    /// The next item; nil after the last one.
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
            if let item = item(ICalendarTask(component), of: task) { return item }
        }
        return nil
    }

    /// What was not handed out yet of what is to be said of the tasks that were read.
    package mutating func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    // MARK: - One task

    /// Nil when it is left out.
    private mutating func item(_ task: ICalendarTask, of part: ICalendarPart) -> ExchangeItem? {
        let remark = { (text: String) in Remark(line: part.line, text: text) }
        guard task.text(ICAL_RECURRENCEID_PROPERTY) == nil else {
            remarks.append(remark("a single changed time of a task that comes again is left out"))
            return nil
        }
        guard task.text(ICAL_STATUS_PROPERTY) != "CANCELLED" else {
            remarks.append(remark("a cancelled task is left out"))
            return nil
        }
        let uid =
            task.exact("X-TODOD-UID", beside: task.text(ICAL_UID_PROPERTY)) ?? task.text(ICAL_UID_PROPERTY)
            ?? Self.uid(madeFrom: part.text)
        guard seen.insert(uid).inserted else {
            remarks.append(remark("a second task with the UID \(uid) is left out"))
            return nil
        }
        let summary = task.text(ICAL_SUMMARY_PROPERTY)
        let exactName = task.exact("X-TODOD-SUMMARY", beside: summary)
        var item = ExchangeItem(uid: uid, name: exactName ?? summary ?? "")
        item.hasExactName = exactName != nil
        if exactName == nil, item.name.allSatisfy(\.isWhitespace) {
            item.name = "(no name)"
            remarks.append(remark("a task without a SUMMARY is called '(no name)'"))
        }
        item.notes = notes(task)
        item.priority = task.text(ICAL_PRIORITY_PROPERTY).flatMap { Int($0) }.map { min(max($0, 0), 9) } ?? 0
        let categories = task.categories
        item.category = task.exact("X-TODOD-CATEGORIES", beside: categories.first) ?? categories.first
        if categories.count > 1 {
            remarks.append(remark("of several categories the first is kept, '\(categories[0])'"))
        }
        item.createdDate = moment(task, ICAL_CREATED_PROPERTY)
        item.modifiedDate = moment(task, ICAL_LASTMODIFIED_PROPERTY)
        item.completedDate = moment(task, ICAL_COMPLETED_PROPERTY)
        item.isCompleted =
            item.completedDate != nil || task.text(ICAL_STATUS_PROPERTY) == "COMPLETED"
            || task.text(ICAL_PERCENTCOMPLETE_PROPERTY) == "100"
        if !item.isCompleted { item.completedDate = task.own("X-TODOD-COMPLETED").flatMap(moment) }
        item.due = moment(task, ICAL_DUE_PROPERTY) ?? moment(task, ICAL_DTSTART_PROPERTY)
        item.isMuted = task.own("X-TODOD-MUTED") == "TRUE"
        item.snoozedUntil = task.own("X-TODOD-SNOOZED-UNTIL").flatMap(moment)
        remarks += doubts(aboutTimesOf: task).map { remark("'\(item.name)': \($0)") }
        takeRecurrence(task, into: &item, remark)
        takeAlarms(task, into: &item, remark)
        return item
    }

    /// The description, with the place and the address that we have no field for.
    private func notes(_ task: ICalendarTask) -> String? {
        let description = task.text(ICAL_DESCRIPTION_PROPERTY)
        let exact = task.exact("X-TODOD-DESCRIPTION", beside: description)
        if let exact, exact.isEmpty { return exact }
        let parts = [
            exact ?? description,
            task.text(ICAL_LOCATION_PROPERTY).map { "Location: \($0)" },
            task.text(ICAL_URL_PROPERTY).map { "URL: \($0)" },
        ]
        let known = parts.compactMap(\.self).filter { !$0.isEmpty }
        return known.isEmpty ? nil : known.joined(separator: "\n")
    }

    private mutating func takeRecurrence(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        item.recurrenceStart = task.own("X-TODOD-RECURRENCE-START").flatMap(moment)
        item.timeZone = task.own("X-TODOD-TIME-ZONE")
        item.isAfterDone = task.own("X-TODOD-AFTER-DONE") == "TRUE"
        item.occurrencesDone = task.own("X-TODOD-OCCURRENCES-DONE").flatMap { Int(Int32($0) ?? 0) }
        let rule = task.text(ICAL_RRULE_PROPERTY)
        guard let text = task.own("X-TODOD-RRULE") ?? rule else { return }
        // Our own items can have one without a time, and then without the standard's property.
        guard item.due != nil || rule == nil else {
            return remarks.append(remark("'\(item.name)' comes once: it has a rule and no time"))
        }
        do throws(RecurrenceError) {
            item.recurrence = try RecurrenceRule(text)
        } catch {
            return remarks.append(remark("'\(item.name)' comes once: \(error.reason)"))
        }
        item.recurrenceStart = item.recurrenceStart ?? moment(task, ICAL_DTSTART_PROPERTY)
        item.timeZone =
            task.zoneName(ICAL_DUE_PROPERTY) ?? task.zoneName(ICAL_DTSTART_PROPERTY) ?? item.timeZone
        if task.text(ICAL_EXDATE_PROPERTY) != nil || task.text(ICAL_RDATE_PROPERTY) != nil {
            remarks.append(
                remark("'\(item.name)': single times that are added or left out are not kept"))
        }
    }

    private mutating func takeAlarms(
        _ task: ICalendarTask, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) {
        let own = task.own("X-TODOD-LEADS")?.split(separator: "/").compactMap { Int32($0).map { Int($0) } }
        var leads = Set((own ?? []).filter { $0 >= 0 })
        defer { item.leads = leads.sorted(by: >) }
        guard let due = item.due else { return }
        if task.triggers.count > 0 { leads = [] }
        for trigger in task.triggers {
            let from = trigger.isFromStart ? moment(task, ICAL_DTSTART_PROPERTY) ?? due : due
            let told = trigger.moment.flatMap { moment(of: $0, nil) } ?? from + Double(trigger.seconds)
            let lead = Int((due - told).rounded())
            if lead >= 0 { leads.insert(min(lead, Int(Int32.max))) }
        }
        if task.triggers.count > 0, leads.isEmpty {
            remarks.append(remark("'\(item.name)': an alarm after it is due is left out"))
        }
    }

    // MARK: - Times

    /// What a person should know of a due time that may not be the one that was meant.
    private func doubts(aboutTimesOf task: ICalendarTask) -> [String] {
        var doubts: [String] = []
        for (kind, name) in [(ICAL_DUE_PROPERTY, "DUE"), (ICAL_DTSTART_PROPERTY, "DTSTART")] {
            guard moment(task, kind) != nil else {
                if task.hasUnreadable(kind, name) { doubts.append("its \(name) is no time, and is left out") }
                continue
            }
            if let zone = task.zoneName(kind), task.time(kind)?.zone == nil, TimeZoneRules(named: zone) == nil
            {
                doubts.append("the time zone '\(zone)' is not known; its \(name) is taken by your clock")
            }
        }
        return doubts
    }

    private func moment(_ task: ICalendarTask, _ kind: icalproperty_kind) -> Timestamp? {
        guard let moment = task.time(kind).flatMap({ moment(of: $0, task.zoneName(kind)) }) else {
            return nil
        }
        let ownName = kind == ICAL_DUE_PROPERTY ? "X-TODOD-DUE" : "X-TODOD-DTSTART"
        guard kind == ICAL_DUE_PROPERTY || kind == ICAL_DTSTART_PROPERTY,
            let exact = task.own(ownName).flatMap(self.moment),
            let zone = task.zoneName(kind).flatMap(TimeZoneRules.init(named:)),
            zone.civil(at: exact) == zone.civil(at: moment)
        else { return moment }
        return exact
    }

    /// The time of a property of ours.
    private func moment(_ text: String) -> Timestamp? { moment(of: icaltime_from_string(text), nil) }

    /// A time as a moment: in UTC, in the zone of that name, in one that the file describes, or on our own clock.
    private func moment(of time: icaltimetype, _ zoneName: String?) -> Timestamp? {
        guard let date = CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)) else {
            return nil
        }
        if time.is_date != 0 { return zone.moment(of: CivilDateTime(date, secondOfDay: defaultTime)) }
        let civil = CivilDateTime(
            date, hour: Int(time.hour), minute: Int(time.minute), second: min(Int(time.second), 59))
        guard let civil else { return nil }
        if icaltime_is_utc(time) != 0 { return TimeZoneRules.utc.moment(of: civil) }
        if let named = zoneName.flatMap(TimeZoneRules.init(named:)) { return named.moment(of: civil) }
        if let described = time.zone {
            let seconds = icaltime_as_timet_with_zone(time, described)
            return Timestamp(secondsSince1970: Double(seconds))
        }
        return zone.moment(of: civil)
    }

    /// Always the same for the same text, so that a second import finds the item again.
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
