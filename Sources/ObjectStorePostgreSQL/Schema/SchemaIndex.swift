internal import ObjectStore
internal import PostgreSQLDriver

/// An index of a table. Its name consists of its keys.
///
///     CREATE INDEX "Book published" ON "Book" ("published" NULLS FIRST)
struct SchemaIndex {
    /// The name, without quotes.
    let name: String
    let sql: String

    private init(_ name: String, on table: String, keys: [String]) throws(PostgreSQLError) {
        self.name = StoredName.name(of: name)
        sql =
            "CREATE INDEX \(try PostgreSQLName.quoted(self.name)) ON \(table) "
            + "(\(keys.joined(separator: ", ")))"
    }

    /// Returns the indexes of all tables: those that the model declares, and one for each reference.
    ///
    /// The condition of a declared index is omitted, and a search index is not made.
    static func all(in layout: Layout) throws(PostgreSQLError) -> [SchemaIndex] {
        var all: [SchemaIndex] = []
        for table in layout.tables {
            for made in try indexes(of: table) where !all.contains(where: { $0.name == made.name }) {
                all.append(made)
            }
        }
        for table in layout.links {
            all.append(
                try SchemaIndex("\(table.link.name) other", on: table.name, keys: ["\"other\"", "\"owner\""]))
        }
        return all
    }

    private static func indexes(of table: TableLayout) throws(PostgreSQLError) -> [SchemaIndex] {
        let entity = table.entity
        var indexes: [SchemaIndex] = []
        for index in entity.description.indexes where index.kind == .values {
            var keys: [String] = []
            for key in index.keys {
                guard let column = entity.columns.firstIndex(where: { $0.name == key.name }) else { continue }
                // Nil is less than every value, which is not the default of PostgreSQL.
                keys.append(
                    table.columns[column].name + (key.isAscending ? " NULLS FIRST" : " DESC NULLS LAST"))
            }
            let names = index.keys.map { $0.name + ($0.isAscending ? "" : " desc") }.joined(separator: ",")
            indexes.append(try SchemaIndex("\(entity.storedName) \(names)", on: table.name, keys: keys))
        }
        for column in entity.firstToOne..<entity.columns.count {
            indexes.append(
                try SchemaIndex(
                    "\(entity.storedName) \(entity.columns[column].name)", on: table.name,
                    keys: [table.columns[column].name + " NULLS FIRST"]))
        }
        return indexes
    }
}
