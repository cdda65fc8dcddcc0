public import CivilTime
internal import Platform
internal import SQLiteDriver

// The history has a row for each save in "_transactions", and in "_changes" a row for each run of objects with
// consecutive IDs and the same change. "_preserved" has the values that deleted objects leave behind.

extension SQLiteStore: HistoryRecording {
    public func beginHistory() throws {
        guard !recordsHistory else { return }
        guard !isReadOnly else {
            throw StoreError.noHistoryToRead(self)
        }
        try begin()
        do {
            try translating { try SQLiteSchema.makeHistory(connection, writer: writer) }
            try commit()
        } catch {
            rollback()
            throw error
        }
        recordsHistory = true
    }

    // MARK: - Recording

    public func record(_ save: HistoryRecord) throws {
        try translating {
            let transaction = try statements.statement(
                """
                INSERT INTO "_transactions" ("time", "writer", "author", "context") VALUES (?, ?, ?, ?) \
                RETURNING "number"
                """)
            transaction.bind(save.time.secondsSince1970, at: 1)
            transaction.bind(writer, at: 2)
            transaction.bind(save.author, at: 3)
            transaction.bind(save.contextName, at: 4)
            _ = try transaction.step()
            let number = transaction.integer(0)
            transaction.reset()
            transaction.clearBindings()
            let change = try statements.statement("INSERT INTO \"_changes\" VALUES (?, ?, ?, ?, ?, ?, ?)")
            for (position, entry) in save.entries.enumerated() {
                change.bind(number, at: 1)
                change.bind(Int64(position), at: 2)
                change.bind(entry.kind.rawValue, at: 3)
                change.bind(entry.entity.name, at: 4)
                change.bind(entry.ids.lowerBound, at: 5)
                change.bind(entry.ids.upperBound, at: 6)
                change.bind(
                    entry.properties.isEmpty ? nil : entry.properties.joined(separator: ","), at: 7)
                try change.run()
                try preserve(entry, of: number, position: Int64(position))
            }
        }
    }

    private func preserve(_ entry: HistoryRecord.Entry, of number: Int64, position: Int64) throws {
        for column in entry.entity.preservedColumns {
            let column = entry.entity.columns[column]
            guard let value = entry.preserved[column.name] else { continue }
            let statement = try statements.statement("INSERT INTO \"_preserved\" VALUES (?, ?, ?, ?, ?)")
            statement.bind(number, at: 1)
            statement.bind(position, at: 2)
            statement.bind(column.name, at: 3)
            statement.bind(column.type.rawValue, at: 4)
            statement.bind(value, at: 5)
            try statement.run()
        }
    }

    // MARK: - Reading

    public func history(after token: HistoryToken?, limit: Int?) throws -> [HistoryTransaction] {
        try history(after: token, limit: limit, matching: HistoryFilter())
    }

    public func history(
        after token: HistoryToken?, limit: Int?, matching filter: HistoryFilter
    ) throws -> [HistoryTransaction] {
        try readingHistory {
            if let token { try require(token) }
            guard !filter.isContradictory else { return [] }
            let condition = Self.condition(of: filter)
            let listing = try statements.statement(
                """
                SELECT "number", "time", "writer", "author", "context", "model" FROM "_transactions" AS "saved" \
                WHERE "number" > ?\(condition.text) ORDER BY "number" LIMIT ?
                """)
            defer { listing.reset() }
            listing.bind([.integer(token?.number ?? 0)] + condition.bindings + [.integer(Int64(limit ?? -1))])
            var transactions: [HistoryTransaction] = []
            while try listing.step() {
                let changes = try changes(of: listing.integer(0), matching: filter)
                transactions.append(transaction(listing, changes))
            }
            return transactions
        }
    }

    /// Returns the conditions for the transactions that a filter chooses, each with ` AND ` before it.
    private static func condition(of filter: HistoryFilter) -> SQLFragment {
        var condition = SQLFragment("")
        if let author = filter.author {
            condition = condition + " AND \"author\" = " + .bound(.string(author))
        }
        guard filter.isForSomeChanges else { return condition }
        // A migration may change every object.
        return condition + " AND (\"model\" IS NOT NULL OR EXISTS (SELECT 1 FROM \"_changes\" "
            + "WHERE \"number\" = \"saved\".\"number\"" + changeCondition(of: filter) + "))"
    }

    /// Returns the conditions for the changes that a filter chooses, each with ` AND ` before it.
    private static func changeCondition(of filter: HistoryFilter) -> SQLFragment {
        var condition = SQLFragment("")
        if let entity = filter.object?.entity ?? filter.entity {
            condition = condition + " AND \"entity\" = " + .bound(.string(entity))
        }
        if let object = filter.object {
            condition = condition + " AND " + .bound(.integer(object.id)) + " BETWEEN \"first\" AND \"last\""
        }
        return condition
    }

    public func savesOfOthers(
        after number: Int64
    ) throws -> (transactions: [HistoryTransaction], last: Int64)? {
        try readingHistory {
            let first = try connection.integer("SELECT min(\"number\") FROM \"_transactions\"") ?? 0
            guard first <= number + 1 else { return nil }
            let listing = try statements.statement(
                """
                SELECT "number", "time", "writer", "author", "context", "model" FROM "_transactions" \
                WHERE "number" > ? ORDER BY "number"
                """)
            defer { listing.reset() }
            listing.bind(number, at: 1)
            var (transactions, last) = ([HistoryTransaction](), number)
            while try listing.step() {
                last = listing.integer(0)
                guard listing.integer(2) != writer else { continue }
                transactions.append(try transaction(listing, changes(of: last)))
            }
            return (transactions, last)
        }
    }

    public func lastSaveByOthers(of object: ObjectID) throws -> HistoryTransaction? {
        try readingHistory {
            let last = try statements.statement(
                """
                SELECT "number", "time", "writer", "author", "context", "model" \
                FROM "_changes" JOIN "_transactions" USING ("number") \
                WHERE "entity" = ? AND ? BETWEEN "first" AND "last" ORDER BY "number" DESC LIMIT 1
                """)
            defer { last.reset() }
            last.bind(object.entity, at: 1)
            last.bind(object.id, at: 2)
            guard try last.step(), last.integer(2) != writer else { return nil }
            return transaction(last, [])
        }
    }

    /// Returns the transaction in the current row of a statement.
    private func transaction(_ row: SQLiteStatement, _ changes: [HistoryChange]) -> HistoryTransaction {
        HistoryTransaction(
            token: HistoryToken(
                store: metadata.identifier, number: row.integer(0), writer: row.integer(2)),
            time: Timestamp(secondsSince1970: row.real(1)), author: row.text(3), contextName: row.text(4),
            isMigration: !row.isNull(5), changes: changes)
    }

    private func changes(
        of number: Int64, matching filter: HistoryFilter = HistoryFilter()
    ) throws -> [HistoryChange] {
        let condition = Self.changeCondition(of: filter)
        let listing = try statements.statement(
            """
            SELECT "position", "kind", "entity", "first", "last", "properties" FROM "_changes" \
            WHERE "number" = ?\(condition.text) ORDER BY "position"
            """)
        defer { listing.reset() }
        listing.bind([.integer(number)] + condition.bindings)
        var changes: [HistoryChange] = []
        while try listing.step() {
            guard let kind = listing.text(1).flatMap({ HistoryChange.Kind(rawValue: $0) }),
                let entity = listing.text(2), listing.integer(3) <= listing.integer(4)
            else { throw damagedHistory(number) }
            let properties = listing.text(5)?.split(separator: ",").map(String.init) ?? []
            let preserved =
                kind == .deleted ? try preservedValues(of: number, position: listing.integer(0)) : [:]
            let ids = filter.object.map { $0.id...$0.id } ?? listing.integer(3)...listing.integer(4)
            for id in ids {
                changes.append(
                    HistoryChange(
                        ObjectID(entity: entity, id: id), kind, properties: properties, preserved: preserved))
            }
        }
        return changes
    }

    private func preservedValues(of number: Int64, position: Int64) throws -> [String: AttributeValue] {
        let listing = try statements.statement(
            "SELECT \"property\", \"type\", \"value\" FROM \"_preserved\" WHERE \"number\" = ? AND \"position\" = ?"
        )
        defer { listing.reset() }
        listing.bind(number, at: 1)
        listing.bind(position, at: 2)
        var values: [String: AttributeValue] = [:]
        while try listing.step() {
            guard let property = listing.text(0),
                let type = listing.text(1).flatMap({ AttributeType(rawValue: $0) })
            else { throw damagedHistory(number) }
            values[property] = listing.value(2, type)
        }
        return values
    }

    private func damagedHistory(_ number: Int64) -> StoreError {
        StoreError(
            .damaged, "the transaction \(number) of the history cannot be read;", restoring: "a backup",
            path: path)
    }

    public func lastHistoryToken() throws -> HistoryToken {
        try readingHistory {
            let last = try statements.statement(
                "SELECT \"number\", \"writer\" FROM \"_transactions\" ORDER BY \"number\" DESC LIMIT 1")
            defer { last.reset() }
            guard try last.step() else { throw damagedHistory(0) }
            return HistoryToken(
                store: metadata.identifier, number: last.integer(0), writer: last.integer(1))
        }
    }

    /// Throws if the history does not have the transaction of a token.
    private func require(_ token: HistoryToken) throws {
        guard token.store == metadata.identifier else {
            throw StoreError.tokenOfOtherStore(token, self)
        }
        let found = try statements.statement("SELECT \"writer\" FROM \"_transactions\" WHERE \"number\" = ?")
        defer { found.reset() }
        found.bind(token.number, at: 1)
        if try found.step(), found.integer(0) == token.writer { return }
        let first = try connection.integer("SELECT min(\"number\") FROM \"_transactions\"") ?? 0
        throw StoreError.transactionLost(of: token, purgedTo: first - 1, self)
    }

    /// Runs `body`, which reads one state of the history.
    private func readingHistory<Result>(_ body: () throws -> Result) throws -> Result {
        guard recordsHistory else {
            throw StoreError.noHistory(self)
        }
        return try translating {
            guard !connection.isInTransaction else { return try body() }
            try connection.execute("BEGIN")
            // Nothing is written, so a failure to end the transaction loses nothing.
            defer { try? connection.execute("ROLLBACK") }
            return try body()
        }
    }

    // MARK: - Purging

    public func purgeHistory(before token: HistoryToken) throws {
        try readingHistory {
            try require(token)
            try purgeHistory(before: token.number)
        }
    }

    public func purgeHistory(before time: Timestamp) throws {
        try readingHistory { try purgeHistory(before: last(before: time)) }
    }

    public func purgeHistory(before time: Timestamp, keeping kept: Int, limit: Int) throws -> Bool {
        try readingHistory {
            let newest = try transactionNumber(ofChange: kept, order: "DESC") ?? 0
            let end = max(try last(before: time), newest)
            // A transaction can have more changes than the limit.
            let first = try connection.integer("SELECT min(\"number\") FROM \"_transactions\"") ?? 0
            guard let next = try transactionNumber(ofChange: limit, order: "ASC"), max(next, first + 1) < end
            else {
                try purgeHistory(before: end)
                return false
            }
            try purgeHistory(before: max(next, first + 1))
            return true
        }
    }

    /// Returns the number of the last transaction before the first one that was saved at or after a time.
    private func last(before time: Timestamp) throws -> Int64 {
        // The clock may have been set back, so a later transaction can have an earlier time.
        let last = try statements.statement(
            """
            SELECT max("number") FROM "_transactions" WHERE "number" < \
            (SELECT ifnull(min("number"), 9e999) FROM "_transactions" WHERE "number" > 0 AND "time" >= ?)
            """)
        defer { last.reset() }
        last.bind(time.secondsSince1970, at: 1)
        return try last.step() ? last.integer(0) : 0
    }

    /// Returns the number of the transaction with the change after `count` others, or `nil` if there are fewer.
    private func transactionNumber(ofChange count: Int, order: String) throws -> Int64? {
        let change = try statements.statement(
            "SELECT \"number\" FROM \"_changes\" ORDER BY \"number\" \(order) LIMIT 1 OFFSET ?")
        defer { change.reset() }
        change.bind(Int64(max(0, count)), at: 1)
        return try change.step() ? change.integer(0) : nil
    }

    private func purgeHistory(before number: Int64) throws {
        for table in ["_preserved", "_changes", "_transactions"] {
            let statement = try statements.statement("DELETE FROM \"\(table)\" WHERE \"number\" < ?")
            statement.bind(number, at: 1)
            try statement.run()
        }
    }

    public func discardHistory() throws {
        guard !isShared else {
            throw StoreError(
                .misuse, "programs that share a store need its history; open it alone", path: path)
        }
        try readingHistory { try SQLiteSchema.removeHistory(connection) }
        recordsHistory = false
    }
}

extension SQLiteStore: SharedStore {
    public func reserveIDs(
        of entity: Entity, count: Int64, above number: Int64
    ) throws -> ClosedRange<Int64> {
        // The order of the entities may differ between programs with the same model.
        let slot = model.entities.filter { $0.name < entity.name }.count
        do throws(SystemError) {
            if let ids = try lock?.reserveIDs(count, slot: slot, above: number) { return ids }
        } catch {
            throw StoreError(error, "no IDs can be reserved in its lock file", path: path)
        }
        throw StoreError(
            .other,
            "the largest ID of \(entity.name) is in use or reserved, so no object can be added; correct it or",
            restoring: "a backup", path: path)
    }
}

extension SQLiteStatement {
    /// Binds a text, or NULL if there is none.
    fileprivate func bind(_ text: String?, at index: Int32) {
        if let text { bind(text, at: index) } else { bindNull(index) }
    }
}
