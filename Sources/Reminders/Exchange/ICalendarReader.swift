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
    let zone: TimeZoneRules
    /// The time of a date without a time, in seconds since midnight.
    let defaultTime: Int
    let use: ICalendarUse
    let zones = ICalendarZones()
    var scanner: ICalendarScanner
    /// The first task, if the scanner is already after it.
    private var firstTask: ICalendarPart?
    /// The text of all time zones that the file describes, in any place.
    private var timeZones = ""
    /// The number of tasks in the file, including those that are skipped.
    package private(set) var taskCount = 0
    var tagRemarks = TagRemarks()
    var remarks: [Remark] = []
    /// The number of tasks with each property that items do not have.
    var lost: [String: Int] = [:]
    /// The number of tasks with each property that only the export as iCalendar has again.
    var kept: [String: Int] = [:]
    /// The number of components of each kind other than a task.
    private var others: [String: Int] = [:]
    /// The number of calendars with each property that is not imported.
    private var calendarProperties: [String: Int] = [:]
    private var seen: Set<String> = []
    /// The parents of the tasks that only these name, as their subtasks.
    private(set) var parents: [String: String] = [:]
    /// The line of the last item.
    package private(set) var line = 0
    /// The tasks with RECURRENCE-ID, by the UID as it is written.
    private(set) var changedOccurrences: [String: [ICalendarPart]] = [:]
    /// The UIDs of the other tasks, as they are written.
    private var writtenUIDs: Set<String> = []

    /// Scans a whole file.
    ///
    /// - Throws: `Failure` if the text is not an iCalendar file or is incomplete.
    package init(
        _ text: String, zone: TimeZoneRules, defaultTime: Int, use: ICalendarUse = .file
    ) throws(Failure) {
        self.zone = zone
        self.defaultTime = defaultTime
        self.use = use
        scanner = ICalendarScanner(text)
        // The first task is kept, because most texts of a server have no other.
        var preview = scanner
        while let part = try preview.next() {
            switch part {
            case .task(let task):
                taskCount += 1
                if taskCount == 1 { (firstTask, scanner) = (task, preview) }
                parents.merge(Self.subtasks(of: task)) { first, _ in first }
                let uid = task.writtenValue("UID") ?? ""
                if task.has("RECURRENCE-ID") {
                    changedOccurrences[uid, default: []].append(task)
                } else {
                    writtenUIDs.insert(uid)
                }
            case .timeZone(let text): timeZones += text
            case .other(let name): others[name, default: 0] += 1
            case .calendarProperty(let name): calendarProperties[name, default: 0] += 1
            }
        }
    }

    /// Returns the next item, or `nil` after the last one.
    package mutating func next() throws(Failure) -> ExchangeItem? {
        while let task = try nextTask() {
            if task.has("RECURRENCE-ID") {
                // With the task itself, it is imported as a part of that.
                if let uid = task.writtenValue("UID"), writtenUIDs.contains(uid) { continue }
                remarks.append(
                    Remark(
                        line: task.line,
                        text: "a changed time of a repeating task is omitted: the file does not have the task"
                    ))
                continue
            }
            let calendar = try parse(task)
            defer { icalcomponent_free(calendar) }
            guard let component = icalcomponent_get_first_component(calendar, ICAL_VTODO_COMPONENT) else {
                throw Failure(line: task.line, reason: "this task cannot be read")
            }
            let read = ICalendarTask(component, ruleText: task.writtenValue("RRULE"))
            line = task.line
            if let item = try item(read, of: task) { return item }
        }
        return nil
    }

    private mutating func nextTask() throws(Failure) -> ICalendarPart? {
        if let task = firstTask {
            firstTask = nil
            return task
        }
        while let part = try scanner.next() {
            if case .task(let task) = part { return task }
        }
        return nil
    }

    /// Returns a calendar with the task. The caller must free it.
    func parse(_ task: ICalendarPart) throws(Failure) -> OpaquePointer {
        guard
            let calendar = icalparser_parse_string(
                "BEGIN:VCALENDAR\r\n" + timeZones + task.text + "END:VCALENDAR\r\n")
        else { throw Failure(line: task.line, reason: "this task cannot be read") }
        return calendar
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
        let lines = { (counts: [String: Int], owner: String, end: String) in
            counts.sorted { $0.key < $1.key }.map { "\($0.key) of \(number($0.value, owner)) \(end)" }
        }
        return tagRemarks.lines + lines(kept, "task", "kept for exports as iCalendar")
            + lines(lost, "task", "omitted") + lines(calendarProperties, "calendar", "omitted")
            + others.sorted { $0.key < $1.key }.map {
                "\(number($0.value, $0.key)) omitted: only tasks (VTODO) are imported"
            }
    }

    // MARK: - One task

    /// Returns the item of a task, or `nil` if the task is skipped.
    private mutating func item(
        _ task: ICalendarTask, of part: ICalendarPart
    ) throws(Failure) -> ExchangeItem? {
        let remark = { (text: String) in Remark(line: part.line, text: text) }
        let writtenUID = task.text(ICAL_UID_PROPERTY).flatMap { $0.isEmpty ? nil : $0 }
        // In a list, the text of a task changes, and an identifier made of it would change, too.
        guard
            let uid = task.exact("X-TODOD-UID", beside: writtenUID) ?? writtenUID
                ?? (use == .file ? Self.uid(madeFrom: part.text) : nil)
        else { throw Failure(line: part.line, reason: "it has no UID") }
        guard seen.insert(uid).inserted else {
            remarks.append(remark("a second task with the UID \(uid) is omitted"))
            return nil
        }
        let summary = task.text(ICAL_SUMMARY_PROPERTY)
        let exactName = task.exact("X-TODOD-SUMMARY", beside: summary)
        var item = ExchangeItem(uid: uid, name: exactName ?? summary ?? "")
        item.hasExactName = exactName != nil
        if exactName == nil, !item.name.isVisible {
            item.name = ExchangeItem.missingName
            remarks.append(remark("a task without a SUMMARY is called '\(item.name)'"))
        }
        remarks += takeLinks(of: part, into: &item).map { remark("'\(item.name)': \($0)") }
        remarks += takeRelations(of: part, into: &item).map { remark("'\(item.name)': \($0)") }
        item.notes = notes(task)
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
        item.isCancelled = task.text(ICAL_STATUS_PROPERTY) == "CANCELLED"
        item.isCompleted =
            item.isCancelled || item.completedDate != nil || task.text(ICAL_STATUS_PROPERTY) == "COMPLETED"
            || task.text(ICAL_PERCENTCOMPLETE_PROPERTY) == "100"
                && task.text(ICAL_STATUS_PROPERTY) != "IN-PROCESS"
        if !item.isCompleted { item.completedDate = task.own("X-TODOD-COMPLETED").flatMap(moment) }
        remarks += takeWork(of: task, part, into: &item).map { remark("'\(item.name)': \($0)") }
        let ownStart = ownStart(of: task) ?? start(ofTaskWithoutDue: task)
        if ownStart == nil || task.time(ICAL_DUE_PROPERTY) != nil {
            item.due = due(of: task)
            item.localDue = localDue(of: task)
        }
        item.setMomentsOfLocalTimes(in: zone)
        let known = ownStart.flatMap { start in
            item.due.map { start.firstMoment(in: zone) > $0 } ?? false ? nil : start
        }
        item.setStart(known ?? start(of: task, before: item.due), in: zone)
        for property in ExchangeItem.ownProperties { take(property, of: task, into: &item) }
        takeReaction(of: part, into: &item)
        remarks += doubts(aboutTimesOf: task).map { remark("'\(item.name)': \($0)") }
        takeRecurrence(task, into: &item, remark)
        takeAlarms(task, into: &item, remark)
        try takeOccurrences(of: task, part, into: &item, remark)
        let kept = keepText(of: part, into: &item, remark)
        remarkOnOmissions(of: task, part, item, beside: kept, remark)
        return item
    }

    /// Returns the description, or `nil` if it is empty and was not written by todod.
    func notes(_ task: ICalendarTask) -> String? {
        let description = task.text(ICAL_DESCRIPTION_PROPERTY)
        return task.exact("X-TODOD-DESCRIPTION", beside: description)
            ?? description.flatMap { $0.isEmpty ? nil : $0 }
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

    /// Returns an identifier that is the same for the same text, so that a second import finds the item again.
    private static func uid(madeFrom text: String) -> String {
        let hashes = [text.utf8.stableHash(), text.utf8.stableHash(from: 0x9E37_79B9_7F4A_7C15)]
        return "todod-"
            + hashes.map { hash in
                let digits = String(hash, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
    }
}
