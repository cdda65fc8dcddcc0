internal import CivilTime
internal import Phrases
internal import Reminders

/// The lines of a todo.txt file.
///
/// A line without `uid:` is identified by its name and its day of creation, so that it may get a priority, a due time or
/// other labels and is still the same item.
struct TodoTxtContent: ImportContent {
    /// The priority of the letters that have none of their own.
    private static let lowestPriority = 9

    private let lines: [Substring]
    /// The lines that are not blank, and the identity of each.
    private let plan: [TodoTxtPlan.Entry]
    /// The identifiers of the items, by the `id:` of their lines.
    private let uids: [String: String]
    private let zone: TimeZoneRules
    private var index = 0
    private var remarks: [String] = []
    private var tagRemarks = TagRemarks()

    /// Opens lines of todo.txt.
    ///
    /// - Parameter zone: the zone of all days and times.
    init(_ text: String, zone: TimeZoneRules) {
        // A CR before the line break is a control character, which is a space here.
        lines = Substring(text).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        (plan, uids) = TodoTxtPlan.entries(of: lines)
        self.zone = zone
    }

    var itemCount: Int { plan.count }

    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        while index < plan.count {
            let entry = plan[index]
            index += 1
            let place = "line \(entry.line + 1)"
            switch entry.identity {
            case .occurrence(let uid, let line):
                let item = occurrence(in: TodoTxtLine(lines[entry.line]), of: uid)
                return ImportedObject(
                    body: ExportedItem(item, from: .todoTxtOccurrence(itemLine: line + 1)), place: place,
                    shownPlace: place)
            case .openAgain(let line):
                remarks.append(
                    "\(place): omitted: line \(line + 1) is open for this time or an earlier one"
                )
            case .item(let uid), .copy(let uid, _):
                if case .copy(_, let line) = entry.identity {
                    remarks.append("\(place): it has the uid of line \(line + 1), and becomes another item")
                }
                let line = TodoTxtLine(lines[entry.line])
                return ImportedObject(
                    body: ExportedItem(item(of: line, uid, number: entry.line + 1), from: .todoTxt),
                    place: place, shownPlace: place)
            }
        }
        return nil
    }

    /// Returns the remarks by line and, after the last one, those about tags.
    mutating func takeRemarks() -> [String] {
        defer { remarks = [] }
        guard index == plan.count else { return remarks }
        defer { tagRemarks = TagRemarks() }
        return remarks + tagRemarks.lines
    }

    /// Returns a completed occurrence of an item, with its due time and the rule.
    private func occurrence(in line: TodoTxtLine, of uid: String) -> ExchangeItem {
        var item = ExchangeItem(uid: uid, name: line.name)
        item.isCompleted = true
        item.completedDate = line.completed.map(moment)
        _ = setTimes(of: &item, line)
        return item
    }

    private mutating func item(of line: TodoTxtLine, _ uid: String, number: Int) -> ExchangeItem {
        var notes: [String] = []
        var item = ExchangeItem(uid: uid, name: line.name)
        if !line.name.isVisible {
            item.name = ExchangeItem.missingName
            notes.append("an item without a name is called '\(item.name)'")
        }
        if line.hasControlCharacters { notes.append("control characters become spaces") }
        for word in line.unreadable {
            notes.append(
                "'\(word.prefix(60))' has no value that todod can use here, and is a part of the name")
        }
        item.isSnoozeKnown = false
        item.missing = [
            .url, .links, .estimate, .percent, .alerts, .history, .position, .blockedBy, .remainder,
            .excludedDates, .addedDates, .occurrences,
        ]
        // todod writes the parent of each item, and other programs of few.
        if line.uid == nil, line.parent == nil { item.missing.insert(.parent) }
        item.parent = line.parent.map { uids[$0] ?? $0 }
        if let letter = line.priority {
            item.priority = min(Int(letter - UInt8(ascii: "A")) + 1, Self.lowestPriority)
            if letter > UInt8(ascii: "A") + UInt8(Self.lowestPriority - 1) {
                notes.append("the priority \(Character(Unicode.Scalar(letter))) becomes I, the lowest one")
            }
        }
        item.category = line.projects.first
        for project in line.projects.dropFirst() {
            notes.append("the project +\(project.prefix(60)) becomes a tag, because an item has one category")
        }
        item.setTags(ofOtherProgram: line.contexts + line.projects.dropFirst(), &tagRemarks, line: number)
        item.isCompleted = line.isCompleted
        item.completedDate = line.completed.map(moment)
        item.createdDate = line.created.map(moment)
        notes += setTimes(of: &item, line)
        remarks += notes.map { "line \(number): \($0)" }
        return item
    }

    /// Sets the times and the rule. Returns the reasons why some of them are omitted.
    private func setTimes(of item: inout ExchangeItem, _ line: TodoTxtLine) -> [String] {
        var notes: [String] = []
        if let date = line.due {
            let time = line.secondOfDay.map { CivilDateTime(date, secondOfDay: $0) }
            item.setDue(
                time.map { CalendarTime.moment(zone.moment(of: $0)) } ?? .local(.date(date)), in: zone)
            if let note = time.flatMap({ ClockChangeNote.skipped($0, in: zone) }) { notes.append(note) }
        }
        if let start = line.start {
            if let due = item.due, moment(start) > due {
                notes.append("'t:' is omitted: the item would start after it is due")
            } else {
                item.setStart(.local(.date(start)), in: zone)
            }
        }
        guard let recurrence = line.recurrence else { return notes }
        guard item.due != nil else { return notes + ["it does not repeat: it has no due day"] }
        guard item.localDue == nil || recurrence.rule.isOfDays else {
            return notes + ["it does not repeat: its rule has times of day, and there is no 'at:'"]
        }
        item.setRule(recurrence.rule, isAfterDone: recurrence.isAfterDone, in: zone)
        return notes
    }

    /// Returns the beginning of a day.
    private func moment(_ date: CivilDate) -> Timestamp { LocalTime.date(date).firstMoment(in: zone) }
}
