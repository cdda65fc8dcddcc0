internal import ObjectStore
internal import PostgreSQLDriver

/// The tables with the objects of a store, and their constraints, triggers, sequences and indexes.
struct SchemaTables {
    let connection: PostgreSQLConnection
    let layout: Layout

    /// Creates the tables, without the constraints and indexes that slow down the writing of many rows.
    func make() throws(PostgreSQLError) {
        for table in layout.tables {
            var parts = [
                "\"id\" bigint CONSTRAINT \(table.key) PRIMARY KEY", "\"_version\" bigint NOT NULL DEFAULT 1",
            ]
            parts += table.columns.map(\.definition)
            try connection.execute("CREATE TABLE \(table.name) (\(parts.joined(separator: ", ")))")
        }
        for table in layout.links {
            try connection.execute(
                """
                CREATE TABLE \(table.name) ("owner" bigint NOT NULL, "other" bigint NOT NULL, \
                CONSTRAINT \(table.key) PRIMARY KEY ("owner", "other"))
                """)
        }
        try connection.execute(
            """
            CREATE TABLE \(layout.largestIDs.name) ("entity" text COLLATE "C" \
            CONSTRAINT \(layout.largestIDs.key) PRIMARY KEY, "id" bigint NOT NULL)
            """)
    }

    /// Adds the constraints, triggers, sequences and indexes.
    func finish() throws(PostgreSQLError) {
        for table in layout.tables {
            for unique in try UniqueConstraint.all(of: table) {
                try connection.execute("ALTER TABLE \(table.name) ADD \(unique.definition)")
            }
            try connection.execute("CREATE SEQUENCE \(PostgreSQLName.quoted(table.sequence))")
            // This library counts the versions itself. The trigger counts the changes of other programs.
            try connection.execute(
                """
                CREATE TRIGGER "_countVersion" BEFORE UPDATE ON \(table.name) FOR EACH ROW \
                WHEN (NEW."_version" = OLD."_version") EXECUTE FUNCTION "_countVersion"()
                """)
        }
        for reference in try SchemaReferences(layout).all {
            try connection.execute(
                """
                ALTER TABLE \(reference.table) ADD CONSTRAINT \(reference.constraint) FOREIGN KEY \
                (\(reference.column)) REFERENCES \(reference.destination) ("id") DEFERRABLE INITIALLY DEFERRED
                """)
        }
        for index in try SchemaIndex.all(in: layout) { try connection.execute(index.sql) }
    }

    func drop() throws(PostgreSQLError) {
        try connection.execute("DROP TABLE \(layout.names.map(\.table).joined(separator: ", "))")
    }

    /// Drops the sequences of IDs.
    func dropSequences() throws(PostgreSQLError) {
        for table in layout.tables {
            try connection.execute("DROP SEQUENCE \(PostgreSQLName.quoted(table.sequence))")
        }
    }

    /// Gives the tables the names that they have in another layout of the same model.
    func rename(to other: Layout) throws(PostgreSQLError) {
        for (old, new) in zip(layout.names, other.names) {
            try connection.execute(
                "ALTER TABLE \(old.table) RENAME TO \(new.table); "
                    + "ALTER TABLE \(new.table) RENAME CONSTRAINT \(old.key) TO \(new.key)")
        }
    }

    /// Returns the statements that make the indexes those of the model. The names of other indexes of the store begin with `_`.
    func indexChanges(inSchema schema: String) throws -> [String] {
        var wanted = Dictionary(
            uniqueKeysWithValues: try SchemaIndex.all(in: layout).map { ($0.name, $0.sql) })
        var parameters = PostgreSQLParameters()
        try parameters.append(schema)
        let found = try connection.query(
            """
            SELECT c.relname::text FROM pg_catalog.pg_index AS i \
            JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid \
            JOIN pg_catalog.pg_namespace AS s ON s.oid = c.relnamespace \
            WHERE s.nspname = $1 AND c.relname NOT LIKE '\\_%' \
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE conindid = i.indexrelid)
            """, parameters)
        var changes: [String] = []
        for row in found.rows {
            guard let name = row.text(0), wanted.removeValue(forKey: name) == nil else { continue }
            changes.append("DROP INDEX \(try PostgreSQLName.quoted(name))")
        }
        return changes + wanted.sorted { $0.key < $1.key }.map(\.value)
    }
}
