internal import SQLiteDriver

extension SQLiteStore {
    // MARK: - Transactions

    public func begin() throws {
        guard !isReadOnly else { throw StoreError.readOnly(self) }
        if isLogMissing, let openingError { throw openingError }
        guard !hasBackgroundWriter else {
            throw StoreError(
                .backgroundWriter,
                "a background writer is changing the store, so nothing was saved; save again when it has ended",
                path: path)
        }
        if transactionDepth == 0 { damageRecord.checkFiles(.beforeSave) }
        try damageRecord.refuseWriting()
        if transactionDepth == 0 { try renewSearchTables() }
        try readOldMetadata()
        try translating {
            if transactionDepth > 0 { try setSpilling(false) }
            try run(transactionDepth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT level\(transactionDepth)")
        }
        if transactionDepth == 0 { try refuseForeignStore() }
        if transactionDepth == 0 { newLargestIDs = noLargestIDs }
        // This also removes the levels that SQLite has ended by itself.
        largestIDsBefore.removeLast(max(largestIDsBefore.count - transactionDepth, 0))
        largestIDsBefore.append(newLargestIDs)
        transactionDepth += 1
    }

    /// Ends the new transaction and throws if the database has the content of another store.
    private func refuseForeignStore() throws {
        recordForeignStore()
        guard damageRecord.found != nil else { return }
        try? connection.execute("ROLLBACK")
        try damageRecord.refuseWriting()
    }

    public func commit() throws {
        guard transactionDepth > 0 else { throw StoreError.noTransaction(self) }
        if transactionDepth == 1 { damageRecord.checkFiles(.beforeCommit) }
        try damageRecord.refuseWriting()
        try translating {
            if transactionDepth == 1 {
                try recordLargestIDs()
                try run("COMMIT")
                damageRecord.recordCommit()
                try damageRecord.refuseWriting()
            } else {
                try run("RELEASE level\(transactionDepth - 1)")
            }
        }
        transactionDepth -= 1
        releasePages()
    }

    public func rollback() {
        // After some errors, SQLite rolls back by itself, and there is no transaction left to end.
        guard transactionDepth > 0, connection.isInTransaction else {
            transactionDepth = 0
            newLargestIDs = noLargestIDs
            return
        }
        transactionDepth -= 1
        newLargestIDs = largestIDsBefore[transactionDepth]
        let level = "level\(transactionDepth)"
        let sql = transactionDepth == 0 ? "ROLLBACK" : "ROLLBACK TO \(level); RELEASE \(level)"
        do {
            try connection.execute(sql)
        } catch {
            // SQLite may have ended the whole transaction because of the error.
            transactionDepth = connection.isInTransaction ? transactionDepth : 0
        }
        // The transaction may have removed the history.
        if !recordsHistory { recordsHistory = (try? SQLiteSchema.hasHistory(connection)) ?? false }
        releasePages()
    }

    /// The most memory that pages use between savepoints, in bytes.
    private static let cacheLimit = 8 << 20

    /// Frees the memory of the pages, if it exceeds the limit and no savepoint is open.
    private func releasePages() {
        guard !isSpilling, transactionDepth < 2, connection.cacheSize > Self.cacheLimit else { return }
        connection.releasePages()
    }

    /// Sets whether SQLite writes pages to the log before the end of their transaction, to save memory.
    ///
    /// In a savepoint it must not. SQLite 3.40 gives a page that it writes a second time no checksum until the COMMIT.
    /// After a rollback of the savepoint, the COMMIT misses some of these pages. A crash would then lose the
    /// transaction and all later ones in the log.
    func setSpilling(_ isAllowed: Bool) throws {
        guard isAllowed != isSpilling else { return }
        // Inside a transaction, the number of pages takes effect at once, while ON and OFF do not.
        try connection.execute("PRAGMA cache_spill=\(isAllowed ? 1 : Int32.max)")
        isSpilling = isAllowed
    }

    /// Runs a statement that is kept compiled: every save in a batch is a savepoint.
    private func run(_ sql: String) throws {
        try statements.statement(sql).run()
    }

    // MARK: - Rows

    public func apply(_ changes: StoreChanges) throws {
        try translating {
            var written = 0
            var inserting: SQLiteStatement?
            defer { inserting?.clearBindings() }
            while written < changes.rows.count {
                let row = changes.rows[written]
                var count = 1
                switch row.kind {
                case .insert:
                    count = insertableAtOnce(changes.rows, from: written)
                    let statement = try entities[row.entity.index].insert(rows: count, connection)
                    if statement !== inserting { inserting?.clearBindings() }
                    inserting = statement
                    try insert(changes.rows[written..<written + count], of: row.entity, by: statement)
                case .update: try update(row)
                case .delete: try delete(row)
                }
                written += count
            }
            for pair in changes.pairs {
                try write(pair)
            }
        }
    }

    /// Returns the number of rows to insert with the next statement: `rowsAtOnce` if so many new rows of the
    /// entity follow, or else 1.
    private func insertableAtOnce(_ rows: [StoreChanges.Row], from start: Int) -> Int {
        let entity = rows[start].entity.index
        let end = start + entities[entity].rowsAtOnce
        guard end <= rows.count else { return 1 }
        let areAlike = rows[start..<end].allSatisfy { $0.kind == .insert && $0.entity.index == entity }
        return areAlike ? end - start : 1
    }

    /// Inserts rows. The statement keeps the bound values, because it may insert the next rows, too.
    private func insert(
        _ rows: ArraySlice<StoreChanges.Row>, of entity: Entity, by statement: SQLiteStatement
    ) throws {
        var largestID = newLargestIDs[entity.index]
        var parameter: Int32 = 0
        // A span, because a loop over the rows would retain and release each of them.
        let rows = rows.span
        for index in rows.indices {
            parameter &+= 1
            let id = rows[index].id
            statement.bind(id, at: parameter)
            rows[index].values.withValues { values in
                for column in values.indices {
                    parameter &+= 1
                    statement.bind(values[column], at: parameter)
                }
            }
            largestID = max(largestID, id)
        }
        try statement.runKeepingBindings()
        newLargestIDs[entity.index] = largestID
    }

    private func update(_ row: StoreChanges.Row) throws {
        let statement = try entities[row.entity.index].update(row.columns, connection)
        var parameter: Int32 = 1
        for column in 0..<row.values.count where row.isChanged(column) {
            statement.bind(row.values[column], at: parameter)
            parameter &+= 1
        }
        try update(row.id, of: row.entity, statement: statement, idParameter: parameter)
    }

    private func delete(_ row: StoreChanges.Row) throws {
        let statement = try entities[row.entity.index].delete(connection)
        statement.bind(row.id, at: 1)
        try statement.run()
    }

    /// Adds or removes a pair, for example by `INSERT OR IGNORE INTO "Author_books" VALUES (?, ?)`.
    private func write(_ pair: StoreChanges.Pair) throws {
        let table = SQLFragment.quoted(model.links[pair.link].name)
        let sql =
            pair.isAdded
            ? "INSERT OR IGNORE INTO \(table) VALUES (?, ?)"
            : "DELETE FROM \(table) WHERE \"owner\" = ? AND \"other\" = ?"
        let statement = try statements.statement(sql)
        statement.bind(pair.ownerID, at: 1)
        statement.bind(pair.otherID, at: 2)
        try statement.run()
    }

    // MARK: - Ids

    public func largestID(of entity: Entity) throws -> Int64 {
        try translating {
            let recorded = try connection.prepare("SELECT \"id\" FROM \"_largestIDs\" WHERE \"entity\" = ?")
            recorded.bind(entity.name, at: 1)
            let largestRecorded = try recorded.step() ? recorded.integer(0) : 0
            // Another program, such as the shell, may have added rows.
            let table = SQLFragment.quoted(entity.name)
            let largest = try connection.integer("SELECT max(\"id\") FROM \(table)") ?? 0
            return max(largestRecorded, largest, newLargestIDs[entity.index])
        }
    }

    /// Writes the new largest IDs to their table. An ID is never used again, even if its row was the last one
    /// and is deleted.
    private func recordLargestIDs() throws {
        for (index, id) in newLargestIDs.enumerated() where id > 0 {
            let statement = try statements.statement(
                "INSERT INTO \"_largestIDs\" VALUES (?, ?) ON CONFLICT (\"entity\") DO UPDATE SET \"id\" = max(\"id\", excluded.\"id\")"
            )
            statement.bind(model.entities[index].name, at: 1)
            statement.bind(id, at: 2)
            try statement.run()
        }
        newLargestIDs = noLargestIDs
    }

    public func danglingReference() throws -> String? {
        guard connection.hasViolatedReferences else { return nil }
        return try translating {
            let check = try connection.prepare("PRAGMA foreign_key_check")
            guard try check.step() else { return nil }
            return "\(check.text(0) ?? "an object") \(check.integer(1))"
        }
    }
}
