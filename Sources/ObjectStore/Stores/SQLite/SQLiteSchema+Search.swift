internal import SQLiteDriver

extension SQLiteSchema {
    /// Whether the database has the tables of all search indexes of the model.
    static func hasSearchTables(_ connection: SQLiteConnection, model: ManagedObjectModel) throws -> Bool {
        let tables = searchTables(of: model)
        guard !tables.isEmpty else { return true }
        let existing = try searchObjects(connection)
        return tables.allSatisfy { $0.statements.allSatisfy { existing[$0.name] == $0.sql } }
    }

    /// The search tables to drop, with their definitions, and the statements that create the missing ones.
    struct SearchTableChanges {
        let dropped: [String: String]
        let created: [String]

        var isEmpty: Bool { dropped.isEmpty && created.isEmpty }

        func perform(_ connection: SQLiteConnection) throws {
            try SQLiteSchema.drop(dropped, connection)
            for statement in created { try connection.execute(statement) }
        }
    }

    /// Returns the changes that give the database the search tables of the model.
    static func searchTableChanges(
        _ connection: SQLiteConnection, model: ManagedObjectModel
    ) throws -> SearchTableChanges {
        let existing = try searchObjects(connection)
        let wanted = searchTables(of: model)
        let missing = wanted.filter { $0.statements.contains { existing[$0.name] != $0.sql } }
        let kept = Set(wanted.flatMap { $0.statements.map(\.name) })
            .subtracting(missing.flatMap { $0.statements.map(\.name) })
        return SearchTableChanges(
            dropped: existing.filter { !kept.contains($0.key) },
            created: missing.flatMap { $0.statements.map(\.sql) + [$0.filling] })
    }

    /// Drops all search tables. A migration in place does this first, because it changes the tables that they read.
    static func dropSearchTables(_ connection: SQLiteConnection) throws {
        try drop(searchObjects(connection), connection)
    }

    private static func searchTables(of model: ManagedObjectModel) -> [SearchTable] {
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

    /// Drops search tables and triggers, also a table that FTS5 cannot open.
    private static func drop(_ objects: [String: String], _ connection: SQLiteConnection) throws {
        for (name, sql) in objects.sorted(by: { $0.key < $1.key }) {
            let isTrigger = sql.hasPrefix("CREATE TRIGGER")
            do {
                try connection.execute("DROP \(isTrigger ? "TRIGGER" : "TABLE") \(SQLFragment.quoted(name))")
            } catch {
                guard !isTrigger, error.isOfSearchTable(SearchTable.isName) else { throw error }
                try dropByParts(name, connection)
            }
        }
    }

    /// Removes the definition of a virtual table, and then the tables that FTS5 has made for it.
    private static func dropByParts(_ name: String, _ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA writable_schema=ON")
        let removal = try connection.prepare("DELETE FROM sqlite_schema WHERE type = 'table' AND name = ?")
        removal.bind(name, at: 1)
        try removal.run()
        // SQLite reads the schema again, in which the parts are ordinary tables.
        try connection.execute("PRAGMA writable_schema=RESET")
        for part in ["data", "idx", "docsize", "config"] {
            try connection.execute("DROP TABLE IF EXISTS \(SQLFragment.quoted("\(name)_\(part)"))")
        }
    }
}
