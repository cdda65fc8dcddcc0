internal import SQLiteDriver

// Batch changes, which create no objects. The rows to delete are collected in a temporary table. Therefore
// each delete rule takes a few statements, however many rows there are.

extension SQLiteStore {
    /// Runs `UPDATE "Book" SET "inPrint" = ? WHERE "id" IN (SELECT …)` and returns the IDs of the changed rows.
    public func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        try translating { try setSpilling(transactionDepth == 1) }
        let assignments = values.sorted { $0.key < $1.key }.map { column, value in
            "\(SQLFragment.quoted(request.entity.columns[column].name)) = " + SQLFragment.bound(value)
        }
        let chosen = try SQLSelect(request, model: model, hasSearchTables: hasSearchTables).ids()
        let table = SQLFragment.quoted(request.entity.name)
        return try change(
            chosen,
            by: "UPDATE \(table) SET " + .joined(assignments, by: ", ") + " WHERE \"id\" IN (" + chosen + ")")
    }

    public func delete(_ request: StoreRequest) throws -> StoreDeletion {
        try translating { try setSpilling(transactionDepth == 1) }
        let chosen = try SQLSelect(request, model: model, hasSearchTables: hasSearchTables).ids()
        var deletion = StoreDeletion()
        guard !request.entity.relationships.isEmpty else {
            let table = SQLFragment.quoted(request.entity.name)
            try preserve(request.entity, idsIn: "(" + chosen + ")", &deletion)
            deletion.deleted[request.entity.index] = try change(
                chosen, by: "DELETE FROM \(table) WHERE \"id\" IN (" + chosen + ")")
            return deletion
        }
        try translating { try connection.execute(Self.makeDoomed) }
        try run("INSERT INTO temp.\"_doomed\" SELECT \(request.entity.index), *, 0 FROM (" + chosen + ")") {
            _ in
        }
        let entities = try followCascades(from: request.entity)
        deletion.denials = try entities.flatMap(denials)
        guard deletion.denials.isEmpty else { return deletion }
        for entity in entities {
            for relationship in entity.relationships { try release(relationship, of: entity, &deletion) }
        }
        for entity in entities {
            let table = SQLFragment.quoted(entity.name)
            try preserve(entity, idsIn: SQLFragment(doomed(entity.index)), &deletion)
            let doomed = "\(table) WHERE \"id\" IN \(doomed(entity.index))"
            deletion.deleted[entity.index] = try change(
                SQLFragment("SELECT \"id\" FROM \(doomed)"), by: SQLFragment("DELETE FROM \(doomed)"))
        }
        return deletion
    }

    /// Reads the values that the history preserves of the rows to delete.
    private func preserve(
        _ entity: Entity, idsIn chosen: SQLFragment, _ deletion: inout StoreDeletion
    ) throws {
        guard recordsHistory, !entity.preservedColumns.isEmpty else { return }
        let columns = entity.preservedColumns.map { entity.columns[$0] }
        let names = columns.map { SQLFragment.quoted($0.name) }.joined(separator: ", ")
        let table = SQLFragment.quoted(entity.name)
        var values: [Int64: [String: AttributeValue]] = [:]
        try run("SELECT \"id\", \(names) FROM \(table) WHERE \"id\" IN " + chosen) { row in
            values[row.integer(0)] = entity.preservedValues { column in
                let offset = entity.preservedColumns.firstIndex(of: column) ?? 0
                return row.value(Int32(offset + 1), entity.columns[column].type)
            }
        }
        deletion.preserved[entity.index] = values
    }

    // MARK: - Delete rules

    /// The round is the number of the cascade that reached a row. The rows of a request have the round 0.
    private static let makeDoomed =
        "CREATE TEMP TABLE IF NOT EXISTS \"_doomed\" (\"entity\" INTEGER NOT NULL, \"id\" INTEGER NOT NULL, "
        + "\"round\" INTEGER NOT NULL, PRIMARY KEY (\"entity\", \"id\")) WITHOUT ROWID; "
        + "DROP INDEX IF EXISTS temp.\"_doomedRounds\"; DELETE FROM temp.\"_doomed\""

    /// The number of rounds after which they get an index.
    private static let roundsWithoutIndex: Int64 = 16

    private static let indexRounds =
        "CREATE INDEX IF NOT EXISTS temp.\"_doomedRounds\" ON \"_doomed\" (\"entity\", \"round\")"

    private func doomed(_ entity: Int) -> String {
        "(SELECT \"id\" FROM temp.\"_doomed\" WHERE \"entity\" = \(entity))"
    }

    /// Returns a query for the IDs at both ends of a relationship of the rows to delete: `SELECT … AS near, … AS far`.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - entity: The entity of the rows.
    ///   - chosen: A query for the IDs of some of these rows, or `nil` for all of them.
    private func pairs(
        _ relationship: Entity.Relationship, of entity: Entity, among chosen: String? = nil
    ) -> String {
        let description = relationship.description
        let (table, near, far): (String, String, String)
        if let link = relationship.link {
            table = link.table
            (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
        } else if description.isToMany {
            table = relationship.storedDestination
            (near, far) = (description.inverse, "id")
        } else {
            table = entity.name
            (near, far) = ("id", description.name)
        }
        return "SELECT \(SQLFragment.quoted(near)) AS near, \(SQLFragment.quoted(far)) AS far "
            + "FROM \(SQLFragment.quoted(table)) "
            + "WHERE \(SQLFragment.quoted(near)) IN \(chosen ?? doomed(entity.index)) "
            + "AND \(SQLFragment.quoted(far)) IS NOT NULL"
    }

    /// Adds the rows that the cascade rules delete, too.
    ///
    /// - Returns: the entities of all rows to delete.
    private func followCascades(from first: Entity) throws -> [Entity] {
        var reached: Set = [first.index]
        var waiting = [first]
        var round: Int64 = 0
        // The first round with rows of an entity that have not been followed. A long chain of objects would otherwise
        // follow each row again in every round.
        var next: [Int: Int64] = [:]
        while let entity = waiting.popLast() {
            let start = next[entity.index] ?? 0
            next[entity.index] = round + 1
            let new =
                "(SELECT \"id\" FROM temp.\"_doomed\" WHERE \"entity\" = \(entity.index) AND \"round\" >= ?)"
            for relationship in entity.relationships where relationship.description.deleteRule == .cascade {
                let sql = SQLFragment(
                    "INSERT OR IGNORE INTO temp.\"_doomed\" SELECT \(relationship.destinationIndex), far, ? "
                        + "FROM (\(pairs(relationship, of: entity, among: new)))",
                    [.integer(round + 1), .integer(start)])
                try run(sql) { _ in }
                guard connection.changedRows > 0 else { continue }
                reached.insert(relationship.destinationIndex)
                waiting.append(model.destination(of: relationship))
            }
            round += 1
            if round == Self.roundsWithoutIndex {
                try translating { try connection.execute(Self.indexRounds) }
            }
        }
        return model.entities.filter { reached.contains($0.index) }
    }

    private func denials(of entity: Entity) throws -> [DeleteDeniedError.Denial] {
        try entity.relationships.filter { $0.description.deleteRule == .deny }.flatMap { relationship in
            let destination = model.destination(of: relationship).name
            let sql = SQLFragment(
                "SELECT near, far FROM (\(pairs(relationship, of: entity))) "
                    + "WHERE far NOT IN \(doomed(relationship.destinationIndex)) ORDER BY near, far LIMIT 100"
            )
            var remaining: [Int64: [ObjectID]] = [:]
            try run(sql) { row in
                remaining[row.integer(0), default: []].append(
                    ObjectID(entity: destination, id: row.integer(1)))
            }
            return remaining.sorted { $0.key < $1.key }.map { id, others in
                DeleteDeniedError.Denial(
                    object: ObjectID(entity: entity.name, id: id), relationship: relationship.name,
                    remaining: others)
            }
        }
    }

    /// Removes the references from other rows to the rows to delete.
    private func release(
        _ relationship: Entity.Relationship, of entity: Entity, _ deletion: inout StoreDeletion
    ) throws {
        if let link = relationship.link {
            let destination = relationship.destinationIndex
            let unlinked =
                "SELECT DISTINCT far FROM (\(pairs(relationship, of: entity))) WHERE far NOT IN \(doomed(destination))"
            var released: [Int64] = []
            try run(SQLFragment(unlinked)) { released.append($0.integer(0)) }
            deletion.unlinked[destination, default: []].formUnion(released)
            recordRelease(relationship, released, &deletion)
            let near = link.isOwner ? "owner" : "other"
            let mirrored = link.isSymmetric ? " OR \"other\" IN \(doomed(entity.index))" : ""
            let sql =
                "DELETE FROM \(SQLFragment.quoted(link.table)) "
                + "WHERE \"\(near)\" IN \(doomed(entity.index))\(mirrored)"
            return try run(SQLFragment(sql)) { _ in }
        }
        guard case .toOne(let column) = relationship.inverse, relationship.description.deleteRule != .noAction
        else { return }
        let destination = model.destination(of: relationship)
        let name = SQLFragment.quoted(destination.columns[column].name)
        let table = SQLFragment.quoted(destination.name)
        let affected =
            "WHERE \(name) IN \(doomed(entity.index)) AND \"id\" NOT IN \(doomed(destination.index))"
        let ids = try change(
            SQLFragment("SELECT \"id\" FROM \(table) \(affected)"),
            by: SQLFragment("UPDATE \(table) SET \(name) = NULL \(affected)"))
        if !destination.columns[column].isOptional, !ids.isEmpty {
            throw ValidationError(
                ids.prefix(100).map { id in
                    .init(
                        entity: destination.name, id: id, property: destination.columns[column].name,
                        rule: .required,
                        detail: "the object that it refers to would be deleted")
                })
        }
        deletion.updated[destination.index, default: []] += ids
        recordRelease(relationship, ids, &deletion)
    }

    private func recordRelease(
        _ relationship: Entity.Relationship, _ ids: [Int64], _ deletion: inout StoreDeletion
    ) {
        guard recordsHistory, !ids.isEmpty else { return }
        deletion.releases.append(
            .init(
                entity: relationship.destinationIndex, relationship: relationship.description.inverse,
                ids: ids))
    }

    /// Changes the rows that a SELECT chooses, and returns their IDs. In SQLite, choosing the rows twice is
    /// faster than a RETURNING clause.
    private func change(_ chosen: SQLFragment, by statement: SQLFragment) throws -> [Int64] {
        var ids: [Int64] = []
        try run(chosen) { ids.append($0.integer(0)) }
        if !ids.isEmpty { try run(statement) { _ in } }
        return ids
    }
}
