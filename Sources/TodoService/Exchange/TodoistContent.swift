internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI
internal import Varlink

/// A project of Todoist, exported as CSV.
///
/// The name of the project is only in the name of the file. A task is identified by the project, its parent task and
/// its text.
struct TodoistContent: ImportContent {
    private let tasks: [TodoistTask]
    private let now: Timestamp
    private let zone: TimeZoneRules
    private var index = 0
    /// The remarks that were not taken yet.
    private var remarks: [String] = []
    /// The remarks about rows, in order.
    private var rowRemarks: ArraySlice<TodoistTask.RowRemark>
    private var tagRemarks = TagRemarks()
    /// The number of tasks with a value in each column that items do not have.
    private var lost: [(column: String, count: Int)]

    /// - Parameters:
    ///   - project: the name of the project, or `nil` if it is unknown.
    ///   - zone: the zone of a task that names none.
    init(_ text: String, project: String?, now: Timestamp, zone: TimeZoneRules) throws(APIError) {
        let rows = try CSVRow.rows(of: text)
        guard let header = rows.first, let columns = TodoistColumns(header) else {
            throw .invalidValue(
                field: "text", reason: "its first line is not that of Todoist, which begins with TYPE,CONTENT"
            )
        }
        (tasks, rowRemarks) = TodoistTask.tasks(of: rows.dropFirst(), columns, project: project)
        lost = columns.unknown(in: rows.dropFirst())
        self.now = now
        self.zone = zone
    }

    var itemCount: Int { tasks.count }

    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        guard index < tasks.count else { return nil }
        let task = tasks[index]
        takeRowRemarks(before: task.line)
        index += 1
        let place = "line \(task.line)"
        return ImportedObject(
            body: ExportedItem(item(of: task), from: .todoist), place: place, shownPlace: place)
    }

    mutating func takeRemarks() -> [String] {
        if index == tasks.count { takeRowRemarks(before: .max) }
        defer { remarks = [] }
        guard index == tasks.count else { return remarks }
        defer { (tagRemarks, lost) = (TagRemarks(), []) }
        return remarks + tagRemarks.lines
            + lost.map { "'\($0.column)' of \($0.count) \($0.count == 1 ? "row" : "rows") omitted" }
    }

    /// Takes the remarks about the rows before a line, so that all remarks are in the order of the lines.
    private mutating func takeRowRemarks(before line: Int) {
        while let remark = rowRemarks.first, remark.line < line {
            remarks.append("line \(remark.line): \(remark.text)")
            rowRemarks.removeFirst()
        }
    }

    // MARK: - Tasks

    private mutating func item(of task: TodoistTask) -> ExchangeItem {
        var item = ExchangeItem(uid: task.uid, name: task.name)
        if !task.name.isVisible {
            item.name = ExchangeItem.missingName
            remarks.append("line \(task.line): an item without a name is called '\(item.name)'")
        }
        item.parent = task.parent
        item.setTags(
            ofOtherProgram: task.labels + [task.section].compactMap(\.self), &tagRemarks, line: task.line)
        item.priority = priority(of: task)
        item.estimate = estimate(of: task)
        var notes = [task[.description]].filter { !$0.isEmpty }
        for comment in task.comments { notes += takeLinks(of: comment, in: &item, task) }
        notes += setTimes(of: &item, task)
        item.notes = notes.isEmpty ? nil : notes.joined(separator: "\n\n")
        return item
    }

    /// Returns the priority, which has the same number in `todoctl add`. The lowest one, 4, means none.
    private mutating func priority(of task: TodoistTask) -> Int {
        let text = task[.priority]
        guard let number = Int(text), (1...4).contains(number) else {
            if !text.isEmpty {
                remark(task, "the priority '\(text.prefix(20))' is omitted: it is not 1 to 4")
            }
            return 0
        }
        return number == 4 ? 0 : number
    }

    private mutating func estimate(of task: TodoistTask) -> Int? {
        let (text, unit) = (task[.duration], task[.unit].lowercased())
        guard !text.isEmpty, text != "None" else { return nil }
        let seconds = ["minute": 60, "day": CivilDateTime.secondsPerDay][unit]
        let product = Int(text).flatMap { number in seconds.map(number.multipliedReportingOverflow) }
        guard let product, !product.overflow, (0...Int(Int32.max)).contains(product.partialValue) else {
            remark(task, "the duration '\(text.prefix(20)) \(unit.prefix(20))' is omitted")
            return nil
        }
        return product.partialValue
    }

    /// Adds the attached file of a comment as a link. Returns the text of the comment, if it has any.
    private mutating func takeLinks(
        of comment: String, in item: inout ExchangeItem, _ task: TodoistTask
    ) -> [String] {
        guard let begin = comment.firstRange(of: Self.fileBegin), comment.hasSuffix(Self.fileEnd),
            case .object(let file)? = try? JSONParser.parse(
                comment[begin.upperBound...].dropLast(Self.fileEnd.count).utf8),
            case .string(let url)? = file["file_url"]
        else { return [comment] }
        var link = LinkValue(url: URLText.encoded(url))
        let isUsable = URLText.problem(with: link.url) == nil && !item.links.contains { $0.hasURL(link.url) }
        guard isUsable, item.links.count < ReminderModel.linksLimit else { return [comment] }
        link.isAttachment = true
        if case .string(let name)? = file["file_name"], name.isVisible {
            link.title = String(name.unicodeScalars.prefix(LinkValue.titleLengthLimit))
        }
        if case .string(let type)? = file["file_type"], LinkValue.isMediaType(type) { link.mediaType = type }
        item.links.append(link)
        let text = String(comment[..<begin.lowerBound].trimmed)
        return text.isEmpty ? [] : [text]
    }

    /// The marks around the JSON of a file in a comment.
    private static let (fileBegin, fileEnd) = ("[[file ", "]]")

    // MARK: - Times

    /// Sets the times and the rule. Returns lines for the notes about those that cannot be set.
    ///
    /// With a deadline, the date is the day on which the work begins.
    private mutating func setTimes(of item: inout ExchangeItem, _ task: TodoistTask) -> [String] {
        let zone = namedZone(of: task)
        var notes: [String] = []
        var date: TodoistDate?
        var deadline: CalendarTime?
        for (column, name) in [(TodoistColumns.Column.date, "Date"), (.deadline, "Deadline")] {
            let text = task[column]
            guard !text.isEmpty else { continue }
            do {
                let reading = try TodoistDate(text, now: now, zone: zone)
                if column == .date { date = reading } else { deadline = reading.due }
            } catch {
                remark(task, "'\(text.prefix(60))' cannot be read, and is in the notes: \(error.reason)")
                notes.append("\(name): \(text)")
            }
        }
        if let end = deadline, let begin = date {
            let isStart = begin.rule == nil && begin.due.firstMoment(in: zone) <= end.moment(in: zone)
            if isStart {
                item.setStart(begin.due, in: zone)
                date = nil
            } else {
                let reason = begin.rule == nil ? "it is before the date" : "the task repeats"
                remark(task, "the deadline is only in the notes: \(reason)")
                notes.append("Deadline: \(task[.deadline])")
                deadline = nil
            }
        }
        item.setDue(deadline ?? date?.due, in: zone)
        guard let date, let rule = date.rule else { return notes }
        item.setRule(rule, from: date.ruleStart, isAfterDone: date.isAfterDone, in: zone)
        return notes
    }

    private mutating func namedZone(of task: TodoistTask) -> TimeZoneRules {
        let name = task[.zone]
        guard !name.isEmpty else { return zone }
        if let zone = TimeZoneRules(named: name) { return zone }
        remark(task, "the time zone '\(name.prefix(60))' is unknown; the local time zone is used")
        return zone
    }

    private mutating func remark(_ task: TodoistTask, _ text: String) {
        remarks.append("line \(task.line): \(text)")
    }
}
