/// The changes to the table of one many-to-many relationship.
struct LinkChange {
    /// The source table that stays unchanged, or `nil`.
    let keptTable: String?
    /// The statement that fills the new table, or `nil` if the table stays empty or is not new.
    let filling: String?

    init(_ link: ManagedObjectModel.LinkTable, mapping: ResolvedMapping, changes: [TableChange]) throws {
        guard let found = Self.part(of: link, mapping) else {
            keptTable = nil
            filling = nil
            return
        }
        let (part, relationship, isOwner) = found
        try mapping.requireSameTarget(relationship)
        guard let source = part.source else { throw SQLMigration.Obstacle("\(link.name) has only one side") }
        let from = relationship.source
        let (near, far) = isOwner ? ("owner", "other") : ("other", "owner")
        let table = SQLFragment.quoted(link.name)
        let into = "INSERT OR IGNORE INTO \(table) (\"\(near)\", \"\(far)\") "
        if let former = from.link {
            guard former.table != link.name || former.isOwner != isOwner else {
                keptTable = link.name
                filling = nil
                return
            }
            let (formerNear, formerFar) = former.isOwner ? ("owner", "other") : ("other", "owner")
            keptTable = nil
            filling =
                into + "SELECT \"\(formerNear)\", \"\(formerFar)\" "
                + "FROM \(SQLFragment.quoted(SQLMigration.former(former.table)))"
            return
        }
        keptTable = nil
        if let column = source.column(named: from.name) {
            guard let change = changes.first(where: { $0.oldName == source.name }) else {
                throw SQLMigration.Obstacle("\(source.name) goes")
            }
            filling = into + Self.pairs(change, column, idFirst: true)
        } else {
            let target = mapping.model.source.destination(of: from)
            guard case .toOne(let column) = from.inverse,
                let change = changes.first(where: { $0.oldName == target.name })
            else { throw SQLMigration.Obstacle("\(target.name) goes") }
            filling = into + Self.pairs(change, column, idFirst: false)
        }
    }

    /// Returns a query such as `SELECT "id", "_old_publisher" FROM "Book" WHERE "_old_publisher" IS NOT NULL`.
    private static func pairs(_ change: TableChange, _ column: Int, idFirst: Bool) -> String {
        let name = SQLFragment.quoted(change.currentName(column))
        let columns = idFirst ? "\"id\", \(name)" : "\(name), \"id\""
        return "SELECT \(columns) FROM \(SQLFragment.quoted(change.entity.name)) WHERE \(name) IS NOT NULL"
    }

    /// Returns the mapping of one end of the relationship, and whether this end owns the table.
    private static func part(
        of link: ManagedObjectModel.LinkTable, _ mapping: ResolvedMapping
    ) -> (ResolvedMapping.EntityPart, ResolvedMapping.RelationshipPart, Bool)? {
        for part in mapping.parts {
            for relationship in part.relationships {
                guard let end = relationship.destination.link, end.table == link.name else { continue }
                return (part, relationship, end.isOwner)
            }
        }
        return nil
    }
}
