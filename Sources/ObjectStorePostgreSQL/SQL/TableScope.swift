internal import ObjectStore
internal import PostgreSQLDriver

/// The tables that one SELECT reads: a table with an alias, and one join for each to-one relationship that key paths follow.
///
///     FROM "Book" AS t0 LEFT JOIN "Publisher" AS t1 ON t1."id" = t0."publisher"
final class TableScope {
    /// A counter that keeps the aliases of one statement unique, including those in its subselects.
    private final class AliasCounter {
        private var next = 0

        func alias() -> String {
            defer { next += 1 }
            return "t\(next)"
        }
    }

    private struct Join {
        let source: String
        let column: String
        let alias: String
        let table: TableLayout
    }

    let layout: Layout
    let table: TableLayout
    let alias: String
    private let aliases: AliasCounter
    private var joins: [Join] = []

    init(_ table: TableLayout, _ layout: Layout) {
        self.layout = layout
        self.table = table
        aliases = AliasCounter()
        alias = aliases.alias()
    }

    /// Creates the scope of a subselect inside `outer`.
    init(_ table: TableLayout, inside outer: TableScope) {
        layout = outer.layout
        self.table = table
        aliases = outer.aliases
        alias = aliases.alias()
    }

    /// The tables with their joins, for a FROM clause.
    var tables: String {
        var text = "\(table.name) AS \(alias)"
        for join in joins {
            text += " LEFT JOIN \(join.table.name) AS \(join.alias)"
            text += " ON \(join.alias).\"id\" = \(join.source).\(join.column)"
        }
        return text
    }

    /// The columns of a row as a `RowReader` reads it.
    var selection: String {
        let names = table.columns.filter(\.isOfProperty).map { "\(alias).\($0.name)" }
        return (["\(alias).\"id\"", "\(alias).\"_version\""] + names).joined(separator: ", ")
    }

    /// Follows to-one relationships, and returns the alias and the table at their end.
    func end(of hops: [(column: Int, destination: Entity)]) -> (alias: String, table: TableLayout) {
        var end = (alias: alias, table: table)
        for hop in hops {
            end = join(
                end.table.columns[hop.column].name, of: end.alias, to: layout.table(of: hop.destination))
        }
        return end
    }

    private func join(_ column: String, of source: String, to table: TableLayout) -> (String, TableLayout) {
        if let known = joins.first(where: { $0.source == source && $0.column == column }) {
            return (known.alias, known.table)
        }
        let join = Join(source: source, column: column, alias: aliases.alias(), table: table)
        joins.append(join)
        return (join.alias, table)
    }
}
