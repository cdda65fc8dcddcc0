import ObjectStore

/// The objects of the benchmarks, with the properties of a to-do item.
final class Task: ManagedObject {
    @Attribute("name") var name: String
    @Attribute("notes") var notes: String?
    @Attribute("dueDate") var dueDate: Timestamp?
    @Attribute("createdDate") var createdDate: Timestamp
    @Attribute("priority") var priority: Int
    @Attribute("completed") var completed: Bool

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Task", class: Task.self,
                attributes: [
                    .string("name", .required, .length(1...1000)), .string("notes"), .date("dueDate"),
                    .date("createdDate", .required), .integer64("priority", .range(0...9), default: 0),
                    .boolean("completed", default: false),
                ],
                indexes: [.index("dueDate")])
        ])
    }
}

/// The same as a plain structure, as a program on libpq would read a row.
struct RawTask {
    var id: Int64
    var name: String
    var notes: String?
    var dueDate: Double?
    var createdDate: Double
    var priority: Int64
    var completed: Bool

    /// The values of the item with that number. They are the same in every run.
    static func sample(_ number: Int) -> RawTask {
        RawTask(
            id: Int64(number), name: "Call number \(number) about the delivery",
            notes: number.isMultiple(of: 3)
                ? "They answer between nine and eleven, ask for the spare parts." : nil,
            dueDate: number.isMultiple(of: 10) ? nil : 1.7e9 + Double(number &* 7919 % 100_000) * 60,
            createdDate: 1.69e9 + Double(number), priority: Int64(number % 10),
            completed: number.isMultiple(of: 4))
    }
}
