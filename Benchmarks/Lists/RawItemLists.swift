import CSQLite

/// Lists of items as a program on the raw C API would read them: the columns that `todoctl list` shows, into
/// structures.
final class RawItemLists {
    private struct Item {
        let id: Int64
        let uid: String
        let name: String
        let priority: Int64
        let percent: Int64
        let due: Double?
        let dueLocal: String?
        let rule: String?
        let isCompleted: Bool
        let isMuted: Bool
        let category: String?
        let isCategoryMuted: Bool
        let tags: [String]
        let children: Int64
        let childrenDone: Int64
        let isBlocked: Bool
    }

    private static let columns = """
        t."id", t."uid", t."name", t."priority", t."percentComplete", t."dueDate", t."dueLocal", t."recurrence",
          t."completed", t."doNotAlert", c."name", c."doNotAlert",
          (SELECT group_concat("name", char(31)) FROM (SELECT g."name" FROM "Tag_toDos" AS l
            JOIN "Tag" AS g ON g."id" = l."owner" WHERE l."other" = t."id" ORDER BY g."name")),
          (SELECT count(*) FROM "ToDo" AS s WHERE s."parent" = t."id"),
          (SELECT count(*) FROM "ToDo" AS s WHERE s."parent" = t."id" AND s."completed" = 1),
          EXISTS (SELECT 1 FROM "ToDo_blockedItems" AS l JOIN "ToDo" AS b ON b."id" = l."owner"
            WHERE l."other" = t."id" AND b."completed" = 0)
        """

    private let findTag: OpaquePointer
    private let ofTag: OpaquePointer
    private let ofParent: OpaquePointer
    private let database: RawDatabase
    private let now: Double

    init(_ path: String, now: Double) {
        database = RawDatabase(path)
        self.now = now
        findTag = database.prepare("SELECT \"id\" FROM \"Tag\" WHERE \"name\" = ?")
        let isOpen = "t.\"completed\" = 0 AND (t.\"startDate\" IS NULL OR t.\"startDate\" <= ?2)"
        ofTag = database.prepare(
            """
            SELECT \(Self.columns) FROM "Tag_toDos" AS m JOIN "ToDo" AS t ON t."id" = m."other"
              LEFT JOIN "Category" AS c ON c."id" = t."category" WHERE m."owner" = ?1 AND \(isOpen)
            ORDER BY t."dueDate" NULLS LAST, t."id"
            """)
        ofParent = database.prepare(
            """
            SELECT \(Self.columns) FROM "ToDo" AS t LEFT JOIN "Category" AS c ON c."id" = t."category"
            WHERE t."parent" = ?1 AND \(isOpen) ORDER BY t."place" NULLS LAST, t."id"
            """)
    }

    /// Reads the open items of a tag, and returns their number.
    func items(ofTag name: String) -> Int {
        _ = name.withCString { text in
            sqlite3_bind_text(findTag, 1, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
        guard sqlite3_step(findTag) == SQLITE_ROW else { fatalError("no tag") }
        let tag = sqlite3_column_int64(findTag, 0)
        sqlite3_reset(findTag)
        return items(ofTag, tag)
    }

    /// Reads the open subtasks of an item, and returns their number.
    func openChildren(of parent: Int64) -> Int { items(ofParent, parent) }

    private func items(_ statement: OpaquePointer, _ id: Int64) -> Int {
        var items: [Item] = []
        sqlite3_bind_int64(statement, 1, id)
        sqlite3_bind_double(statement, 2, now)
        while sqlite3_step(statement) == SQLITE_ROW {
            items.append(
                Item(
                    id: sqlite3_column_int64(statement, 0), uid: text(statement, 1) ?? "",
                    name: text(statement, 2) ?? "", priority: sqlite3_column_int64(statement, 3),
                    percent: sqlite3_column_int64(statement, 4), due: number(statement, 5),
                    dueLocal: text(statement, 6), rule: text(statement, 7),
                    isCompleted: sqlite3_column_int(statement, 8) != 0,
                    isMuted: sqlite3_column_int(statement, 9) != 0, category: text(statement, 10),
                    isCategoryMuted: sqlite3_column_int(statement, 11) != 0,
                    tags: text(statement, 12)?.split(separator: "\u{1F}").map(String.init) ?? [],
                    children: sqlite3_column_int64(statement, 13),
                    childrenDone: sqlite3_column_int64(statement, 14),
                    isBlocked: sqlite3_column_int(statement, 15) != 0))
        }
        sqlite3_reset(statement)
        return items.count
    }

    private func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        sqlite3_column_text(statement, column).map { String(cString: $0) }
    }

    private func number(_ statement: OpaquePointer, _ column: Int32) -> Double? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_double(statement, column)
    }
}
