internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The output of `task export`: an array of tasks or, with `json.array=off`, a task on each line.
struct TaskwarriorContent: ImportContent {
    /// The properties that are imported, or that Taskwarrior derives from others.
    ///
    /// Any other property was set by the user, and an item has no field for it.
    private static let knownProperties: Set = [
        "annotations", "depends", "description", "due", "end", "entry", "id", "imask", "last", "mask",
        "modified",
        "parent",
        "priority", "project", "recur", "rtype", "status", "tags", "template", "urgency", "uuid", "wait",
        TaskwarriorWriter.uidAttribute,
    ]
    /// The properties that every task has.
    private static let certain = (uid: "uuid", name: "description")

    private var tasks: JSONListReader
    let itemCount: Int
    private let series: TaskwarriorSeries
    /// The identifiers of the items that an export of todod has written with other ones.
    private let uids: [String: String]
    private let zone: TimeZoneRules
    private var leftOut: [String: Int] = [:]
    private var lost: [String: Int] = [:]
    /// The number of tasks that are other occurrences of a repeating item.
    private var mergedCount = 0
    private var remarks: [String] = []
    private var tagRemarks = TagRemarks()

    /// Opens the output of `task export`.
    ///
    /// - Parameter zone: the zone in which a due time of midnight means a day without a time.
    init(_ outline: JSONOutline, in text: String, zone: TimeZoneRules) throws {
        let list: JSONList
        switch outline {
        case .list(let tasks): list = tasks
        case .object: list = try JSONList(objectsIn: text)
        case .value(let value):
            throw APIError.invalidValue(
                field: "text", reason: "expected an array of tasks, found \(value.kind)")
        }
        tasks = JSONListReader(list, in: text)
        itemCount = list.count
        series = try TaskwarriorSeries(list, in: text)
        uids = try Self.uids(of: list, in: text)
        self.zone = zone
    }

    /// Returns the identifiers of items, by those of their tasks.
    private static func uids(of list: JSONList, in text: String) throws -> [String: String] {
        guard text.contains("\"\(TaskwarriorWriter.uidAttribute)\"") else { return [:] }
        var uids: [String: String] = [:]
        var tasks = JSONListReader(list, in: text)
        while let json = try tasks.next() {
            guard case .object(let task) = json, let uid = task.string(TaskwarriorWriter.uidAttribute) else {
                continue
            }
            // A copy of a task has the attribute, too, and another identifier.
            uids[TaskwarriorWriter.uuid(of: uid)] = uid
        }
        return uids
    }

    /// Whether a text of unknown format seems to be in this one.
    static func resembles(_ outline: JSONOutline, in text: String) -> Bool {
        switch outline {
        case .value: return false
        case .object: return outline[certain.uid] != nil || outline[certain.name] != nil
        case .list(let list):
            var tasks = JSONListReader(list, in: text)
            guard case .object(let first)? = try? tasks.next() else { return list.count == 0 }
            return first[certain.uid] != nil || first[certain.name] != nil
        }
    }

    /// Returns the next task that is imported, or `nil` after the last one.
    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        while true {
            let place = "[\(tasks.index)]"
            guard let json = try tasks.next() else { return nil }
            guard case .object(let object) = json else {
                throw APIError.invalidValue(field: place, reason: "expected a task, found \(json.kind)")
            }
            let task = Task(object: object, path: place)
            let status = try task.text("status") ?? "pending"
            var family: TaskwarriorSeries.Family?
            switch series.role(of: object, at: tasks.index - 1) {
            case .single: break
            case .head(let found): family = found
            case .merged(let isNext):
                if isNext {
                    countLostFields(of: object, ["until"])
                } else if status != "completed" || object["end"] == nil {
                    mergedCount += 1
                }
                continue
            }
            guard ["pending", "waiting", "completed"].contains(status) || family != nil else {
                leftOut[status, default: 0] += 1
                continue
            }
            let item =
                if let family { try repeatingItem(task, family) } else {
                    try item(task, isCompleted: status == "completed")
                }
            countLostFields(of: object, item.recurrence == nil ? [] : ["until"])
            if family == nil, object["recur"] != nil { lost["recur", default: 0] += 1 }
            if !item.isCompleted, family == nil, object["end"] != nil { lost["end", default: 0] += 1 }
            if item.isCompleted, family == nil, object["wait"] != nil { lost["wait", default: 0] += 1 }
            return ImportedObject(body: ExportedItem(item, from: .taskwarrior), place: place)
        }
    }

    /// Returns the remarks on all tasks after the last one, and none before that.
    mutating func takeRemarks() -> [String] {
        guard tasks.index == itemCount else { return [] }
        defer { (leftOut, lost, mergedCount, remarks, tagRemarks) = ([:], [:], 0, [], TagRemarks()) }
        let merged =
            mergedCount == 0 ? [] : ["\(Self.number(mergedCount)) omitted: other times of a repeating item"]
        return remarks + tagRemarks.lines + merged
            + leftOut.sorted { $0.key < $1.key }.map {
                "\(Self.number($1)) of the status '\($0)' omitted"
            } + lost.sorted { $0.key < $1.key }.map { "'\($0)' of \(Self.number($1)) omitted" }
    }

    /// Counts the fields of a task that items do not have, except those in `others`.
    private mutating func countLostFields(of task: JSONObject, _ others: Set<String>) {
        for (name, _) in task.members where !Self.knownProperties.contains(name) && !others.contains(name) {
            lost[name, default: 0] += 1
        }
        guard case .array(let notes)? = task["annotations"] else { return }
        let fields = notes.reduce(into: Set<String>()) { names, note in
            if case .object(let note) = note { names.formUnion(note.members.map(\.name)) }
        }
        for name in fields.subtracting(["description"]) { lost["annotations.\(name)", default: 0] += 1 }
    }

    private static func number(_ tasks: Int) -> String { "\(tasks) \(tasks == 1 ? "task" : "tasks")" }

    private mutating func item(_ task: Task, isCompleted: Bool) throws(APIError) -> ExchangeItem {
        guard let uid = try task.text(Self.certain.uid) else { throw task.missing(Self.certain.uid) }
        guard var name = try task.text(Self.certain.name) else { throw task.missing(Self.certain.name) }
        if !name.isVisible {
            name = ExchangeItem.missingName
            remarks.append("\(task.path): a task without a description is called '\(name)'")
        }
        var item = ExchangeItem(uid: uids[uid] ?? uid, name: name)
        item.isPartial = true
        item.isSnoozeKnown = false
        item.missing = [
            .url, .links, .estimate, .percent, .alerts, .history, .parent, .position, .remainder,
            .excludedDates,
            .addedDates, .occurrences,
        ]
        item.notes = try task.annotations()
        item.priority = try priority(of: task, named: name)
        item.category = try task.text("project").flatMap { $0.isEmpty ? nil : $0 }
        item.setTags(ofOtherProgram: try task.texts("tags"), &tagRemarks)
        item.blockers = try task.depends().map { uids[$0] ?? $0 }
        item.setDue(try due(of: task), in: zone)
        item.isCompleted = isCompleted
        item.completedDate = isCompleted ? try task.moment("end") : nil
        item.createdDate = try task.moment("entry")
        item.modifiedDate = try task.moment("modified")
        let start = isCompleted ? nil : try time("wait", of: task)
        if let start, let due = item.due, start.firstMoment(in: zone) > due {
            remarks.append("'\(name)': it waits until after its due time, and is not hidden")
        } else {
            item.setStart(start, in: zone)
        }
        return item
    }

    private mutating func priority(of task: Task, named name: String) throws(APIError) -> Int {
        switch try task.text("priority") {
        case "H": return 1
        case "M": return 5
        case "L": return 9
        case nil, "": return 0
        case let other?:
            remarks.append("'\(name)': its priority '\(other)' is not H, M or L; it has no priority here")
            return 0
        }
    }

    /// Returns the due time of a task. In Taskwarrior, midnight means a day without a time.
    private func due(of task: Task) throws(APIError) -> CalendarTime? {
        try time("due", of: task)
    }

    private func time(_ name: String, of task: Task) throws(APIError) -> CalendarTime? {
        guard let moment = try task.moment(name) else { return nil }
        guard let civil = zone.civil(at: moment), civil.secondOfDay == 0 else { return .moment(moment) }
        return .local(.date(civil.date))
    }

    // MARK: - Recurring tasks

    /// Returns the one item for a template and its tasks.
    ///
    /// It is due when the next open task is due, and has the identifier of the template.
    private mutating func repeatingItem(
        _ head: Task, _ family: TaskwarriorSeries.Family
    ) throws(APIError) -> ExchangeItem {
        let template = family.template.map { Task(object: $0, path: head.path) }
        let open = family.open.map { Task(object: $0.task, path: head.path) }
        var item = try item(open ?? template ?? head, isCompleted: false)
        let uid = try (template ?? head).text(template == nil ? "parent" : Self.certain.uid)
        item.uid = uid.map { uids[$0] ?? $0 } ?? item.uid
        try setHistory(of: &item, family, head.path)
        if let template { item.createdDate = try template.moment("entry") ?? item.createdDate }
        let period = try (template ?? head).text("recur") ?? ""
        let first = try template.flatMap { (task) throws(APIError) in try self.due(of: task) }
        guard let due = item.ruleDue,
            let start = first.map({ item.ruleMoment(of: $0, in: zone) }) ?? item.ruleDue
        else {
            remarks.append("'\(item.name)' does not repeat: it has no due time")
            return item
        }
        guard let rule = try rule(period, until: (template ?? head).moment("until")) else {
            remarks.append("'\(item.name)' does not repeat: its recurrence '\(period)' is not supported")
            return item
        }
        item.isRecurrenceKnown = true
        if item.localDue != nil, !rule.isOfDays {
            // Midnight is a time of such a rule.
            let midnight = item.localDue?.firstMoment(in: zone)
            return timed(item, at: midnight, rule)
        }
        item.setRule(rule, from: min(start, due), in: zone)
        guard open == nil, let last = family.lastClosed else { return item }
        // Taskwarrior has not created the next task yet.
        let closed = Task(object: JSONObject([("due", .string(last))]), path: head.path)
        guard let passed = try self.due(of: closed) else { return item }
        let moment = item.ruleMoment(of: passed, in: zone)
        if let next = rule.next(
            after: moment, and: moment, from: start, in: item.localDue == nil ? zone : .utc)
        {
            if let local = item.localDue, let civil = TimeZoneRules.utc.civil(at: next.due) {
                item.setDue(.local(local.moved(to: civil)), in: zone)
            } else {
                item.setDue(.moment(next.due), in: zone)
            }
        } else {
            item.setDue(passed, in: zone)
            item.isCompleted = true
        }
        return item
    }

    /// Sets the completed tasks as the history of the item.
    private func setHistory(
        of item: inout ExchangeItem, _ family: TaskwarriorSeries.Family, _ path: String
    ) throws(APIError) {
        for object in family.completed {
            let task = Task(object: object, path: path)
            guard let end = try task.moment("end") else { continue }
            item.history.append(CompletionValue(date: end, due: try due(of: task)))
            item.modifiedDate = max(item.modifiedDate ?? end, end)
        }
        item.history.sort()
        if !item.history.isEmpty { item.missing.remove(.history) }
    }

    /// Returns an item that is first due at midnight, and repeats within the day.
    private func timed(_ item: ExchangeItem, at midnight: Timestamp?, _ rule: RecurrenceRule) -> ExchangeItem
    {
        var item = item
        item.setDue(midnight.map(CalendarTime.moment), in: zone)
        item.recurrence = rule
        item.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
        return item
    }

    private func rule(_ period: String, until: Timestamp?) -> RecurrenceRule? {
        guard let rule = TaskwarriorRecurrence.rule(period) else { return nil }
        guard let until else { return rule }
        return try? rule.ending(at: until)
    }
}

private struct Task {
    let object: JSONObject
    let path: String

    func missing(_ name: String) -> APIError {
        .invalidValue(field: "\(path).\(name)", reason: "expected a string, found nothing")
    }

    func text(_ name: String) throws(APIError) -> String? {
        switch object[name] {
        case nil: return nil
        case .string(let text)?: return text
        case let other?:
            throw .invalidValue(field: "\(path).\(name)", reason: "expected a string, found \(other.kind)")
        }
    }

    /// Returns an array of texts, which is empty if it is missing.
    func texts(_ name: String) throws(APIError) -> [String] {
        switch object[name] {
        case nil: return []
        case .array(let elements)?:
            var texts: [String] = []
            for (index, element) in elements.enumerated() {
                guard case .string(let text) = element else {
                    throw .invalidValue(
                        field: "\(path).\(name)[\(index)]",
                        reason: "expected a string, found \(element.kind)")
                }
                texts.append(text)
            }
            return texts
        case let other?:
            throw .invalidValue(field: "\(path).\(name)", reason: "expected an array, found \(other.kind)")
        }
    }

    /// Returns the identifiers of the tasks that it waits for. Earlier versions write them as one text with commas.
    func depends() throws(APIError) -> [String] {
        if case .string(let text)? = object["depends"] {
            return text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        }
        return try texts("depends").filter { !$0.isEmpty }
    }

    /// Returns a time such as `20261120T090000Z`, or `nil` if it is missing.
    func moment(_ name: String) throws(APIError) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        let digits = Array(text)
        if digits.count == 16, digits[8] == "T", digits[15] == "Z" {
            func part(_ range: Range<Int>) -> String { String(digits[range]) }
            let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
            let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
            if let moment = RFC3339.moment("\(date)T\(time)Z") { return moment }
        }
        throw .invalidValue(
            field: "\(path).\(name)", reason: "expected a time such as 20261120T090000Z, found '\(text)'")
    }

    /// Returns the annotations of the task, one on each line, or `nil` if there are none.
    func annotations() throws(APIError) -> String? {
        guard let annotations = object["annotations"] else { return nil }
        guard case .array(let elements) = annotations else {
            throw .invalidValue(
                field: "\(path).annotations", reason: "expected an array, found \(annotations.kind)")
        }
        var lines: [String] = []
        for (index, element) in elements.enumerated() {
            let notePath = "\(path).annotations[\(index)]"
            guard case .object(let object) = element else {
                throw .invalidValue(field: notePath, reason: "expected an annotation, found \(element.kind)")
            }
            let note = Task(object: object, path: notePath)
            if let line = try note.text("description") { lines.append(line) }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
