import ObjectStore
import ObjectStorePostgreSQL

/// ObjectStore against libpq: the same server and the same rows, in turns.
struct PostgreSQLBenchmark {
    private static let schema = "benchmark"

    let connection: String
    let count: Int

    /// Runs the works with names that contain `filter`, one after the other.
    func run(_ filter: String, _ report: (Measurement) -> Void) throws {
        let works: [(name: String, work: (String) throws -> Measurement)] = [
            ("insert \(count) objects in one save", { try insert($0, history: false, limit: 1.3) }),
            (
                "insert \(count) objects in one save, with history",
                { try insert($0, history: true, limit: 1.5) }
            ),
            ("fetch \(count) as objects", fetchObjects),
            ("fetch an indexed range of about 30, 2000 times", fetchRange),
            ("get by id, 20000 times", getByID),
            ("minute check among \(count), 2000 times", minuteCheck),
            ("save one change, 500 times", { try saveOne($0, history: false) }),
            ("save one change, with history, 500 times", { try saveOne($0, history: true) }),
        ]
        defer { removeStore() }
        for (name, work) in works where filter.isEmpty || name.contains(filter) { report(try work(name)) }
    }

    // MARK: - Stores

    private func context(history: Bool = false) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Task.model())
        try coordinator.addStore(.postgresql(connection, schema: Self.schema, history: history))
        return ManagedObjectContext(coordinator: coordinator)
    }

    private func database() -> RawPostgreSQL {
        let database = RawPostgreSQL(connection, schema: Self.schema)
        database.prepareStatements()
        return database
    }

    private func removeStore() {
        let database = RawPostgreSQL(connection, schema: Self.schema)
        database.execute("DROP SCHEMA IF EXISTS \(Self.schema) CASCADE")
    }

    /// Makes an empty store with ObjectStore, for both sides.
    private func makeEmptyStore(history: Bool = false) throws {
        removeStore()
        try context(history: history).coordinator.close()
    }

    private func fill(history: Bool = false) throws {
        try makeEmptyStore(history: history)
        let database = database()
        database.insert(count)
        database.execute("VACUUM ANALYZE \"Task\"")
    }

    // MARK: - Work

    private func insert(_ name: String, history: Bool, limit: Double) throws -> Measurement {
        try compare(name, limit: limit) {
            try makeEmptyStore(history: history)
        } raw: {
            database().insert(count)
        } ours: {
            try context().insertTasks(count)
        }
    }

    private func fetchObjects(_ name: String) throws -> Measurement {
        try fill()
        let (database, context) = (database(), try context())
        return try compare(name, limit: 2) {
            var sum: Int64 = 0
            for task in database.tasks() { sum &+= task.priority &+ Int64(task.name.utf8.count) }
            keep(sum)
        } ours: {
            var sum = 0
            for task in try context.fetch(FetchRequest<Task>()) {
                sum &+= task.priority &+ task.name.utf8.count
            }
            keep(Int64(sum))
        }
    }

    private func fetchRange(_ name: String) throws -> Measurement {
        try fill()
        let (database, context) = (database(), try context())
        let width = 60.0 * 30 * 100_000 / Double(count)
        let starts = (0..<2000).map { 1.7e9 + Double($0 &* 104_729 % 99_000) * 60 }
        return try compare(name, limit: 1.5) {
            for start in starts { keep(Int64(database.tasks(from: start, to: start + width).count)) }
        } ours: {
            for start in starts {
                keep(Int64(try context.fetch(Task.due(from: start, seconds: width)).count))
            }
        }
    }

    private func getByID(_ name: String) throws -> Measurement {
        try fill()
        let (database, context) = (database(), try context())
        let ids = (0..<20_000).map { Int64($0 &* 7919 % count + 1) }
        return try compare(name, limit: 1.3) {
            for id in ids { keep(database.task(id: id)?.priority ?? 0) }
        } ours: {
            for id in ids { keep(Int64(try context.object(of: Task.self, id: id)?.priority ?? 0)) }
        }
    }

    private func minuteCheck(_ name: String) throws -> Measurement {
        try fill()
        let (database, context) = (database(), try context())
        let due = try context.prepare(
            FetchRequest<Task>(
                matching: FetchPredicate("completed == NO AND dueDate >= $now AND dueDate <= $end"),
                orderedBy: [FetchOrder("dueDate"), FetchOrder("id")]),
            of: ["id", "name", "dueDate"])
        let lead = 300.0
        let starts = (0..<2000).map { 1.7e9 + Double($0 &* 104_729 % 99_000) * 60 }
        return try compare(name, limit: 1.5) {
            for start in starts {
                for task in database.dueTasks(from: start, to: start + lead) { keep(task.id) }
            }
        } ours: {
            for start in starts {
                let now = Timestamp(secondsSince1970: start)
                try context.forEachRow(due, with: ["now": .date(now), "end": .date(now + lead)]) { row in
                    keep(row.integer(at: 0) ?? 0)
                }
            }
        }
    }

    private func saveOne(_ name: String, history: Bool) throws -> Measurement {
        try fill(history: history)
        let (database, context) = (database(), try context())
        return try compare(name, limit: history ? 3 : 2) {
            for id in 1...500 as ClosedRange<Int64> {
                database.execute("BEGIN")
                database.increasePriority(id: id)
                database.execute("COMMIT")
            }
        } ours: {
            for id in 1...500 as ClosedRange<Int64> {
                guard let task = try context.object(of: Task.self, id: id) else { continue }
                task.priority = (task.priority + 1) % 10
                try context.save()
            }
        }
    }
}
