/// The table of FTS5 for one search index, and the triggers that keep it up to date.
///
///     CREATE VIRTUAL TABLE "Book search (title)" USING fts5("title", content="Book", content_rowid="id", tokenize="…")
///
/// The table has words only. It reads the texts from the table of the entity. Everything in its definition is part of
/// SQLite, so other programs can write to the store.
struct SearchTable {
    /// The pattern of the names of search tables and their triggers.
    ///
    /// The parenthesis keeps the names apart from those of the tables that FTS5 makes: it adds `_data` and others.
    static let namePattern = "[A-Za-z]* search (*)*"

    /// Whether a table has the name of a search table.
    static func isName(_ name: Substring) -> Bool { name.contains(" search (") }

    let name: String
    /// The statements that create the table and its triggers, by the names of what they create.
    let statements: [(name: String, sql: String)]
    /// The statement that adds the words of all objects to a new table.
    let filling: String

    init(_ index: IndexDescription, of entity: String, tokenizer: String) {
        name = Self.name(of: index, of: entity)
        let table = SQLFragment.quoted(name)
        let owner = SQLFragment.quoted(entity)
        let columns = index.keys.map { SQLFragment.quoted($0.name) }
        func values(_ row: String) -> String {
            (["\(row).\"id\""] + columns.map { "\(row).\($0)" }).joined(separator: ", ")
        }
        let list = columns.joined(separator: ", ")
        let removal = "INSERT INTO \(table) (\(table), rowid, \(list)) VALUES ('delete', \(values("old"))); "
        let addition = "INSERT INTO \(table) (rowid, \(list)) VALUES (\(values("new"))); "
        var statements = [
            (
                name,
                "CREATE VIRTUAL TABLE \(table) USING fts5(\(list), content=\(owner), content_rowid=\"id\", "
                    + "tokenize=\"\(tokenizer)\")"
            )
        ]
        for (event, body) in [
            ("INSERT", addition), ("DELETE", removal), ("UPDATE OF \"id\", \(list)", removal + addition),
        ] {
            let trigger = "\(name) \(event.prefix(6).lowercased())"
            statements.append(
                (
                    trigger,
                    "CREATE TRIGGER \(SQLFragment.quoted(trigger)) AFTER \(event) ON \(owner) BEGIN \(body)END"
                ))
        }
        self.statements = statements
        filling = "INSERT INTO \(table) (\(table)) VALUES ('rebuild')"
    }

    static func name(of index: IndexDescription, of entity: String) -> String {
        "\(entity) search (\(index.keys.map(\.name).joined(separator: ",")))"
    }
}
