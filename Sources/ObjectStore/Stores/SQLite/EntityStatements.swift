internal import SQLiteDriver

/// The statements that write the rows of one entity, and the one that reads a row by its id.
final class EntityStatements {
    let entity: Entity
    private var insertStatement: SQLiteStatement?
    private var deleteStatement: SQLiteStatement?
    private var rowStatement: SQLiteStatement?
    private var updateStatements: [ColumnSet: SQLiteStatement] = [:]

    init(_ entity: Entity) {
        self.entity = entity
    }

    private var table: String { SQLFragment.quoted(entity.name) }

    private var columns: [String] { entity.columns.map { SQLFragment.quoted($0.name) } }

    func forget() {
        insertStatement = nil
        deleteStatement = nil
        rowStatement = nil
        updateStatements = [:]
    }

    /// `INSERT INTO "Book" ("id", "title") VALUES (?, ?)`
    func insert(_ connection: SQLiteConnection) throws -> SQLiteStatement {
        if let insertStatement { return insertStatement }
        let names = (["\"id\""] + columns).joined(separator: ", ")
        let values = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        let made = try connection.prepare("INSERT INTO \(table) (\(names)) VALUES (\(values))", isKept: true)
        insertStatement = made
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
}
