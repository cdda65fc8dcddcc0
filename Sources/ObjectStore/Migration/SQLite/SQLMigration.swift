/// A mapping model as SQL: the statements that change a store from one model to another in place.
///
/// Values that stay the same are not copied. A renamed column is renamed, and a new column is added with its
/// default. One UPDATE for each entity computes all other values.
///
///     ALTER TABLE "Book" ADD COLUMN "inPrint" INTEGER DEFAULT 0
///     ALTER TABLE "Book" ADD COLUMN "uid" TEXT
///     UPDATE "Book" SET "uid" = hex(randomblob(4)) || …
struct SQLMigration {
    enum Step: Hashable {
        case statement(String)
        /// The SET clause of an UPDATE of all rows of a table, which is executed in batches.
        case update(table: String, SQLFragment)
        /// Drops the indexes of a table except those with the given names.
        case dropIndexes(table: String, keeping: Set<String>)
    }

    /// The reason why a mapping model cannot be performed in SQL.
    struct Obstacle: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// The attributes of one entity that may have values the rules of the new model do not allow.
    struct Check {
        let entity: Entity
        let columns: [Int]
    }

    private(set) var steps: [Step] = []
    private(set) var checks: [Check] = []

    /// Creates the statements for a mapping model.
    ///
    /// - Throws: an `Obstacle` if objects have to be copied one by one.
    init(_ mapping: ResolvedMapping) throws {
        let source = mapping.model.source
        let destination = mapping.model.destination
        let changes = try Self.tableChanges(mapping)
        let links = try destination.links.map { try LinkChange($0, mapping: mapping, changes: changes) }
        let keptLinks = Set(links.compactMap(\.keptTable))
        let goingLinks = source.links.map(\.name).filter { !keptLinks.contains($0) }

        for change in changes {
            steps.append(.dropIndexes(table: change.oldName, keeping: change.keptIndexes))
        }
        for link in goingLinks { rename(table: link, to: Self.former(link)) }
        renameTables(changes)
        for change in changes { steps += change.columnSteps }
        for entity in destination.entities where !changes.contains(where: { $0.entity === entity }) {
            steps.append(.statement(SQLiteSchema.table(of: entity, destination)))
        }
        for (link, table) in zip(links, destination.links) where link.keptTable == nil {
            steps.append(.statement(SQLiteSchema.table(of: table, destination)))
        }
        for change in changes { steps += change.updates }
        steps += links.compactMap(\.filling).map { .statement($0) }
        for change in changes { steps += change.dropSteps }
        steps += goingLinks.map { .statement("DROP TABLE \(SQLFragment.quoted(Self.former($0)))") }
        removeEntities(mapping)
        checks = changes.filter { !$0.columnsToCheck.isEmpty }.map {
            Check(entity: $0.entity, columns: $0.columnsToCheck)
        }
    }

    /// Returns a temporary name that makes room for another table or column. No name in a model has this
    /// prefix.
    static func former(_ name: String) -> String { "_old_\(name)" }

    private mutating func rename(table: String, to name: String) {
        let text = "ALTER TABLE \(SQLFragment.quoted(table)) RENAME TO \(SQLFragment.quoted(name))"
        steps.append(.statement(text))
    }

    /// Renames the tables in two rounds, because two entities may have swapped their names and removed tables
    /// must make room first.
    private mutating func renameTables(_ changes: [TableChange]) {
        let renamed = changes.filter { $0.oldName != $0.entity.name }
        for change in renamed {
            rename(table: change.oldName, to: Self.former(change.oldName))
            renameLargestID(change.oldName, to: Self.former(change.oldName))
        }
        for change in renamed {
            rename(table: Self.former(change.oldName), to: change.entity.name)
            renameLargestID(Self.former(change.oldName), to: change.entity.name)
        }
    }

    private mutating func renameLargestID(_ entity: String, to name: String) {
        let text = "UPDATE \"_largestIDs\" SET \"entity\" = '\(name)' WHERE \"entity\" = '\(entity)'"
        steps.append(.statement(text))
    }

    /// Removes the tables of removed entities first, because a new entity may have the same name.
    private mutating func removeEntities(_ mapping: ResolvedMapping) {
        var removals: [Step] = []
        for part in mapping.parts where part.destination == nil {
            guard let entity = part.source else { continue }
            removals.append(.statement("DROP TABLE \(SQLFragment.quoted(entity.name))"))
            removals.append(.statement("DELETE FROM \"_largestIDs\" WHERE \"entity\" = '\(entity.name)'"))
        }
        steps.insert(contentsOf: removals, at: 0)
    }

    private static func tableChanges(_ mapping: ResolvedMapping) throws -> [TableChange] {
        for part in mapping.parts {
            if part.mapping.policy != nil { throw Obstacle("\(part.mapping.name) has a policy") }
            if part.mapping.sourcePredicate != .all {
                throw Obstacle("\(part.mapping.name) is for some objects of its entity only")
            }
        }
        for entity in mapping.model.source.entities where mapping.parts(from: entity).count > 1 {
            throw Obstacle("\(entity.name) becomes several entities")
        }
        return try mapping.model.destination.entities.compactMap { entity in
            let parts = mapping.parts(to: entity).filter { $0.source != nil }
            guard parts.count <= 1 else { throw Obstacle("\(entity.name) comes from several entities") }
            return try parts.first.map { try TableChange($0, mapping) }
        }
    }
}
