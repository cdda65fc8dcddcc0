public import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore {
    // MARK: - Transactions

    public func begin() throws {
        guard !isReadOnly else { throw StoreError.readOnly(self) }
        try translating {
            if transactionDepth > 0 || isInMigration {
                try connection.execute("SAVEPOINT \(level)")
            } else {
                try reader.endReading()
                try beginTransaction()
            }
        }
        if transactionDepth == 0 {
            (mayDangle, savesInTransaction) = (false, 0)
            recordedHistory = recordsHistory
            transactionFailure = nil
        }
        deletedIDs.append(deletedIDs.last ?? model.entities.map { _ in 0 })
        versions.begin()
        transactionDepth += 1
    }

    /// The savepoint of the next level.
    private var level: String { "level\(transactionDepth)" }

    /// Begins a transaction, on a new connection if the connection was lost.
    private func beginTransaction() throws {
        transactionNumber += 1
        var hash: String?
        do throws(PostgreSQLError) {
            hash = try commits.begin(transactionNumber)
        } catch {
            guard error.kind == .connectionLost else {
                try? connection.execute("ROLLBACK")
                throw error
            }
            try reconnect()
            hash = try commits.begin(transactionNumber)
        }
        guard hash != metadata.versionHash else { return }
        defer { try? connection.execute("ROLLBACK") }
        try requireModel()
        throw StoreError(
            .damaged, "the store does not say which model wrote it;", restoring: "a backup", path: name)
    }

    public func commit() throws {
        guard transactionDepth > 0 else { throw transactionFailure ?? StoreError.noTransaction(self) }
        try translating {
            guard transactionDepth == 1 else {
                try connection.execute("RELEASE level\(transactionDepth - 1)")
                // The IDs that the inner level has deleted stay deleted.
                deletedIDs.remove(at: deletedIDs.count - 2)
                return
            }
            try recordLargestIDs()
            if isInMigration {
                try connection.execute("RELEASE level0")
            } else {
                try commitTransaction()
            }
            deletedIDs = []
        }
        versions.commit()
        transactionDepth -= 1
    }

    private func commitTransaction() throws {
        // The server rolls back a failed transaction at its COMMIT and reports a success.
        guard !connection.isTransactionFailed else {
            throw PostgreSQLError(.other, "a statement of the transaction has failed before")
        }
        do throws(PostgreSQLError) {
            try connection.execute("COMMIT")
        } catch {
            guard error.kind == .connectionLost else { throw error }
            try settleCommit(error)
        }
        committedNumber = transactionNumber
        // In the transaction, it would keep commits of other programs waiting for the disk. If it fails, other programs look
        // after a second.
        if savesInTransaction > 0 { try? connection.execute("NOTIFY \(schema.channel)") }
    }

    /// Finds out whether a transaction is in the store whose COMMIT was not answered.
    ///
    /// - Throws: A `StoreError` if it is not, or if the server cannot be asked.
    private func settleCommit(_ failure: PostgreSQLError) throws {
        let isSaved: Bool
        do {
            try reconnect()
            isSaved = try commits.number() == transactionNumber
        } catch {
            forgetTransaction()
            if let damage { throw damage }
            throw StoreError(
                .inDoubt,
                "the connection was lost during the COMMIT, and the server does not say whether it succeeded; "
                    + "when the server is back, roll back and compare the objects with the store",
                path: name, cause: failure)
        }
        guard !isSaved else { return }
        forgetTransaction()
        throw StoreError(
            .unreachable, "the connection was lost during the COMMIT; nothing was saved, save again",
            path: name, cause: failure)
    }

    public func rollback() {
        guard transactionDepth > 0, connection.isInTransaction else { return forgetTransaction() }
        transactionDepth -= 1
        deletedIDs.removeLast()
        versions.rollback()
        if transactionDepth == 0 { recordsHistory = recordedHistory }
        do {
            try connection.execute(
                transactionDepth == 0 && !isInMigration
                    ? "ROLLBACK" : "ROLLBACK TO \(level); RELEASE \(level)")
        } catch {
            // The connection was lost, and the transaction with it.
            forgetTransaction()
        }
    }

    // MARK: - Rows

    /// Writes the rows in runs of one kind, and then the pairs.
    public func apply(_ changes: StoreChanges) throws {
        try translating {
            mayDangle = true
            let rows = Self.grouped(changes.rows)
            try lock(rows)
            var start = 0
            while start < rows.count {
                let end = Self.endOfRun(rows, from: start)
                try apply(rows[start..<end])
                start = end
            }
            var first = 0
            while first < changes.pairs.count {
                let (link, isAdded) = (changes.pairs[first].link, changes.pairs[first].isAdded)
                let run = changes.pairs[first...].prefix { $0.link == link && $0.isAdded == isAdded }
                try writer.write(run)
                first = run.endIndex
            }
        }
    }

    /// Returns the rows in an order in which one statement can write many of them. If an object has several changes, their
    /// order does not change.
    private static func grouped(_ rows: [StoreChanges.Row]) -> [StoreChanges.Row] {
        guard let first = rows.first,
            rows.contains(where: { $0.entity.index != first.entity.index || $0.kind != first.kind })
        else { return rows }
        var ids: [Int: Set<Int64>] = [:]
        for row in rows where !ids[row.entity.index, default: []].insert(row.id).inserted { return rows }
        return rows.sorted {
            ($0.entity.index, $0.kind.rank, $0.id) < ($1.entity.index, $1.kind.rank, $1.id)
        }
    }

    /// Locks the rows that exist, in the order of their entities and IDs. Two programs that save the same objects then wait for
    /// each other in one direction only.
    private func lock(_ rows: [StoreChanges.Row]) throws(PostgreSQLError) {
        guard !isInMigration else { return }
        var ids: [Int: [Int64]] = [:]
        for row in rows where row.kind != .insert { ids[row.entity.index, default: []].append(row.id) }
        // A statement for a single row locks it by itself.
        guard ids.count > 1 || ids.contains(where: { $0.value.count > 1 }) else { return }
        for (entity, ids) in ids.sorted(by: { $0.key < $1.key }) {
            var parameters = PostgreSQLParameters()
            parameters.append(ids)
            try reader.statements.run(
                "SELECT FROM \(layout.tables[entity].name) WHERE \"id\" = ANY ($1) ORDER BY \"id\" FOR NO KEY UPDATE",
                parameters)
        }
    }

    /// Returns the end of the rows that one statement can write: changes of one kind, of one entity and of the same columns,
    /// each of another object.
    private static func endOfRun(_ rows: [StoreChanges.Row], from start: Int) -> Int {
        let first = rows[start]
        let columns = first.kind == .update ? first.changedColumns : []
        var ids: Set<Int64> = []
        return rows[start...].firstIndex { row in
            guard row.kind == first.kind, row.entity.index == first.entity.index else { return true }
            if row.kind == .update, row.changedColumns != columns { return true }
            return !ids.insert(row.id).inserted
        } ?? rows.count
    }

    private func apply(_ run: ArraySlice<StoreChanges.Row>) throws {
        guard let first = run.first else { return }
        switch first.kind {
        case .insert: try writer.insert(run, &versions)
        case .update:
            let rows = Array(run)
            try writer.update(
                rows.map(\.id), of: first.entity, columns: first.changedColumns, &versions
            ) { rows[$0].values[$1] }
        case .delete:
            let ids = run.map(\.id)
            try writer.delete(ids, of: first.entity, &versions)
            if let largest = ids.max(), let level = deletedIDs.indices.last {
                deletedIDs[level][first.entity.index] = max(
                    deletedIDs[level][first.entity.index], largest)
            }
        }
    }

    public func apply(_ updates: StoreUpdates) throws {
        let offsets = Dictionary(uniqueKeysWithValues: updates.columns.enumerated().map { ($1, $0) })
        guard Set(updates.ids).count == updates.ids.count else {
            throw StoreError(.misuse, "an object is updated twice; name each object once", path: name)
        }
        try translating {
            mayDangle = true
            for start in stride(from: 0, to: updates.ids.count, by: Self.rowsAtOnce) {
                let ids = Array(updates.ids[start..<min(start + Self.rowsAtOnce, updates.ids.count)])
                try writer.update(ids, of: updates.entity, columns: updates.columns, &versions) {
                    row, column in
                    updates.value(row: start + row, offset: offsets[column] ?? 0)
                }
            }
        }
    }

    /// The number of rows per statement.
    private static let rowsAtOnce = 1024

    public func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        let ids = try ids(request).sorted()
        try translating {
            mayDangle = true
            try writer.update(ids, of: request.entity, set: values, &versions)
        }
        return ids
    }

    public func delete(_ request: StoreRequest) throws -> StoreDeletion {
        try BulkChanges(model: model, store: self).delete(request)
    }

    // MARK: - IDs

    public func largestID(of entity: Entity) throws -> Int64 {
        try reading {
            let table = layout.table(of: entity)
            var parameters = PostgreSQLParameters()
            try parameters.append(table.entity.storedName)
            let found = try reader.statements.run(
                "SELECT greatest((SELECT max(\"id\") FROM \(table.name)), "
                    + "(SELECT \"id\" FROM \(layout.largestIDs.name) WHERE \"entity\" = $1))", parameters)
            return max(found[0].integer(0), deletedIDs.last?[entity.index] ?? 0)
        }
    }

    /// Records the largest IDs that the transaction has deleted, because no object may get them again.
    ///
    /// The largest IDs of other objects are in their tables, so programs that insert objects do not wait for each other.
    private func recordLargestIDs() throws(PostgreSQLError) {
        for (index, id) in (deletedIDs.last ?? []).enumerated() where id > 0 {
            try recordLargestID(id, in: layout.tables[index])
        }
    }

    /// Ensures that no new object of the entity gets an ID up to `id`.
    public func recordLargestID(_ id: Int64, of entity: Entity) throws {
        try translating { try recordLargestID(id, in: layout.table(of: entity)) }
    }

    private func recordLargestID(_ id: Int64, in table: TableLayout) throws(PostgreSQLError) {
        var parameters = PostgreSQLParameters()
        try parameters.append(table.entity.storedName)
        parameters.append(id)
        try reader.statements.run(
            "INSERT INTO \(layout.largestIDs.name) AS l SELECT $1, $2 "
                + "WHERE $2 > coalesce((SELECT max(\"id\") FROM \(table.name)), 0) "
                + "ON CONFLICT (\"entity\") DO UPDATE SET \"id\" = excluded.\"id\" WHERE l.\"id\" < excluded.\"id\"",
            parameters)
    }

    // MARK: - References

    public func danglingReference() throws -> String? {
        guard mayDangle, transactionDepth > 0, let check = references.check else { return nil }
        return try translating { () throws -> String? in
            do {
                try connection.execute(check)
                mayDangle = false
                return nil
            } catch let error as PostgreSQLError where error.kind == .reference {
                try connection.execute("ROLLBACK TO \"references\"; RELEASE \"references\"")
                guard let reference = try error.constraint.flatMap(references.reference) else { throw error }
                return try owner(of: reference) ?? "an object"
            }
        }
    }

    /// Returns the name of an object or a relationship with a reference to a missing object.
    private func owner(of reference: SchemaReferences.Reference) throws(PostgreSQLError) -> String? {
        guard case .object(let entity, _) = reference.owner else {
            if case .pair(let name) = reference.owner { return "a pair of \(name)" }
            return nil
        }
        let found = try reader.statements.run(
            "SELECT \"id\" FROM \(reference.table) AS t WHERE \(reference.column) IS NOT NULL "
                + "AND NOT EXISTS (SELECT FROM \(reference.destination) AS d WHERE d.\"id\" = t.\(reference.column)) "
                + "ORDER BY \"id\" LIMIT 1")
        return found.count == 0 ? nil : "\(entity.name) \(found[0].integer(0))"
    }
}

extension StoreChanges.Row {
    /// The positions of the columns that an update changes.
    fileprivate var changedColumns: [Int] { (0..<values.count).filter(isChanged) }
}

extension StoreChanges.Row.Kind {
    /// The position among the changes of an entity.
    fileprivate var rank: Int {
        switch self {
        case .insert: 0
        case .update: 1
        case .delete: 2
        }
    }
}
