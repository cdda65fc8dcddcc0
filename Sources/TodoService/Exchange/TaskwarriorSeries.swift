internal import Varlink

/// The recurring tasks of a file.
///
/// Taskwarrior keeps a template for each recurring task, and a task for each occurrence. In todod they are one item.
struct TaskwarriorSeries {
    /// The tasks that belong to one template.
    struct Family {
        var template: JSONObject?
        /// The open task that is due first, and its position in the file.
        var open: (task: JSONObject, due: String, index: Int)?
        /// The due time of the last task that is not open. Times of this format can be compared as text.
        var lastClosed: String?
        /// The completed tasks, in the order of the file.
        var completed: [JSONObject] = []
    }

    /// The role of a task in its family.
    enum Role {
        case single
        /// The task that becomes the item of the family.
        case head(Family)
        /// A task that is part of the item of the family. `isNext` is true if the item has its due time.
        case merged(isNext: Bool)
    }

    /// The families, by the identifiers of their templates.
    private var families: [String: Family] = [:]

    init(_ list: JSONList, in text: String) throws {
        // Most files have no recurring tasks, and need not be read twice.
        guard text.contains("\"recur\"") else { return }
        var tasks = JSONListReader(list, in: text)
        while let json = try tasks.next() {
            guard case .object(let task) = json, task.string("recur") != nil else { continue }
            let status = task.string("status")
            if status == "recurring" {
                if let uid = task.string("uuid") { families[uid, default: Family()].template = task }
                continue
            }
            guard let parent = task.string("parent") else { continue }
            let due = task.string("due") ?? ""
            var family = families[parent] ?? Family()
            if ["pending", "waiting", nil].contains(status) {
                if family.open.map({ due < $0.due }) ?? true { family.open = (task, due, tasks.index - 1) }
            } else {
                family.lastClosed = max(family.lastClosed ?? "", due)
                if status == "completed" { family.completed.append(task) }
            }
            families[parent] = family
        }
    }

    func role(of task: JSONObject, at index: Int) -> Role {
        guard task.string("recur") != nil else { return .single }
        if task.string("status") == "recurring" {
            return task.string("uuid").flatMap { families[$0] }.map(Role.head) ?? .single
        }
        let isOpen = ["pending", "waiting", nil].contains(task.string("status"))
        guard let parent = task.string("parent") else { return isOpen ? .head(Family()) : .single }
        guard let family = families[parent] else { return .single }
        let isNext = family.open?.index == index
        if family.template != nil { return .merged(isNext: isNext) }
        if family.open == nil { return .single }
        return isNext ? .head(family) : .merged(isNext: false)
    }
}

extension JSONObject {
    /// Returns the text of a member, or `nil` if it is not a string.
    func string(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
