import CSQLite

/// The items as a program on the raw C API would handle them. It reads everything that an alert needs,
/// including the lead times, and writes the same rows as a minute check.
final class RawReminders {
    private struct Lead {
        let id: Int64
        let offset: Int64
        let alertedDueDate: Double?
    }

    private struct Item {
        let id: Int64
        let uid: String
        let name: String
        let priority: Int64
        let due: Double
        /// The date or the floating time that `due` means, or `nil` for a moment.
        let localDue: String?
        let isSilent: Bool
        let lastAlert: Double?
        let snoozedUntil: Double?
        let alertedUpTo: Double?
        let next: Double?
        let category: String?
        let isCategoryMuted: Bool
        var leads: [Lead] = []
    }

    private static let isDue = """
        t."completed" = 0 AND t."doNotAlert" = 0 AND t."nextAlertDate" <= ?1
          AND (t."lastAlertDate" IS NULL OR t."lastAlertDate" < ?2 OR t."lastAlertDate" > ?1
            OR t."nextAlertDate" <= t."dueDate")
        """

    private let database: RawDatabase
    private let now: Double
    private let find: OpaquePointer
    private let findLeads: OpaquePointer
    private let record: OpaquePointer

    init(_ path: String, now: Double) {
        database = RawDatabase(path)
        self.now = now
        find = database.prepare(
            """
            SELECT t."id", t."uid", t."name", t."priority", t."dueDate", t."completed", t."doNotAlert",
              t."lastAlertDate", t."snoozedUntil", t."toldForDue", t."nextAlertDate", c."name", c."doNotAlert",
              t."dueLocal"
            FROM "ToDo" AS t LEFT JOIN "Category" AS c ON c."id" = t."category" WHERE \(Self.isDue)
            """)
        findLeads = database.prepare(
            """
            SELECT a."id", a."toDo", a."offset", a."toldForDue"
            FROM "ToDo" AS t CROSS JOIN "Alarm" AS a ON a."toDo" = t."id" WHERE \(Self.isDue)
            """)
        record = database.prepare(
            """
            UPDATE "ToDo" SET "lastAlertDate" = ?, "snoozedUntil" = NULL, "toldForDue" = ?, "nextAlertDate" = ?
            WHERE "id" = ?
            """)
    }

    /// Adds items that are due from tomorrow on, one each second.
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

    /// Makes some items due that have had no alert.
    func makeDue(_ due: Int) {
        database.execute(
            """
            UPDATE "ToDo" SET "dueDate" = \(now) + 60, "lastAlertDate" = NULL, "toldForDue" = NULL,
              "nextAlertDate" = \(now) - 240 WHERE "id" <= \(due)
            """)
    }

    /// Finds the due items, reads them completely, and records their alerts in one transaction.
    func look() -> Int {
        var items = due()
        guard !items.isEmpty else { return 0 }
        readLeads(of: &items)
        database.execute("BEGIN IMMEDIATE")
        for item in items {
            sqlite3_bind_double(record, 1, now)
            // Its next alert is at the due time.
            sqlite3_bind_double(record, 2, item.due - 300)
            sqlite3_bind_double(record, 3, item.due)
            sqlite3_bind_int64(record, 4, item.id)
            guard sqlite3_step(record) == SQLITE_DONE else { fatalError("record") }
            sqlite3_reset(record)
        }
        database.execute("COMMIT")
        return items.count
    }

    private func due() -> [Item] {
        var items: [Item] = []
        bindTimes(find)
        while sqlite3_step(find) == SQLITE_ROW {
            items.append(
                Item(
                    id: sqlite3_column_int64(find, 0), uid: text(find, 1) ?? "", name: text(find, 2) ?? "",
                    priority: sqlite3_column_int64(find, 3), due: sqlite3_column_double(find, 4),
                    localDue: text(find, 13),
                    isSilent: sqlite3_column_int(find, 5) != 0 || sqlite3_column_int(find, 6) != 0,
                    lastAlert: number(find, 7), snoozedUntil: number(find, 8), alertedUpTo: number(find, 9),
                    next: number(find, 10), category: text(find, 11),
                    isCategoryMuted: sqlite3_column_int(find, 12) != 0))
        }
        sqlite3_reset(find)
        return items
    }

    private func readLeads(of items: inout [Item]) {
        var positions: [Int64: Int] = [:]
        bindTimes(findLeads)
        while sqlite3_step(findLeads) == SQLITE_ROW {
            if positions.isEmpty {
                for (position, item) in items.enumerated() { positions[item.id] = position }
            }
            guard let position = positions[sqlite3_column_int64(findLeads, 1)] else { continue }
            items[position].leads.append(
                Lead(
                    id: sqlite3_column_int64(findLeads, 0), offset: sqlite3_column_int64(findLeads, 2),
                    alertedDueDate: number(findLeads, 3)))
        }
        sqlite3_reset(findLeads)
    }

    private func bindTimes(_ statement: OpaquePointer) {
        sqlite3_bind_double(statement, 1, now)
        sqlite3_bind_double(statement, 2, now - 300)
    }

    private func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        sqlite3_column_text(statement, column).map { String(cString: $0) }
    }

    private func number(_ statement: OpaquePointer, _ column: Int32) -> Double? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_double(statement, column)
    }
}
