internal import ObjectStore
internal import PostgreSQLDriver

/// The changes of rows and pairs. Each run of changes of one kind is one statement with arrays as parameters.
///
///     INSERT INTO "Book" ("id", "title") SELECT * FROM unnest($1::bigint[], $2::text[])
///     UPDATE "Book" AS t SET "title" = n.c0, "_version" = t."_version" + 1
///         FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS n (id, version, c0)
///         WHERE t."id" = n.id AND (n.version IS NULL OR t."_version" = n.version) RETURNING t."id", t."_version"
struct RowWriter {
    let layout: Layout
    let statements: StatementCache
    /// The store in messages.
    let place: String

    // MARK: - Inserts

    func insert(_ rows: ArraySlice<StoreChanges.Row>, _ versions: inout RowVersions) throws {
        guard let first = rows.first else { return }
        let table = layout.table(of: first.entity)
        let rows = rows.sorted { $0.id < $1.id }
        var parameters = PostgreSQLParameters()
        parameters.append(rows.lazy.map(\.id))
        for column in table.columns { parameters.append(try array(rows, column, of: table)) }
        let names = (["\"id\""] + table.columns.map(\.name)).joined(separator: ", ")
        do {
            try statements.run(
                "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(Self.list(parameters.types)))",
                parameters)
        } catch {
            guard error.kind == .unique else { throw error }
            // The other constraints are checked later, so this is the primary key.
            let name = error.idInDetail.map { ObjectID(entity: table.entity.name, id: $0).description }
            throw StoreError(
                .other,
                "\(name ?? "an object of \(table.entity.name)") is in the store already; use another id",
                path: place)
        }
        for row in rows { versions.written(row.id, entity: table.entity.index, version: 1) }
    }

    private func array(
        _ rows: [StoreChanges.Row], _ column: TableLayout.Column, of table: TableLayout
    ) throws -> PostgreSQLArray {
        var array = PostgreSQLArray(of: column.type)
        for row in rows {
            try array.append(value(row.values[column.position], of: column, in: table, id: row.id))
        }
        return array
    }

    /// Returns a value in the form of its column.
    private func value(
        _ value: AttributeValue, of column: TableLayout.Column, in table: TableLayout, id: Int64?
    ) throws -> ColumnValue {
        var wanted = value
        if case .folded(_, let options) = column.content { wanted = value.folded(options) }
        if let stored = ColumnValue(wanted, column.type) { return stored }
        let object = id.map { ObjectID(entity: table.entity.name, id: $0).description } ?? table.entity.name
        throw StoreError(
            .other,
            "\(object).\(table.entity.columns[column.position].name) is \(value.typeName), "
                + "which the model does not allow; correct it", path: place)
    }

    private static func list(_ types: [PostgreSQLType]) -> String {
        types.enumerated().map { "$\($0 + 1)::\($1.sqlName)" }.joined(separator: ", ")
    }

    // MARK: - Updates

    /// Updates some columns of rows. Each ID is there once.
    ///
    /// - Parameter value: Returns the value of a row, at a position in `ids`, for a column of the entity.
    /// - Throws: A `StoreError` if a row does not exist, or a `ConflictError` if another program has changed it.
    func update(
        _ ids: [Int64], of entity: Entity, columns: [Int], _ versions: inout RowVersions,
        _ value: (_ row: Int, _ column: Int) -> AttributeValue
    ) throws {
        guard !ids.isEmpty else { return }
        let table = layout.table(of: entity)
        let order = ids.indices.sorted { ids[$0] < ids[$1] }
        var parameters = PostgreSQLParameters()
        parameters.append(order.lazy.map { ids[$0] })
        parameters.append(expected(order.map { ids[$0] }, of: entity, versions))
        let changed = table.columns.filter { columns.contains($0.position) }
        for column in changed {
            var array = PostgreSQLArray(of: column.type)
            for row in order {
                try array.append(
                    self.value(value(row, column.position), of: column, in: table, id: ids[row]))
            }
            parameters.append(array)
        }
        let sources = changed.indices.map { "c\($0)" }
        let assignments = zip(changed, sources).map { "\($0.name) = n.\($1), " }.joined()
        let written = try statements.run(
            "UPDATE \(table.name) AS t SET \(assignments)\"_version\" = t.\"_version\" + 1 "
                + "FROM unnest(\(Self.list(parameters.types))) "
                + "AS n (\((["id", "version"] + sources).joined(separator: ", "))) "
                + "WHERE t.\"id\" = n.id AND (n.version IS NULL OR t.\"_version\" = n.version) "
                + "RETURNING t.\"id\", t.\"_version\"", parameters)
        if written.count < ids.count { try refuseMissing(written, ids, of: table) }
        for row in 0..<written.count {
            versions.written(
                written[row].integer(0), entity: entity.index, version: written[row].integer(1))
        }
    }

    private func expected(_ ids: [Int64], of entity: Entity, _ versions: RowVersions) -> PostgreSQLArray {
        var expected = PostgreSQLArray(of: .integer)
        for id in ids {
            if let version = versions.expected(id, entity: entity.index) {
                expected.append(version)
            } else {
                expected.appendNull()
            }
        }
        return expected
    }

    /// Throws the error for rows that were not written.
    private func refuseMissing(_ written: PostgreSQLResult, _ ids: [Int64], of table: TableLayout) throws {
        let done = Set((0..<written.count).map { written[$0].integer(0) })
        let missing = ids.filter { !done.contains($0) }.sorted()
        let present = try self.present(missing, in: table)
        if let gone = missing.first(where: { !present.contains($0) }) {
            throw StoreError(
                .other,
                "\(ObjectID(entity: table.entity.name, id: gone)) is no longer in the store; refresh it",
                path: place)
        }
        throw conflict(about: missing, in: table)
    }

    private func present(_ ids: [Int64], in table: TableLayout) throws -> Set<Int64> {
        var parameters = PostgreSQLParameters()
        parameters.append(ids)
        let found = try statements.run(
            "SELECT \"id\" FROM \(table.name) WHERE \"id\" = ANY ($1)", parameters)
        return Set((0..<found.count).map { found[$0].integer(0) })
    }

    private func conflict(about ids: [Int64], in table: TableLayout) -> ConflictError {
        let objects = ids.map { ObjectID(entity: table.entity.name, id: $0) }
        let other = ConflictError.OtherProgram(author: nil)
        return ConflictError(
            objects: objects, programs: Dictionary(uniqueKeysWithValues: objects.map { ($0, other) }))
    }

    /// Sets columns of many rows to the same values.
    func update(
        _ ids: [Int64], of entity: Entity, set values: [Int: AttributeValue], _ versions: inout RowVersions
    ) throws {
        guard !ids.isEmpty else { return }
        let table = layout.table(of: entity)
        var parameters = PostgreSQLParameters()
        parameters.append(ids)
        var assignments = ["\"_version\" = \"_version\" + 1"]
        for column in table.columns {
            guard let new = values[column.position] else { continue }
            try parameters.append(value(new, of: column, in: table, id: nil), column.type)
            assignments.append("\(column.name) = $\(parameters.count)")
        }
        let written = try statements.run(
            "UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) WHERE \"id\" = ANY ($1) "
                + "RETURNING \"id\", \"_version\"", parameters)
        for row in 0..<written.count {
            let id = written[row].integer(0)
            guard versions.expected(id, entity: entity.index) != nil else { continue }
            versions.written(id, entity: entity.index, version: written[row].integer(1))
        }
    }

    // MARK: - Deletions

    /// Deletes rows. Rows that do not exist are ignored.
    ///
    /// - Throws: A `ConflictError` if another program has changed one of the rows.
    func delete(_ ids: [Int64], of entity: Entity, _ versions: inout RowVersions) throws {
        let table = layout.table(of: entity)
        let ids = ids.sorted()
        var parameters = PostgreSQLParameters()
        parameters.append(ids)
        parameters.append(expected(ids, of: entity, versions))
        let deleted = try statements.run(
            "DELETE FROM \(table.name) AS t USING unnest($1::bigint[], $2::bigint[]) AS n (id, version) "
                + "WHERE t.\"id\" = n.id AND (n.version IS NULL OR t.\"_version\" = n.version) "
                + "RETURNING t.\"id\"", parameters)
        if deleted.count < ids.count {
            let done = Set((0..<deleted.count).map { deleted[$0].integer(0) })
            let changed = try present(ids.filter { !done.contains($0) }, in: table)
            guard changed.isEmpty else { throw conflict(about: changed.sorted(), in: table) }
        }
        for id in ids { versions.written(id, entity: entity.index, version: nil) }
    }

    // MARK: - Pairs

    func write(_ pairs: ArraySlice<StoreChanges.Pair>) throws {
        guard let first = pairs.first else { return }
        let table = layout.links[first.link].name
        var parameters = PostgreSQLParameters()
        parameters.append(pairs.lazy.map(\.ownerID))
        parameters.append(pairs.lazy.map(\.otherID))
        let source = "unnest($1::bigint[], $2::bigint[]) AS n (owner, other)"
        try statements.run(
            first.isAdded
                ? "INSERT INTO \(table) (\"owner\", \"other\") SELECT * FROM \(source) ON CONFLICT DO NOTHING"
                : "DELETE FROM \(table) AS t USING \(source) WHERE t.\"owner\" = n.owner AND t.\"other\" = n.other",
            parameters)
    }
}

extension PostgreSQLError {
    /// The ID that the server names in the detail of a violated primary key, such as `Key (id)=(5) already exists.`
    fileprivate var idInDetail: Int64? {
        guard let detail, let start = detail.firstRange(of: "(id)=(")?.upperBound else { return nil }
        return Int64(detail[start...].prefix { $0 != ")" })
    }
}
