import Glibc
import ObjectStore

/// ObjectStore against the raw C API: the same file and the same rows, in turns.
struct StoreBenchmark {
    let directory: String
    let count: Int

    private var path: String { directory + "/tasks.sqlite" }

    /// Runs the works with names that contain `filter`, one after the other.
    func run(_ filter: String, _ report: (Measurement) -> Void) throws {
        let works: [(name: String, work: (String) throws -> Measurement)] = [
            ("insert \(count) objects in one save", { try insert($0, history: false, limit: 1.1) }),
            (
                "insert \(count) objects in one save, with history",
                { try insert($0, history: true, limit: 1.3) }
            ),
            ("fetch \(count) as objects", fetchObjects),
            ("fetch \(count) as rows", fetchRows),
            ("fetch an indexed range of about 30", fetchRange),
            ("get by id", getByID),
        ]
        try fill()
        for (name, work) in works where filter.isEmpty || name.contains(filter) { report(try work(name)) }
    }

    /// Measures the memory of this process while many rows are streamed.
    func runStreams(_ filter: String, _ report: (String) -> Void) throws {
        let many = count * 10
        guard filter.isEmpty || "stream".contains(filter) else { return }
        try makeEmptyStore()
        RawDatabase(path).insert(many)
        report("")
        report("| streams | time | resident before | most while streaming |")
        report("| --- | ---: | ---: | ---: |")
        let context = try context()
        let rows = try context.stream(FetchRequest<Task>(), of: Self.columns)
        report(try stream("\(many) rows") { try rows.next() != nil })
        let objects = try context.stream(FetchRequest<Task>())
        report(try stream("\(many) objects") { try objects.next() != nil })
    }

    private func stream(_ name: String, _ next: () throws -> Bool) throws -> String {
        let before = residentMegabytes()
        var most = before
        var number = 0
        let time = try seconds {
            while try next() {
                number += 1
                if number % 10_000 == 0 { most = max(most, residentMegabytes()) }
            }
        }
        return "| \(name) | \(text(ofSeconds: time)) | \(rounded(before)) MB | \(rounded(most)) MB |"
    }

    private static let columns: [FetchColumn] = [
        "id", "name", "notes", "dueDate", "createdDate", "priority", "completed", "project",
    ]

    private func context(history: Bool = false) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Task.model())
        try coordinator.addStore(.sqlite(path: path, history: history))
        return ManagedObjectContext(coordinator: coordinator)
    }

    private func removeStore() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Makes an empty store with ObjectStore, for both sides.
    private func makeEmptyStore() throws {
        removeStore()
        try context().coordinator.close()
    }

    private func fill() throws {
        try makeEmptyStore()
        RawDatabase(path).insert(count)
    }

    // MARK: - Work

    private func insert(_ name: String, history: Bool, limit: Double) throws -> Measurement {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        // The disk still writes the rows of the one before while the other is measured, so they take turns to be first.
        for round in 0..<9 {
            for isRaw in [round.isMultiple(of: 2), !round.isMultiple(of: 2)] {
                try makeEmptyStore()
                if isRaw {
                    let database = RawDatabase(path)
                    times.raw.append(seconds { database.insert(count) })
                } else {
                    let context = try context(history: history)
                    times.ours.append(try seconds { try context.insertTasks(count) })
                }
            }
        }
        try fill()
        return Measurement(name: name, raw: times.raw, ours: times.ours, limit: limit)
    }

    private func fetchObjects(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let statement = database.prepare("SELECT \(RawDatabase.columns) FROM Task")
        let context = try context()
        return try compare(name, limit: 1.7) {
            let tasks = database.tasks(statement)
            var sum: Int64 = 0
            for task in tasks { sum &+= task.priority &+ Int64(task.name.utf8.count) }
            keep(sum)
        } ours: {
            let tasks = try context.fetch(FetchRequest<Task>())
            var sum = 0
            for task in tasks { sum &+= task.priority &+ task.name.utf8.count }
            keep(Int64(sum))
        }
    }

    private func fetchRows(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let statement = database.prepare("SELECT \(RawDatabase.columns) FROM Task")
        let context = try context()
        return try compare(name, limit: 1.15) {
            keep(Int64(database.tasks(statement).count))
        } ours: {
            keep(Int64(try context.rows(FetchRequest<Task>(), of: Self.columns).count))
        }
    }

    private func fetchRange(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let statement = database.prepare(
            "SELECT \(RawDatabase.columns) FROM Task WHERE dueDate >= ? AND dueDate < ?")
        let context = try context()
        let width = 60.0 * 30 * 100_000 / Double(count)
        let starts = (0..<2000).map { 1.7e9 + Double($0 &* 104_729 % 99_000) * 60 }
        return try compare(name, limit: 1.3) {
            for start in starts {
                keep(Int64(database.tasks(statement, from: start, to: start + width).count))
            }
        } ours: {
            for start in starts {
                keep(Int64(try context.fetch(Task.due(from: start, seconds: width)).count))
            }
        }
    }

    private func getByID(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let statement = database.prepare("SELECT \(RawDatabase.columns) FROM Task WHERE id = ?")
        let context = try context()
        let ids = (0..<50_000).map { Int64($0 &* 7919 % count + 1) }
        return try compare(name, limit: 1.2) {
            for id in ids { keep(database.task(statement, id: id)?.priority ?? 0) }
        } ours: {
            for id in ids { keep(Int64(try context.object(of: Task.self, id: id)?.priority ?? 0)) }
        }
    }
}

/// Hides the number from the optimizer, so that the work is not removed.
@inline(never)
func keep(_ number: Int64) {
    withExtendedLifetime(number) {}
}
