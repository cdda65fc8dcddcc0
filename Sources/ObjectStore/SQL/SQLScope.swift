/// The tables that one SELECT reads: the entity's own table as `t0`, and one join for each to-one
/// relationship that key paths follow. Key paths that follow the same relationship share its join.
///
///     FROM "Book" AS t0 LEFT JOIN "Publisher" AS t1 ON t1."id" = t0."publisher"
final class SQLScope {
    let model: ManagedObjectModel
    let entity: Entity
    let alias: String
    /// Whether the database has the tables of the search indexes.
    let hasSearchTables: Bool
    private let aliases: AliasCounter
    private var joins: [Join] = []
    /// The table in a FROM clause, without its alias.
    private let source: String
    /// The SQL expression of each column of the entity, or `nil` if the columns are those of its table.
    private var expressions: [String]?

    private struct Join {
        let source: String
        let column: String
        let alias: String
        let entity: Entity
    }

    /// A counter that keeps the aliases of one statement unique, including those in its subselects.
    private final class AliasCounter {
        var next = 0
    }

    init(model: ManagedObjectModel, entity: Entity, hasSearchTables: Bool = true) {
        self.model = model
        self.entity = entity
        source = SQLFragment.quoted(entity.name)
        self.hasSearchTables = hasSearchTables
        aliases = AliasCounter()
        alias = "t0"
        aliases.next = 1
    }

    /// Creates a scope that uses the columns of one table without an alias, as in the condition of an index.
    init(columnsOf entity: Entity, model: ManagedObjectModel) {
        self.model = model
        self.entity = entity
        source = SQLFragment.quoted(entity.name)
        hasSearchTables = false
        aliases = AliasCounter()
        alias = ""
    }

    /// Creates a scope for the groups of a SELECT. The columns of the entity are SQL expressions.
    init(computing expressions: [String], of entity: Entity, model: ManagedObjectModel) {
        self.model = model
        self.entity = entity
        source = SQLFragment.quoted(entity.name)
        self.expressions = expressions
        hasSearchTables = false
        aliases = AliasCounter()
        alias = ""
    }

    /// Creates the scope of a subselect over the elements of a list inside `outer`.
    ///
    ///     FROM json_each(list_elements(t0."tags", 'string')) AS t1
    ///
    /// - Parameters:
    ///   - list: The column of the list.
    ///   - name: The SQL expression of the column.
    ///   - outer: The scope in which the list is.
    init(elementsOf list: Entity.Column, named name: String, entity: Entity, inside outer: SQLScope) {
        model = outer.model
        self.entity = entity
        hasSearchTables = false
        aliases = outer.aliases
        alias = "t\(aliases.next)"
        aliases.next += 1
        let type = entity.columns[0].type
        source = "json_each(list_elements(\(name), '\(type.rawValue)'))"
        expressions = [PackedValue.isPacked(type) ? "unpacked(\(alias).value)" : "\(alias).value"]
    }

    /// Creates the scope of a subselect over `entity` inside `outer`.
    init(entity: Entity, inside outer: SQLScope) {
        model = outer.model
        self.entity = entity
        hasSearchTables = outer.hasSearchTables
        source = SQLFragment.quoted(entity.name)
        aliases = outer.aliases
        alias = "t\(aliases.next)"
        aliases.next += 1
    }

    /// The tables with their joins, for a FROM clause.
    var tables: String {
        var text = "\(source) AS \(alias)"
        for join in joins {
            text += " LEFT JOIN \(SQLFragment.quoted(join.entity.name)) AS \(join.alias)"
            text += " ON \(join.alias).\"id\" = \(join.source).\(SQLFragment.quoted(join.column))"
        }
        return text
    }

    /// Whether the SELECT reads only the entity's own table.
    var isOneTable: Bool { joins.isEmpty }

    /// Returns an alias for a table that is not a join of this scope, such as the table of a many-to-many
    /// relationship.
    func newAlias() -> String {
        defer { aliases.next += 1 }
        return "t\(aliases.next)"
    }

    /// Follows a to-one relationship of `source` and returns the alias of the table at its other end.
    func join(_ column: String, of source: String, to destination: Entity) -> String {
        if let known = joins.first(where: { $0.source == source && $0.column == column }) {
            return known.alias
        }
        let join = Join(source: source, column: column, alias: newAlias(), entity: destination)
        joins.append(join)
        return join.alias
    }

    /// Returns the SQL of a key and its type.
    ///
    ///     category.name      t1."name"
    ///     category           t0."category"
    ///     category.id        t0."category"
    ///     alarms.@count      (SELECT count(*) FROM "Alarm" WHERE "toDo" = t0."id")
    ///     values of tags.name   (SELECT json_group_array("value") FROM (SELECT "name" AS "value" FROM …))
    func column(_ key: FetchKey) -> (sql: String, type: AttributeType) {
        var source = alias
        var current = entity
        for hop in key.hops {
            source = join(current.columns[hop.column].name, of: source, to: hop.destination)
            current = hop.destination
        }
        if let relationship = key.collection.map({ current.toMany[$0] }) {
            let owner = "\(source).\"id\""
            let sql =
                if let listed = key.listed {
                    values(listed, relationship, ofOwner: owner)
                } else { Self.count(relationship, ofOwner: owner, in: model) }
            return (sql, key.type)
        }
        guard let column = key.column else { return (Self.name("id", in: source), key.type) }
        return (name(ofColumn: column, of: current, in: source), key.type)
    }

    /// Returns the SQL of a column of the scope's entity, or of the entity of a joined table.
    func name(ofColumn column: Int, of entity: Entity, in alias: String) -> String {
        expressions?[column] ?? Self.name(entity.columns[column].name, in: alias)
    }

    /// Returns the quoted name of a column in a table with this alias, or without an alias if it is empty.
    static func name(_ column: String, in alias: String) -> String {
        alias.isEmpty ? SQLFragment.quoted(column) : "\(alias).\(SQLFragment.quoted(column))"
    }

    /// Returns the SELECT of the sorted values of the objects in a relationship.
    private func values(
        _ listed: (entity: Entity, column: Int?), _ relationship: Entity.Relationship, ofOwner owner: String
    ) -> String {
        let table = newAlias()
        let value = Self.name(listed.column.map { listed.entity.columns[$0].name } ?? "id", in: table)
        var tables = "\(SQLFragment.quoted(listed.entity.storedName)) AS \(table)"
        let condition: String
        if let link = relationship.link {
            let links = newAlias()
            let (own, other) = link.isOwner ? ("owner", "other") : ("other", "owner")
            tables =
                "\(SQLFragment.quoted(link.table)) AS \(links) JOIN \(tables) ON \(table).\"id\" = \(links).\"\(other)\""
            condition = "\(links).\"\(own)\" = \(owner)"
        } else {
            condition = "\(Self.name(relationship.description.inverse, in: table)) = \(owner)"
        }
        let isFlag = listed.column.map { listed.entity.columns[$0].type } == .boolean
        let element = isFlag ? "json(iif(\"value\", 'true', 'false'))" : "\"value\""
        return """
            (SELECT json_group_array(\(element)) FROM (SELECT \(value) AS "value" FROM \(tables) \
            WHERE \(condition) AND \(value) IS NOT NULL ORDER BY "value"))
            """
    }

    private static func count(
        _ relationship: Entity.Relationship, ofOwner owner: String, in model: ManagedObjectModel
    ) -> String {
        let (table, column) =
            if let link = relationship.link {
                (link.table, link.isOwner ? "owner" : "other")
            } else {
                (model.destination(of: relationship).name, relationship.description.inverse)
            }
        return
            "(SELECT count(*) FROM \(SQLFragment.quoted(table)) WHERE \(SQLFragment.quoted(column)) = \(owner))"
    }
}
