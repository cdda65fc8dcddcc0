internal import SQLiteDriver

extension SQLiteSchema {
    /// Whether the database has the tables of all search indexes of the model.
    static func hasSearchTables(_ connection: SQLiteConnection, model: ManagedObjectModel) throws -> Bool {
        let tables = searchTables(of: model)
        guard !tables.isEmpty else { return true }
        let existing = try searchObjects(connection)
        return tables.allSatisfy { $0.statements.allSatisfy { existing[$0.name] == $0.sql } }
    }

    /// Returns the statements that drop the search tables that the model does not have, and create the missing ones.
    static func searchTableChanges(
        _ connection: SQLiteConnection, model: ManagedObjectModel
    ) throws -> [String] {
        let existing = try searchObjects(connection)
        let wanted = searchTables(of: model)
        let missing = wanted.filter { $0.statements.contains { existing[$0.name] != $0.sql } }
        let kept = Set(wanted.flatMap { $0.statements.map(\.name) })
            .subtracting(missing.flatMap { $0.statements.map(\.name) })
        return drops(of: existing.filter { !kept.contains($0.key) })
            + missing.flatMap { $0.statements.map(\.sql) + [$0.filling] }
    }

    /// Drops all search tables. A migration in place does this first, because it changes the tables that they read.
    static func dropSearchTables(_ connection: SQLiteConnection) throws {
        for drop in drops(of: try searchObjects(connection)) { try connection.execute(drop) }
    }

    static func searchTables(of model: ManagedObjectModel) -> [SearchTable] {
        model.entities.flatMap { entity in
            entity.description.indexes.filter { $0.kind == .search }
                .map { SearchTable($0, of: entity.name, tokenizer: WordTokenizer.declaration) }
        }
    }

    /// Returns the definitions of all search tables and their triggers, by name.
    private static func searchObjects(_ connection: SQLiteConnection) throws -> [String: String] {
        let listing = try connection.prepare(
            "SELECT name, sql FROM sqlite_schema WHERE name GLOB ? "
                + "AND (type = 'trigger' OR type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%')")
        listing.bind(SearchTable.namePattern, at: 1)
        var found: [String: String] = [:]
        while try listing.step() {
            if let name = listing.text(0), let sql = listing.text(1) { found[name] = sql }
        }
        return found
    }

    private static func drops(of objects: [String: String]) -> [String] {
        objects.keys.sorted().map { name in
            let kind = objects[name]?.hasPrefix("CREATE TRIGGER") == true ? "TRIGGER" : "TABLE"
            return "DROP \(kind) \(SQLFragment.quoted(name))"
        }
    }
}
