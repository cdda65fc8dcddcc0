internal import ObjectStore
internal import PostgreSQLDriver

/// A constraint for values that are unique. It is checked at the end of a transaction, so that two objects can exchange their
/// values in one save.
///
///     CONSTRAINT "Book.isbn unique" EXCLUDE USING hash ("isbn" WITH =) DEFERRABLE INITIALLY DEFERRED
///     CONSTRAINT "Item.list,uid unique" UNIQUE ("list", "uid") DEFERRABLE INITIALLY DEFERRED
///
/// The index of a UNIQUE constraint cannot have texts of more than 2,704 bytes. A hash has no such limit, but only one column.
struct UniqueConstraint {
    let entity: Entity
    let rule: Entity.UniqueRule
    /// The name of the constraint, without quotes.
    let name: String
    /// The quoted names of the columns.
    let columns: [String]
    let definition: String

    init(_ rule: Entity.UniqueRule, of table: TableLayout) throws(PostgreSQLError) {
        entity = table.entity
        self.rule = rule
        let names = rule.columns.map { table.entity.columns[$0].name }.joined(separator: ",")
        let folded = rule.options.isEmpty ? "" : " folded \(rule.options.rawValue)"
        name = StoredName.name(of: "\(table.entity.storedName).\(names)\(folded) unique")
        let columns =
            rule.onlyColumn.flatMap { table.foldedColumn(of: $0, rule.options) }.map { [$0] }
            ?? rule.columns.map { table.columns[$0] }
        let isHashed = columns.count == 1 && [.text, .bytes, .numeric].contains(columns[0].type)
        self.columns = columns.map(\.name)
        let keys = self.columns.joined(separator: ", ")
        definition =
            "CONSTRAINT \(try PostgreSQLName.quoted(name)) "
            + (isHashed ? "EXCLUDE USING hash (\(keys) WITH =)" : "UNIQUE (\(keys))")
            + " DEFERRABLE INITIALLY DEFERRED"
    }

    static func all(of table: TableLayout) throws(PostgreSQLError) -> [UniqueConstraint] {
        var all: [UniqueConstraint] = []
        for rule in table.entity.uniqueRules {
            let made = try UniqueConstraint(rule, of: table)
            if !all.contains(where: { $0.name == made.name }) { all.append(made) }
        }
        return all
    }
}
