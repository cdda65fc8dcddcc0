import CSQLite
import CivilTime
import Dispatch
import ObjectStore
import Reminders
import TodoDaemon

/// One look of the daemon at many items, against the raw C API running the same query and writing the same rows.
struct AlertBenchmark {
    /// Friday 2026-11-20 17:00 UTC.
    private static let now = Timestamp(secondsSince1970: 1_795_194_000)
    private static let rounds = 15

    let directory: String
    let count: Int

    /// Has told everything as soon as it is given it.
    private struct InstantSink: AlertSink {
        func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
            told(announcement.alerts)
        }
    }

    func run(_ filter: String, _ report: (Measurement) -> Void) throws {
        guard filter.isEmpty || "look for what is to be told".contains(filter) else { return }
        let path = directory + "/todo.sqlite"
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path))
        let raw = RawReminders(path, now: Self.now.secondsSince1970)
        raw.fill(count)
        let context = ManagedObjectContext(coordinator: coordinator)
        let queue = DispatchQueue(label: "benchmark")
        let loop = try AlertLoop(
            context: context,
            points: AlertPoints(context: context, planner: AlertPlanner()) { Self.now },
            sink: InstantSink(), schedule: .minutes, queue: queue, zone: LocalZone(), now: { Self.now },
            log: Log())
        for due in [0, 10, 1_000] { report(try measure(due, raw, loop, queue, context)) }
        coordinator.close()
    }

    private func measure(
        _ due: Int, _ raw: RawReminders, _ loop: AlertLoop, _ queue: DispatchQueue,
        _ context: ManagedObjectContext
    ) throws -> Measurement {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        // One look that finds nothing is too short for the clock.
        let repetitions = due == 0 ? 1_000 : 1
        for _ in 0..<Self.rounds {
            raw.makeDue(due)
            times.raw.append(seconds { for _ in 0..<repetitions { precondition(raw.look() == due) } })
            raw.makeDue(due)
            // A save tells the loop that what it knows of the next point holds no more.
            try context.object(of: ToDo.self, id: Int64(count))?.notes = "\(times.ours.count)"
            try context.save()
            times.ours.append(
                seconds {
                    for _ in 0..<repetitions {
                        queue.sync { precondition(loop.evaluate().count == due) }
                        // What was told is recorded behind that.
                        queue.sync {}
                    }
                })
        }
        let name = "look at \(count) items with \(due) to tell"
        return Measurement(
            name: repetitions == 1 ? name : "\(name), \(repetitions) times", raw: times.raw,
            ours: times.ours, limit: 1.5)
    }
}

/// The items as a program on the raw C API would look after them.
private final class RawReminders {
    private let database: RawDatabase
    private let now: Double
    private let find: OpaquePointer
    private let record: OpaquePointer

    init(_ path: String, now: Double) {
        database = RawDatabase(path)
        self.now = now
        find = database.prepare(
            """
            SELECT "id", "uid", "name", "notes", "priority", "dueDate", "completed", "doNotAlert", "createdDate",
              "modifiedDate", "completedDate", "lastAlertDate", "snoozedUntil", "toldForDue", "nextAlertDate",
              "recurrence", "recurrenceStart", "occurrencesDone", "repeatFromCompletion", "timeZone", "category"
            FROM "ToDo" WHERE "completed" = 0 AND "doNotAlert" = 0 AND "nextAlertDate" <= ?1
              AND ("lastAlertDate" IS NULL OR "lastAlertDate" < ?2 OR "lastAlertDate" > ?1)
            """)
        record = database.prepare(
            """
            UPDATE "ToDo" SET "lastAlertDate" = ?, "toldForDue" = "dueDate", "nextAlertDate" = NULL WHERE "id" = ?
            """)
    }

    /// Items that are due from tomorrow on, one a second.
    func fill(_ count: Int) {
        database.execute(
            """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO "ToDo" ("id", "uid", "name", "priority", "dueDate", "completed", "doNotAlert",
              "createdDate", "modifiedDate", "nextAlertDate", "occurrencesDone", "repeatFromCompletion")
            SELECT n, 'uid-' || n, 'Call number ' || n || ' about the delivery', n % 10, \(now) + 86400 + n, 0, 0,
              \(now) - n, \(now) - n, \(now) + 86100 + n, 0, 0 FROM number
            """)
    }

    /// Makes some items due that were told, or never.
    func makeDue(_ due: Int) {
        database.execute(
            """
            UPDATE "ToDo" SET "dueDate" = \(now) + 60, "lastAlertDate" = NULL, "toldForDue" = NULL,
              "nextAlertDate" = \(now) - 240 WHERE "id" <= \(due)
            """)
    }

    /// Finds what is due, reads all of it, and writes down in one transaction that it was told.
    func look() -> Int {
        sqlite3_bind_double(find, 1, now)
        sqlite3_bind_double(find, 2, now - 300)
        var found: [(id: Int64, name: String, due: Double)] = []
        while sqlite3_step(find) == SQLITE_ROW {
            var name = ""
            for column in 1..<sqlite3_column_count(find) {
                switch sqlite3_column_type(find, column) {
                case SQLITE_TEXT: name = sqlite3_column_text(find, column).map { String(cString: $0) } ?? name
                default: _ = sqlite3_column_double(find, column)
                }
            }
            found.append((sqlite3_column_int64(find, 0), name, sqlite3_column_double(find, 5)))
        }
        sqlite3_reset(find)
        guard !found.isEmpty else { return 0 }
        database.execute("BEGIN IMMEDIATE")
        for item in found {
            sqlite3_bind_double(record, 1, now)
            sqlite3_bind_int64(record, 2, item.id)
            guard sqlite3_step(record) == SQLITE_DONE else { fatalError("record") }
            sqlite3_reset(record)
        }
        database.execute("COMMIT")
        return found.count
    }
}
