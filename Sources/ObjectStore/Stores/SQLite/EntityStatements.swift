internal import SQLiteDriver

/// The statements that write the rows of one entity, and those that find a row by its id and ids by a value.
final class EntityStatements {
    /// How many values one statement takes at most, where it adds several rows.
    private static let valuesAtOnce = 256

    let entity: Entity
    /// How many rows one statement adds at once, when there are so many.
    let rowsAtOnce: Int
    private var insertStatements: [Int: SQLiteStatement] = [:]
    private var deleteStatement: SQLiteStatement?
    private var rowStatement: SQLiteStatement?
    private var idStatements: [Int: SQLiteStatement] = [:]
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
        updateStatements = [:]
    }

    /// `INSERT OR FAIL INTO "Book" ("id", "title") VALUES (?, ?), (?, ?)`, for that many rows.
    ///
    /// To begin and to end a statement costs half as much as to add a row, so many rows share it. A statement
    /// of several rows that fails would be undone alone, for which SQLite copies every page that it changes;
    /// here the level of the transaction is rolled back anyway, and `OR FAIL` says so.
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

    /// `UPDATE "Book" SET "title" = ? WHERE "id" = ?`, for the columns of the set only.
    func update(_ changed: ColumnSet, _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = updateStatements[changed] { return known }
        let names = columns.enumerated().filter { changed.contains($0.offset) }.map { "\($0.element) = ?" }
        let sql = "UPDATE \(table) SET \(names.joined(separator: ", ")) WHERE \"id\" = ?"
        let made = try connection.prepare(sql, isKept: true)
        updateStatements[changed] = made
        return made
    }

    /// `DELETE FROM "Book" WHERE "id" = ?`
    func delete(_ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let deleteStatement { return deleteStatement }
        let made = try connection.prepare("DELETE FROM \(table) WHERE \"id\" = ?", isKept: true)
        deleteStatement = made
        return made
    }

    /// `SELECT "id", "title" FROM "Book" WHERE "id" = ?`
    func row(_ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let rowStatement { return rowStatement }
        let names = (["\"id\""] + columns).joined(separator: ", ")
        let made = try connection.prepare("SELECT \(names) FROM \(table) WHERE \"id\" = ?", isKept: true)
        rowStatement = made
        return made
    }

    /// `SELECT "id" FROM "Book" WHERE "title" = ? LIMIT ?`
    func ids(byColumn column: Int, _ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = idStatements[column] { return known }
        let made = try connection.prepare(
            "SELECT \"id\" FROM \(table) WHERE \(columns[column]) = ? LIMIT ?", isKept: true)
        idStatements[column] = made
        return made
    }
}
