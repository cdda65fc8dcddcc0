import ObjectStore

/// The objects of the benchmarks, with the properties of a to-do item.
final class Task: ManagedObject {
    @Attribute("name") var name: String
    @Attribute("notes") var notes: String?
    @Attribute("dueDate") var dueDate: Timestamp?
    @Attribute("createdDate") var createdDate: Timestamp
    @Attribute("priority") var priority: Int
    @Attribute("completed") var completed: Bool
    @ToOne("project") var project: Project?

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Task", class: Task.self,
                attributes: [
                    .string("name", .required, .length(1...1000)), .string("notes"), .date("dueDate"),
                    .date("createdDate", .required), .integer16("priority", .range(0...9), default: 0),
                    .boolean("completed", default: false),
                ],
                relationships: [.toOne("project", destination: "Project", inverse: "tasks")],
                indexes: [.index("dueDate")]),
            EntityDescription(
                "Project", class: Project.self, attributes: [.string("name", .required)],
                relationships: [.toMany("tasks", destination: "Task", inverse: "project")]),
        ])
    }

    /// Returns a request with a new predicate for the tasks that are due in some seconds after a start.
    static func due(from start: Double, seconds: Double) -> FetchRequest<Task> {
        let from = Timestamp(secondsSince1970: start)
        return FetchRequest<Task>(
            matching: FetchPredicate(.key("dueDate"), .greaterOrEqual, .date(from))
                && FetchPredicate(.key("dueDate"), .less, .date(from + seconds)))
    }
}

extension ManagedObjectContext {
    /// Inserts the tasks with the numbers from 1 on, and saves them.
    func insertTasks(_ count: Int) throws {
        for number in 1...count {
            let sample = RawTask.sample(number)
            let task = try insert(Task.self)
            task.name = sample.name
            task.notes = sample.notes
            task.dueDate = sample.dueDate.map { Timestamp(secondsSince1970: $0) }
            task.createdDate = Timestamp(secondsSince1970: sample.createdDate)
            task.priority = Int(sample.priority)
            task.completed = sample.completed
        }
        try save()
    }
}

final class Project: ManagedObject {
    @Attribute("name") var name: String
    @ToMany("tasks") var tasks: RelatedObjects<Task>
}

/// The same as a plain structure, as a program on the raw C API would read a row.
struct RawTask {
    var id: Int64
    var name: String
    var notes: String?
    var dueDate: Double?
    var createdDate: Double
    var priority: Int64
    var completed: Bool
    var project: Int64?

    /// The values of the item with that number. They are the same in every run.
    static func sample(_ number: Int) -> RawTask {
        RawTask(
            id: Int64(number), name: "Call number \(number) about the delivery",
            notes: number.isMultiple(of: 3)
                ? "They answer between nine and eleven, ask for the spare parts." : nil,
            dueDate: number.isMultiple(of: 10) ? nil : 1.7e9 + Double(number &* 7919 % 100_000) * 60,
            createdDate: 1.69e9 + Double(number), priority: Int64(number % 10),
            completed: number.isMultiple(of: 4),
            project: nil)
    }
}
