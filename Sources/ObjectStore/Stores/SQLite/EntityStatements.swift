internal import SQLiteDriver

/// The compiled statements of one entity. They write rows, find a row by its ID, and find IDs by a value.
final class EntityStatements {
    /// The largest number of values in a statement that inserts several rows.
    private static let valuesAtOnce = 256

    let entity: Entity
    /// The number of rows in a statement that inserts several rows.
    let rowsAtOnce: Int
    private var insertStatements: [Int: SQLiteStatement] = [:]
    private var deleteStatement: SQLiteStatement?
    private var rowStatement: SQLiteStatement?
    private var idStatements: [Int: SQLiteStatement] = [:]
    private var idsOfSeveralStatements: [[Int]: SQLiteStatement] = [:]
    private var updateStatements: [ColumnSet: SQLiteStatement] = [:]

    init(_ entity: Entity) {
        self.entity = entity
        rowsAtOnce = max(1, Self.valuesAtOnce / (entity.columns.count + 1))
    }

    private var table: String { SQLFragment.quoted(entity.name) }

    private var columns: [String] { entity.columns.map { SQLFragment.quoted($0.name) } }

    func forget() {
        insertStatements = [:]
        deleteStatement = nil
        rowStatement = nil
        idStatements = [:]
        idsOfSeveralStatements = [:]
        updateStatements = [:]
    }

    /// Returns `INSERT OR FAIL INTO "Book" ("id", "title") VALUES (?, ?), (?, ?)` for a number of rows.
    ///
    /// To begin and end a statement costs half as much as to insert a row, so several rows share a statement.
    /// By default, SQLite copies every page that such a statement changes, to undo this statement alone if it
    /// fails. `OR FAIL` avoids the copies: here, the level of the transaction is rolled back anyway.
    func insert(rows count: Int, _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = insertStatements[count] { return known }
        let names = ["\"id\""] + columns
        let row = "(" + names.map { _ in "?" }.joined(separator: ", ") + ")"
        let rows = Array(repeating: row, count: count).joined(separator: ", ")
        let made = try connection.prepare(
            "INSERT OR FAIL INTO \(table) (\(names.joined(separator: ", "))) VALUES \(rows)", isKept: true)
        insertStatements[count] = made
        return made
    }

    /// Returns `UPDATE "Book" SET "title" = ? WHERE "id" = ?` for the columns in `changed`.
    func update(_ changed: ColumnSet, _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = updateStatements[changed] { return known }
        let names = columns.enumerated().filter { changed.contains($0.offset) }.map { "\($0.element) = ?" }
        let sql = "UPDATE \(table) SET \(names.joined(separator: ", ")) WHERE \"id\" = ?"
        let made = try connection.prepare(sql, isKept: true)
        updateStatements[changed] = made
        return made
    }

    /// Returns `DELETE FROM "Book" WHERE "id" = ?`.
    func delete(_ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let deleteStatement { return deleteStatement }
        let made = try connection.prepare("DELETE FROM \(table) WHERE \"id\" = ?", isKept: true)
        deleteStatement = made
        return made
    }

    /// Returns `SELECT "id", "title" FROM "Book" WHERE "id" = ?`.
    func row(_ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let rowStatement { return rowStatement }
        let names = (["\"id\""] + columns).joined(separator: ", ")
        let made = try connection.prepare("SELECT \(names) FROM \(table) WHERE \"id\" = ?", isKept: true)
        rowStatement = made
        return made
    }

    /// Returns `SELECT "id" FROM "Book" WHERE "title" = ? LIMIT ?`.
    func ids(byColumn column: Int, _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = idStatements[column] { return known }
        let made = try connection.prepare(
            "SELECT \"id\" FROM \(table) WHERE \(columns[column]) = ? LIMIT ?", isKept: true)
        idStatements[column] = made
        return made
    }

    /// Returns `SELECT "id" FROM "Item" WHERE "list" = ? AND "uid" = ? LIMIT ?`.
    func ids(byColumns positions: [Int], _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = idsOfSeveralStatements[positions] { return known }
        let names = columns
        let condition = positions.map { "\(names[$0]) = ?" }.joined(separator: " AND ")
        let made = try connection.prepare(
            "SELECT \"id\" FROM \(table) WHERE \(condition) LIMIT ?", isKept: true)
        idsOfSeveralStatements[positions] = made
        return made
    }
}
