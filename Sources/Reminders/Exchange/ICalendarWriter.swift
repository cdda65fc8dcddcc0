internal import CLibical
package import CivilTime
internal import Glibc

/// A writer of items as tasks (VTODO) of an iCalendar file.
///
/// It writes one item after another. Properties that the format does not have get names of their own, which other
/// programs ignore.
package struct ICalendarWriter {
    let now: Timestamp
    /// The time of day from which the lead times of dates are counted, in seconds.
    let timeOfDates: Int
    let use: ICalendarUse
    /// The time zones that the file already describes.
    private var describedZones: Set<String> = []

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - now: the time of the export, which is written with every task.
    ///   - timeOfDates: the time of day from which the lead times of dates are counted, in seconds.
    package init(now: Timestamp, timeOfDates: Int, use: ICalendarUse = .file) {
        self.now = now
        self.timeOfDates = timeOfDates
        self.use = use
    }

    package static let header = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        \(producer)\r

        """
    /// The line by which a file of todod is known. Such a file has every property of its items.
    static let producer = "PRODID:-//todod//todod//EN"
    package static let footer = "END:VCALENDAR\r\n"

    /// Returns the lines of an item, preceded by those of its time zone if the file does not describe it yet.
    package mutating func lines(for item: ExchangeItem) -> String {
        let own = zone(of: item).map { lines(describing: $0.name) } ?? ""
        let parts =
            [(item.remainder, task(item))] + item.occurrences.map { ($0.remainder, task($0, of: item)) }
        return parts.reduce(own) { lines, part in
            guard let remainder = part.0 else { return lines + part.1 }
            let (text, zones) = ICalendarKeptText.adding(remainder, to: part.1)
            return zones.map { self.lines(describing: $0) }.joined() + lines + text
        }
    }

    /// Returns the time zone of the times of an item, or `nil` if they are in UTC or have none.
    func zone(of item: ExchangeItem) -> TimeZoneRules? {
        guard item.recurrence != nil, item.due != nil, item.localDue == nil,
            item.timeZone != TimeZoneRules.utc.name
        else { return nil }
        return item.timeZone.flatMap(Self.zone)
    }

    /// Returns the lines of an item, without the text that is kept from an import.
    func task(_ item: ExchangeItem) -> String {
        let item = use == .list ? listed(item) : item
        var text = ICalendarText()
        // Only a repeating item depends on a time zone. Other times are written in UTC.
        let comesAgain = item.recurrence != nil && item.due != nil && item.localDue == nil
        let isUTC = item.timeZone == TimeZoneRules.utc.name
        let zone = zone(of: item)
        text.begin("VTODO")
        text.text("UID", value: item.uid, exact: "X-TODOD-UID")
        text.moment("DTSTAMP", now)
        text.text("SUMMARY", value: item.name, exact: "X-TODOD-SUMMARY")
        if let notes = item.notes { text.text("DESCRIPTION", value: notes, exact: "X-TODOD-DESCRIPTION") }
        writeLinks(of: item, to: &text)
        writeRelations(of: item, to: &text)
        if let category = item.category {
            text.text("CATEGORIES", value: category, exact: "X-TODOD-CATEGORIES")
        }
        if !item.tags.isEmpty {
            // Some programs do not separate values that contain quotation marks.
            for tag in item.tags { text.text("CATEGORIES", value: tag) }
            // Other programs do not separate tags from the category, which a list does not have.
            if use == .file {
                text.line(
                    "X-TODOD-TAGS:"
                        + item.tags.map(ICalendarExactText.writtenAlone).joined(separator: " "))
            }
        }
        if item.priority > 0 { text.line("PRIORITY:\(item.priority)") }
        writeWork(of: item, to: &text)
        if let created = item.createdDate { text.moment("CREATED", created) }
        if let modified = item.modifiedDate { text.moment("LAST-MODIFIED", modified) }
        if let due = item.due { write(due, of: item, zone, to: &text) }
        writeSingleTimes(of: item, zone, to: &text)
        writeStart(of: item, to: &text)
        writeRest(of: item, hasZone: zone != nil || comesAgain && isUTC, to: &text)
        // Without a time zone the times are in UTC, but the rule follows the local time of the machine.
        if comesAgain, item.timeZone == nil { text.line("X-TODOD-CLOCK:LOCAL") }
        text.line(
            "STATUS:\(item.isCancelled ? "CANCELLED" : item.isCompleted ? "COMPLETED" : item.percent > 0 ? "IN-PROCESS" : "NEEDS-ACTION")"
        )
        if let completed = item.completedDate {
            text.moment(item.isCompleted ? "COMPLETED" : "X-TODOD-COMPLETED", completed)
        }
        writeEnd(of: item, to: &text)
        writeAlarms(of: item, to: &text)
        text.end("VTODO")
        return text.text
    }

    private func write(
        _ due: Timestamp, of item: ExchangeItem, _ zone: TimeZoneRules?, to text: inout ICalendarText
    ) {
        if let local = item.localDue { return write(local, of: item, to: &text) }
        guard let rule = item.recurrence else { return text.moment("DUE", due) }
        // A rule counts from DTSTART, which must not be after the due time.
        let first = min(item.recurrenceStart ?? due, due)
        let start = startIsFirst(of: item) ? item.start ?? first : first
        if let zone {
            text.moment("DTSTART", start, in: zone)
            text.moment("DUE", due, in: zone)
            // A time that the clock shows twice is read as the first one.
            if !zone.isFirst(start) { text.moment("X-TODOD-DTSTART", start) }
            if !zone.isFirst(due) { text.moment("X-TODOD-DUE", due) }
        } else {
            text.moment("DTSTART", start)
            text.moment("DUE", due)
        }
        write(rule, of: item, from: first, to: due, in: zone ?? .utc, to: &text)
    }

    private func write(
        _ rule: RecurrenceRule, of item: ExchangeItem, from start: Timestamp, to due: Timestamp,
        in zone: TimeZoneRules, to text: inout ICalendarText
    ) {
        let open = item.ruleTimeOfMovedOccurrence
        let portable = rule.exported(
            done: item.occurrencesDone ?? 0, from: start,
            to: open.map { item.ruleMoment(of: $0, in: zone) } ?? due, in: zone, isLocal: item.localDue != nil
        )
        text.line("RRULE:\(portable)")
        if portable != rule.text { text.line("X-TODOD-RRULE:\(rule.text)") }
        if let open { text.time(Self.ownRuleDue, open) }
    }

    /// The property with the time of the rule of an open occurrence that has another due time.
    static let ownRuleDue = "X-TODOD-RULE-DUE"

    /// Writes the start.
    ///
    /// For a repeating item, DTSTART is the first due time. Without a due time, other programs and earlier versions read
    /// DTSTART as the due time. In these cases, and if only one of the start and the due time is a date, X-TODOD-START has
    /// the start.
    private func writeStart(of item: ExchangeItem, to text: inout ICalendarText) {
        guard let start = CalendarTime(moment: item.start, local: item.localStart) else { return }
        let hasRule = item.due != nil && item.recurrence != nil
        if hasRule, startIsFirst(of: item) { return }
        // A start at the due time adds nothing for other programs.
        let due = CalendarTime(moment: item.due, local: item.localDue)
        let isAlone = due == nil || start == due
        // DTSTART and DUE must both be dates, or both be times.
        let isOfOtherType = due.map { ($0.wholeDay == nil) != (start.wholeDay == nil) } ?? false
        let names =
            hasRule || isOfOtherType
            ? [Self.ownStart] : isAlone ? ["DTSTART", Self.ownStart] : ["DTSTART"]
        for name in names { text.time(name, start) }
    }

    static let ownStart = "X-TODOD-START"

    /// Writes a date or a floating time, with its rule.
    private func write(_ due: LocalTime, of item: ExchangeItem, to text: inout ICalendarText) {
        guard let rule = item.recurrence else { return text.local("DUE", due) }
        let first = min(item.recurrenceStart ?? due.momentInUTC, due.momentInUTC)
        let start = TimeZoneRules.utc.civil(at: first).map(due.moved) ?? due
        text.local("DTSTART", startIsFirst(of: item) ? item.localStart ?? start : start)
        text.local("DUE", due)
        write(rule, of: item, from: first, to: due.momentInUTC, in: .utc, to: &text)
    }

    /// Writes the properties that the standard does not have, or does not allow without a rule or a due time.
    private func writeRest(of item: ExchangeItem, hasZone: Bool, to text: inout ICalendarText) {
        if item.due == nil, let rule = item.recurrence { text.line("X-TODOD-RRULE:\(rule.text)") }
        // DTSTART without RRULE is the start of a task, and not its first due time.
        if let start = item.recurrenceStart, item.recurrence == nil || start != item.ruleDue {
            text.moment("X-TODOD-RECURRENCE-START", start)
        }
        var item = item
        // The times of the item name the zone.
        if hasZone { item.timeZone = nil }
        if use == .list {
            writeReaction(of: item, to: &text)
            item.snoozedUntil = nil
        }
        for property in ExchangeItem.ownProperties { write(property, of: item, to: &text) }
    }

    private func write(
        _ property: ExchangeItem.OwnProperty, of item: ExchangeItem, to text: inout ICalendarText
    ) {
        switch property.value {
        case .text(let path):
            if let value = item[keyPath: path] {
                text.line("\(property.name):\(ICalendarExactText.writtenAlone(value))")
            }
        case .flag(let path): if item[keyPath: path] { text.line("\(property.name):TRUE") }
        case .number(let path):
            if let number = item[keyPath: path], number > 0 { text.line("\(property.name):\(number)") }
        case .moment(let path):
            if let moment = item[keyPath: path] { text.moment(property.name, moment) }
        }
    }

    // MARK: - Time zones

    private static func zone(named name: String) -> TimeZoneRules? {
        icaltimezone_get_builtin_timezone(name) == nil ? nil : TimeZoneRules(named: name)
    }

    /// Returns the lines that describe a time zone, or an empty text if the file has them or the zone is unknown.
    mutating func lines(describing zone: String) -> String {
        guard describedZones.insert(zone).inserted,
            let component = icaltimezone_get_component(icaltimezone_get_builtin_timezone(zone)),
            let copy = icalcomponent_new_clone(component)
        else { return "" }
        defer { icalcomponent_free(copy) }
        // libical adds its own prefix to the name.
        if let property = icalcomponent_get_first_property(copy, ICAL_TZID_PROPERTY) {
            icalproperty_set_tzid(property, zone)
        }
        guard let text = icalcomponent_as_ical_string_r(copy) else { return "" }
        defer { free(text) }
        return String(cString: text)
    }
}

extension TimeZoneRules {
    /// Whether a moment is the first or the only one at which the clock shows its time.
    fileprivate func isFirst(_ moment: Timestamp) -> Bool {
        let second = Timestamp(secondsSince1970: moment.secondsSince1970.rounded(.down))
        return civil(at: second).map { self.moment(of: $0) == second } ?? true
    }
}

extension RecurrenceRule {
    /// Returns the RRULE for an item that is due at `due`, and whose rule counts from `start`.
    ///
    /// - Parameter isLocal: whether the item is due on a date or at a floating time. Otherwise UNTIL has to be in UTC.
    func exported(
        done: Int, from start: Timestamp, to due: Timestamp, in zone: TimeZoneRules, isLocal: Bool
    ) -> String {
        let rule = counted(done, from: start, to: due, in: zone)
        return (isLocal ? rule : rule.withEndInUTC(from: zone)).portable(from: zone.civil(at: start))
    }

    /// Returns the rule with the moment of a local UNTIL.
    private func withEndInUTC(from zone: TimeZoneRules) -> RecurrenceRule {
        guard let until = value(of: "UNTIL"), !until.hasSuffix("Z"), let end = ownEnd(in: zone),
            let inUTC = TimeZoneRules.utc.civil(at: zone.moment(of: end))
        else { return self }
        let parts = text.split(separator: ";").map {
            $0.hasPrefix("UNTIL=") ? "UNTIL=\(ICalendarText.basic(inUTC))Z" : $0
        }
        return RecurrenceRule(checked: parts.joined(separator: ";"))
    }

    /// Returns the rule with a `COUNT` of the occurrences from `start` on, for other programs.
    ///
    /// The count in the rule of todod includes occurrences before a start that was moved.
    fileprivate func counted(
        _ done: Int, from start: Timestamp, to due: Timestamp, in zone: TimeZoneRules
    ) -> RecurrenceRule {
        guard let count else { return self }
        let behind = due > start ? next(after: start, and: due - 1, from: start, in: zone)?.passed ?? 0 : 0
        let parts = text.split(separator: ";").map {
            $0.hasPrefix("COUNT=") ? "COUNT=\(max(1, count - done + behind))" : $0
        }
        return RecurrenceRule(checked: parts.joined(separator: ";"))
    }

    /// Returns the rule for programs that support RFC 5545, but not the SKIP of RFC 7529.
    ///
    /// "The 31st, or else the last day" becomes "the last existing day of 28, 29, 30 and 31".
    func portable(from start: CivilDateTime?) -> String {
        if let window, let start { return portable(in: window, from: start) }
        guard value(of: "SKIP") == "BACKWARD", value(of: "RSCALE") == "GREGORIAN", let start else {
            return text
        }
        let frequency = value(of: "FREQ")
        let day: Int
        switch value(of: "BYMONTHDAY") {
        case nil: day = start.date.day
        case let named?:
            guard let number = Int(named) else { return text }
            day = number
        }
        let month = value(of: "BYMONTH").flatMap { Int($0) } ?? start.date.month
        let rest = text.split(separator: ";").filter {
            !["SKIP=", "RSCALE=", "BYMONTHDAY="].contains(where: $0.hasPrefix)
        }
        var parts = rest.map(String.init)
        switch (frequency, day) {
        case ("MONTHLY", 29...31):
            parts += ["BYMONTHDAY=" + (28...day).map(String.init).joined(separator: ","), "BYSETPOS=-1"]
        case ("MONTHLY", 1...28):
            if value(of: "BYMONTHDAY") != nil { parts.append("BYMONTHDAY=\(day)") }
        case ("YEARLY", 29) where month == 2:
            parts.removeAll { $0.hasPrefix("BYMONTH=") }
            parts += ["BYMONTH=2", "BYMONTHDAY=28,29", "BYSETPOS=-1"]
        case ("YEARLY", _) where value(of: "BYMONTHDAY") == nil: break
        default: return text
        }
        return parts.joined(separator: ";")
    }

    /// Returns the rule without `X-BETWEEN`.
    ///
    /// If hours and minutes can name exactly the times of each day, the rule lists them, as most programs support this.
    /// Otherwise it keeps the interval and lists the hours that contain times.
    private func portable(in window: DayWindow, from start: CivilDateTime) -> String {
        let times = TimesWithinDay.seconds(of: self, in: window, from: start)
        let hours = Set(times.map { $0 / 3_600 }).sorted()
        let minutes = Set(times.map { $0 / 60 % 60 }).sorted()
        let list = { (numbers: [Int]) in numbers.map(String.init).joined(separator: ",") }
        let isOfOneDay = times == times.sorted() || value(of: "BYDAY") == nil
        let isExact = times.count == hours.count * minutes.count && isOfOneDay
        let dropped = [Self.windowKey] + (isExact ? ["FREQ", "INTERVAL"] : [])
        let rest = text.split(separator: ";").filter { part in
            !dropped.contains { part.hasPrefix("\($0)=") }
        }
        let added =
            isExact ? ["BYHOUR=\(list(hours))", "BYMINUTE=\(list(minutes))"] : ["BYHOUR=\(list(hours))"]
        return ((isExact ? ["FREQ=DAILY"] : []) + rest.map(String.init) + added).joined(separator: ";")
    }
}
