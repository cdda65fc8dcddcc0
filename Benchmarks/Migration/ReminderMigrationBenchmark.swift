import CSQLite
import CivilTime
import Glibc
import ObjectStore
import Reminders

/// The migration of a store of the daemon from version 4 of its model to the current version, against the same change in
/// plain SQL.
struct ReminderMigrationBenchmark {
    private static let rounds = 3
    private static let limit = 2.0
    /// The values of the new columns in old rows. The other new columns are NULL.
    private static let defaults = [
        "percentComplete": "0", "isCancelled": "0", "excludedDates": "'[]'", "addedDates": "'[]'",
        "anchor": "0",
    ]

    let directory: String
    let count: Int

    private var oldPath: String { directory + "/version4.sqlite" }
    private var newPath: String { directory + "/version5.sqlite" }
    private var path: String { directory + "/migrated.sqlite" }

    func run(_ filter: String, _ report: (String) -> Void) throws {
        let name = "migrate \(count) items from model 4"
        guard name.contains(filter) else { return }
        try fill()
        let statements = try statements()
        var times: (raw: [Double], ours: [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            copyStore()
            times.raw.append(seconds { RawDatabase(path).execute(statements) })
            copyStore()
            times.ours.append(try seconds(migrate))
        }
        report(Measurement(name: name, raw: times.raw, ours: times.ours, limit: Self.limit).line)
    }

    private func fill() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.version4())
        try coordinator.addStore(.sqlite(path: oldPath, history: true))
        coordinator.close()
        let now = BenchmarkClock.start.secondsSince1970
        RawDatabase(oldPath).execute(
            """
            CREATE TEMP TABLE number AS WITH RECURSIVE number(n) AS
              (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count)) SELECT n FROM number;
            INSERT INTO "Category" ("id", "uid", "name", "doNotAlert", "createdDate", "modifiedDate")
              SELECT n, 'category-' || n, 'Category ' || n, 0, \(now), \(now) FROM number WHERE n <= 100;
            INSERT INTO "ToDo" ("id", "uid", "name", "notes", "priority", "dueDate", "completed", "doNotAlert",
              "createdDate", "modifiedDate", "completedDate", "nextAlertDate", "recurrence", "recurrenceStart",
              "occurrencesDone", "repeatFromCompletion", "timeZone", "category")
            SELECT n, printf('01A218DE-0000-7469-AF2E-%012X', n), 'Call number ' || n || ' about the delivery',
              iif(n % 10 = 0, 'The number is in the letter of last week.', NULL), n % 10,
              iif(n % 2 = 0, \(now) + 60 * n, NULL), n % 5 = 1, 0, \(now) - n, \(now) - n, iif(n % 5 = 1, \(now) - n, NULL),
              iif(n % 2 = 0 AND n % 5 <> 1, \(now) + 60 * n - 300, NULL), iif(n % 100 = 0, 'FREQ=DAILY', NULL),
              iif(n % 100 = 0, \(now) + 60 * n, NULL), 0, 0, iif(n % 100 = 0, 'UTC', NULL), 1 + n % 100 FROM number;
            INSERT INTO "Alarm" ("id", "offset", "toDo") SELECT n, 600, n FROM number WHERE n % 20 = 2;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
    }

    private func copyStore() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        system("cp '\(oldPath)' '\(path)' && sync '\(path)'")
    }

    private func migrate() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(
            .sqlite(path: path, history: true),
            migrating: ReminderModel.migration(backups: .init(count: 0)))
        coordinator.close()
    }

    /// Returns the statements that add the new columns, tables and indexes, as one would type them.
    private func statements() throws -> String {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: newPath, history: true))
        coordinator.close()
        let database = RawDatabase(oldPath)
        database.execute("ATTACH '\(newPath)' AS new")
        let columns = rows(
            """
            SELECT t.name, c.name, c.type, f."table" FROM new.sqlite_schema AS t
            JOIN pragma_table_info(t.name, 'new') AS c
            LEFT JOIN pragma_foreign_key_list(t.name, 'new') AS f ON f."from" = c.name
            WHERE t.type = 'table' AND t.name IN (SELECT name FROM main.sqlite_schema)
              AND c.name NOT IN (SELECT name FROM pragma_table_info(t.name, 'main'))
            """, database)
        let added = columns.map { row in
            let value = Self.defaults[row[1]].map { " DEFAULT \($0)" } ?? ""
            let reference =
                row[3].isEmpty ? "" : " REFERENCES \"\(row[3])\" (\"id\") DEFERRABLE INITIALLY DEFERRED"
            return "ALTER TABLE \"\(row[0])\" ADD COLUMN \"\(row[1])\" \(row[2])\(value)\(reference)"
        }
        let created = rows(
            """
            SELECT sql FROM new.sqlite_schema
            WHERE sql IS NOT NULL AND name NOT IN (SELECT name FROM main.sqlite_schema) ORDER BY type DESC
            """, database)
        let dropped = rows(
            """
            SELECT 'DROP INDEX "' || replace(name, '"', '""') || '"' FROM main.sqlite_schema
            WHERE type = 'index' AND sql IS NOT NULL AND name NOT IN (SELECT name FROM new.sqlite_schema)
            """, database)
        let all = ["BEGIN IMMEDIATE"] + dropped.map { $0[0] } + added + created.map { $0[0] }
        return (all + ["COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)"]).joined(separator: ";\n")
    }

    private func rows(_ sql: String, _ database: RawDatabase) -> [[String]] {
        let statement = database.prepare(sql)
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                })
        }
        return rows
    }
}
