import ObjectStore
import ObjectStoreXML

/// Compares the kinds of store: the costs of opening one, of saving one change, and of a fetch.
struct KindBenchmark {
    let directory: String
    let count: Int

    func run(_ filter: String, _ report: (String) -> Void) throws {
        guard filter.isEmpty || "kinds".contains(filter) else { return }
        report("")
        report("| kind, \(count) objects | insert all | open | save one | sort all | by predicate |")
        report("| --- | ---: | ---: | ---: | ---: | ---: |")
        for kind in [StoreKind.sqlite, .xml, .binary, .memory] { report(try line(kind)) }
    }

    private func line(_ kind: StoreKind) throws -> String {
        let configuration = StoreConfiguration(kind, path: "\(directory)/kinds.\(kind)")
        var context = try context(configuration)
        let insertion = try seconds { try context.insertTasks(count) }
        var opening = 0.0
        if kind != .memory {
            context.coordinator.close()
            opening = try seconds { context = try self.context(configuration) }
        }
        let save = try median(
            (0..<9).map { round in
                try seconds {
                    try context.object(of: Task.self, id: Int64(round + 1))?.notes = "changed"
                    try context.save()
                }
            })
        let byName = FetchRequest<Task>(orderedBy: [FetchOrder("name"), FetchOrder("dueDate")])
        let sorting = try seconds { _ = try context.ids(byName) }
        let some = FetchRequest<Task>(
            matching: try FetchPredicate("completed == NO AND name CONTAINS[c] 'NUMBER 77'"))
        let looking = try seconds { _ = try context.ids(some) }
        context.coordinator.close()
        let times = [insertion, opening, save, sorting, looking].map { text(ofSeconds: $0) }
        return "| \(kind) | \(times.joined(separator: " | ")) |"
    }

    private func context(_ configuration: StoreConfiguration) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Task.model())
        try coordinator.addStore(configuration)
        return ManagedObjectContext(coordinator: coordinator)
    }
}
