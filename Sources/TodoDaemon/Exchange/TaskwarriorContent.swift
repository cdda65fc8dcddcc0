internal import CivilTime
internal import Reminders
internal import TodoAPI
internal import Varlink

/// What `task export` writes: an array of tasks, or with `json.array=off` a task on each line.
struct TaskwarriorContent: ImportContent {
    /// What is taken, or made of the rest by Taskwarrior itself. Whatever else there is a person has given the task, and our
    /// items have no place for it.
    private static let knownProperties: Set = [
        "annotations", "description", "due", "end", "entry", "id", "imask", "mask", "modified", "parent",
        "priority", "project", "rtype", "status", "template", "urgency", "uuid", "wait",
    ]
    /// What every task has.
    private static let certain = (uid: "uuid", name: "description")

    private var tasks: JSONListReader
    let itemCount: Int
    private var leftOut: [String: Int] = [:]
    private var lost: [String: Int] = [:]

    init(_ outline: JSONOutline, in text: String) throws {
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
    }

    /// Whether a text of unknown format is meant to be of this one.
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

    /// The next task that is pending or completed.
    mutating func nextItem() throws -> Imported<ExportedItem>? {
        while true {
            let place = "[\(tasks.index)]"
            guard let json = try tasks.next() else { return nil }
            guard case .object(let object) = json else {
                throw APIError.invalidValue(field: place, reason: "expected a task, found \(json.kind)")
            }
            let task = Task(object: object, path: place)
            let status = try task.text("status") ?? "pending"
            guard ["pending", "waiting", "completed"].contains(status) else {
                leftOut[status, default: 0] += 1
                continue
            }
            for (name, _) in object.members where !Self.knownProperties.contains(name) {
                lost[name, default: 0] += 1
            }
            let item = try Self.item(task, isCompleted: status == "completed")
            return Imported(body: ExportedItem(item), place: place)
        }
    }

    /// Nothing is said before the last task, of all of them together.
    mutating func takeRemarks() -> [String] {
        guard tasks.index == itemCount else { return [] }
        defer { (leftOut, lost) = ([:], [:]) }
        return leftOut.sorted { $0.key < $1.key }.map {
            "\(Self.number($1)) of the status '\($0)' left out"
        } + lost.sorted { $0.key < $1.key }.map { "'\($0)' of \(Self.number($1)) left out" }
    }

    private static func number(_ tasks: Int) -> String { "\(tasks) \(tasks == 1 ? "task" : "tasks")" }

    private static func item(_ task: Task, isCompleted: Bool) throws(APIError) -> ExchangeItem {
        guard let uid = try task.text(certain.uid) else { throw task.missing(certain.uid) }
        guard let name = try task.text(certain.name) else { throw task.missing(certain.name) }
        var item = ExchangeItem(uid: uid, name: name)
        item.isPartial = true
        item.notes = try task.annotations()
        item.priority = try task.priority()
        item.category = try task.text("project").flatMap { $0.isEmpty ? nil : $0 }
        item.due = try task.moment("due")
        item.isCompleted = isCompleted
        item.completedDate = isCompleted ? try task.moment("end") : nil
        item.createdDate = try task.moment("entry")
        item.modifiedDate = try task.moment("modified")
        item.snoozedUntil = isCompleted ? nil : try task.moment("wait")
        return item
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

    /// `20261120T090000Z`
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

    func priority() throws(APIError) -> Int {
        switch try text("priority") {
        case "H": 1
        case "M": 5
        case "L": 9
        default: 0
        }
    }

    /// What was noted with the task, a line each.
    func annotations() throws(APIError) -> String? {
        guard case .array(let elements)? = object["annotations"] else { return nil }
        var lines: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let object) = element else { continue }
            let note = Task(object: object, path: "\(path).annotations[\(index)]")
            if let line = try note.text("description") { lines.append(line) }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
