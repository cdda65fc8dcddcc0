import CivilTime
import ObjectStore
import Reminders

/// A store of items with tags, subtasks, dependencies, alarms and a history.
///
/// Each item has two tags, one of ten common ones and one of 990 others. Of ten items, one has four subtasks, one of
/// which is done. Every 100th item repeats, and was done ten times.
struct ReminderFile {
    let path: String
    let count: Int

    /// The number of items that become due soon, one each minute from an hour after the start of the clock on.
    static let dueSoon = 500
    /// A tag that a tenth of all items have.
    static let commonTag = "errand 3"
    /// A tag that very few items have.
    static let rareTag = "seldom"
    /// A tag that no item has.
    static let unusedTag = "never"
    /// The number of subtasks of the last parent.
    static let manyChildren = 1_000

    /// An item with four subtasks.
    let parent: Int64 = 5_001
    /// An item without subtasks.
    let childless: Int64 = 5_002
    /// An item with many subtasks.
    var largeParent: Int64 { Int64(count) + 1 }

    private static let now = BenchmarkClock.start.secondsSince1970

    /// Creates the store and fills it.
    func make() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path, history: true))
        coordinator.close()
        let database = RawDatabase(path)
        database.execute(
            """
            PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-200000;
            CREATE TEMP TABLE number AS WITH RECURSIVE number(n) AS
              (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count)) SELECT n FROM number;
            INSERT INTO "Category" ("id", "uid", "name", "doNotAlert", "createdDate", "modifiedDate")
              SELECT n, 'category-' || n, 'Category ' || n, 0, \(Self.now), \(Self.now) FROM number WHERE n <= 10;
            INSERT INTO "Tag" ("id", "uid", "name", "createdDate", "modifiedDate")
              SELECT n, 'tag-' || n, 'errand ' || n, \(Self.now), \(Self.now) FROM number WHERE n <= 1000;
            INSERT INTO "Tag" ("id", "uid", "name", "createdDate", "modifiedDate")
              VALUES (1001, 'tag-1001', '\(Self.rareTag)', \(Self.now), \(Self.now)),
                (1002, 'tag-1002', '\(Self.unusedTag)', \(Self.now), \(Self.now));
            \(Self.items("n", from: "number", parent: "CASE WHEN n % 10 > 5 THEN n - n % 10 + 1 END"));
            \(Self.items("\(count) - 1000 + n", from: "number WHERE n BETWEEN 1001 AND \(1_001 + Self.manyChildren)",
                parent: "iif(n = 1001, NULL, \(largeParent))"));
            INSERT INTO "Tag_toDos" SELECT 1 + "id" % 10, "id" FROM "ToDo" ORDER BY 1, 2;
            INSERT INTO "Tag_toDos" SELECT 11 + "id" * 7919 % 990, "id" FROM "ToDo" ORDER BY 1, 2;
            INSERT INTO "Tag_toDos" SELECT 1001, "id" FROM "ToDo" WHERE "id" % \(count / 10) = 7;
            INSERT INTO "ToDo_blockedItems" SELECT n + 1, n FROM number WHERE n % 100 = 3;
            INSERT INTO "Alarm" ("id", "anchor", "offset", "toDo") SELECT n, 0, 600, n FROM number WHERE n % 20 = 2;
            INSERT INTO "Completion" ("id", "date", "dueDate", "isSkipped", "toDo")
              SELECT n, \(Self.now) - n, \(Self.now) - n, 0, (1 + n % (\(count) / 100)) * 100 FROM number
              WHERE n <= \(count) / 10;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
    }

    /// Makes all items those of the first level.
    func removeParents() {
        RawDatabase(path).execute("UPDATE \"ToDo\" SET \"parent\" = NULL WHERE \"parent\" IS NOT NULL")
    }

    /// Returns the statement that adds an item for each row of `numbers`.
    private static func items(_ id: String, from numbers: String, parent: String) -> String {
        let due = """
            CASE WHEN n <= \(dueSoon) THEN \(now) + 3600 + 60 * n WHEN n % 2 = 0 THEN \(now) + 604800 + 60 * n END
            """
        let isDone = "(n > \(dueSoon) AND n % 10 IN (5, 9))"
        let repeats = "(n > \(dueSoon) AND n % 100 = 0)"
        return """
            INSERT INTO "ToDo" ("id", "uid", "name", "priority", "dueDate", "percentComplete", "completed",
              "completedDate", "isCancelled", "doNotAlert", "createdDate", "modifiedDate", "nextAlertDate",
              "recurrence", "recurrenceStart", "occurrencesDone", "repeatFromCompletion", "excludedDates", "addedDates",
              "timeZone", "place", "category", "parent")
            SELECT \(id), printf('01A218DE-0000-7469-AF2E-%012X', \(id)), 'Call number ' || n || ' about the delivery',
              n % 10, \(due), 0, \(isDone), iif(\(isDone), \(now) - n, NULL), 0, 0, \(now) - n, \(now) - n,
              iif(\(isDone), NULL, \(due) - 300), iif(\(repeats), 'FREQ=DAILY', NULL), iif(\(repeats), \(due), NULL),
              0, 0, '[]', '[]', iif(\(repeats), 'UTC', NULL), n, 1 + n % 10, \(parent) FROM \(numbers)
            """
    }
}
